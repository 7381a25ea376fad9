// Is each job of a pool changed, or is it said why not?
#include "libplanner/elastic/decide.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "tests/unit/elastic/seen_jobs.hpp"

namespace hora::elastic {
namespace {

std::string why_unchanged(const Pool& pool) {
    const Decision decision = decide(pool, **make_policy("hora"));
    return decision.unchanged.empty() ? std::string() : decision.unchanged.front().why;
}

TEST(Decide, SaysWhyAJobStaysAsItIs) {
    SeenJob silent = running(1, 2);
    silent.stays = "has reported no progress since its start";
    SeenJob whole = running(1, 8);
    SeenJob nearly_done = running(1, 2);
    nearly_done.steps_done = 9999;
    struct Case {
        const char* name;
        Pool pool;
        std::string why;
    };
    const Case cases[] = {
        {"it may not be changed now", pool_of(2, {silent}), silent.stays},
        {"it has its most", pool_of(2, {whole}), "has all of the 8 GPUs that it may have"},
        {"none is idle", pool_of(0, {running(1, 2)}), "no idle GPUs of titanx of main"},
        {"not worth a restart", pool_of(2, {nearly_done}),
         "more of the 2 idle GPUs of titanx of main would not save enough time"},
        {"Slurm is to start it", pool_of(4, {waiting(1, 4)}),
         "pending until 4 GPUs are free; 4 idle of titanx of main"},
        {"it grows", pool_of(2, {running(1, 2)}), ""},
        {"it starts smaller", pool_of(1, {waiting(1, 4)}), ""},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        EXPECT_EQ(why_unchanged(each.pool), each.why);
    }
}

// Whatever is seen: once each, and those that stay for a while are never touched.
RC_GTEST_PROP(Decide, ChangesOrExplainsEachJobOnce, ()) {
    Pool pool = pool_of(*rc::gen::inRange(0U, 9U), {});
    const auto count = *rc::gen::inRange<std::uint64_t>(1, 7);
    for (std::uint64_t id = 1; id <= count; ++id) {
        pool.jobs.push_back(*rc::gen::arbitrary<bool>() ? running(id, *rc::gen::inRange(1U, 9U))
                                                        : waiting(id, *rc::gen::inRange(1U, 9U)));
        pool.jobs.back().stays = *rc::gen::element<std::string>("", "", "was resized not long ago");
    }
    const Decision decision = decide(pool, **make_policy("hora"));
    std::vector<std::uint64_t> ids;
    for (const auto* const changes : {&decision.now, &decision.later}) {
        for (const Change& change : *changes) {
            RC_ASSERT(pool.jobs[change.id - 1].stays.empty());
            ids.push_back(change.id);
        }
    }
    for (const Unchanged& unchanged : decision.unchanged) {
        RC_ASSERT(!unchanged.why.empty());
        ids.push_back(unchanged.id);
    }
    std::sort(ids.begin(), ids.end());
    RC_ASSERT(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
    RC_ASSERT(ids.size() == pool.jobs.size());
}

}  // namespace
}  // namespace hora::elastic
