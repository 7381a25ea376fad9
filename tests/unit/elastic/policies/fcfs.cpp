// Does the first in the queue come first?
#include "libplanner/elastic/policies/fcfs.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hora::elastic {
namespace {

domain::ElasticJob job(std::uint32_t gpus, std::uint32_t requested) {
    domain::ElasticJob made;
    made.gpus = gpus;
    made.requested = requested;
    return made;
}

struct Case {
    const char* name;
    std::uint32_t gpus;
    std::uint32_t waiting;
    std::vector<domain::ElasticJob> jobs;
    std::vector<std::uint32_t> wanted;
};

TEST(FirstComeFirstServed, StartsInTheOrderOfSubmission) {
    const Case cases[] = {
        {"who fits starts", 8, 0, {job(4, 4), job(0, 2)}, {4, 2}},
        {"no job passes one that waits", 8, 0, {job(4, 4), job(0, 5), job(0, 1)}, {4, 0, 0}},
        {"a request from outside was there before", 8, 1, {job(4, 4), job(0, 1)}, {4, 0}},
        {"who runs keeps what it holds", 4, 0, {job(4, 2)}, {4}},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        domain::ElasticState state;
        state.gpus = each.gpus;
        state.waiting = each.waiting;
        state.jobs = each.jobs;
        EXPECT_EQ(FirstComeFirstServed().decide(state).gpus, each.wanted);
    }
}

}  // namespace
}  // namespace hora::elastic
