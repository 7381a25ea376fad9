// Is what a policy changes reported with when jobs really end, and in one line a job?
#include "libplanner/report/jobs/elastic.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace hora::report {
namespace {

using nlohmann::json;

// Job "a" takes 1000 s on one GPU and 600 s on two; job 2 likewise, and waits where `gpus` is 0.
struct Decided {
    Decided(const json& a, std::uint32_t gpus, std::vector<std::uint32_t> to) {
        const json speed = {1000, 600};
        const json both = {{"gpus", 4},
                           {"waiting", 0},
                           {"rescale_seconds", 50},
                           {"jobs",
                            {{{"id", a}, {"gpus", 1}, {"epochs_left", 1}, {"epoch_seconds", speed}},
                             {{"id", 2},
                              {"gpus", gpus},
                              {"epochs_left", 2},
                              {"requested", 1},
                              {"epoch_seconds", speed}}}}};
        auto read = read::read_elastic_state(both.dump());
        EXPECT_TRUE(read) << (read ? "" : read.error().message);
        file = *std::move(read);
        allocation.gpus = std::move(to);
    }
    ElasticDecision decision() const {
        return {*elastic::find_policy("knapsack"), file, allocation};
    }

    read::ElasticStateFile file;
    elastic::Allocation allocation;
};

struct Case {
    const char* sentence;
    std::uint32_t gpus;  // of job 2
    std::vector<std::uint32_t> to;
    const char* changes;
};

TEST(Elastic, SaysWhenJobsEndTheirRestartIncluded) {
    const Case cases[] = {
        {"nothing changes", 2, {1, 2}, "[]"},
        {"one grows", 2, {2, 2}, R"([["a",1000,650,"ends 5 min 50 s sooner"]])"},
        {"one shrinks for it",
         2,
         {2, 1},
         R"([["a",1000,650,"ends 5 min 50 s sooner"],)"
         R"([2,1200,2050,"ends 14 min 10 s later, for a job with a larger speed-up"]])"},
        {"a start is no restart", 0, {1, 2}, R"([[2,null,1200,"it waited"]])"},
    };
    for (const Case& row : cases) {
        const Decided decided("a", row.gpus, row.to);
        json found = json::array();
        const json written = json::parse(to_json(decided.decision()));
        for (const json& one : written["changes"]) {
            found.push_back(
                {one["job"], one["seconds_before"], one["seconds_after"], one["reason"]});
        }
        EXPECT_EQ(found, json::parse(row.changes)) << row.sentence << found.dump();
    }
}

TEST(Elastic, CountsWhatIsIdleAfterwards) {
    const Decided decided("a", 1, {2, 1});
    EXPECT_EQ(json::parse(to_json(decided.decision()))["idle"], 1);
    EXPECT_NE(to_table(decided.decision()).find("2 of 4 GPUs held, then 3   1 job changed"),
              std::string::npos)
        << to_table(decided.decision());
}

TEST(Elastic, ShowsAJobOfAnyNameInItsLine) {
    for (const char* const name : {"two\nlines", "\x1b[2J", "\x7f",
                                   "\xc2\x9b"
                                   "2J"}) {
        const std::string table = to_table(Decided(name, 2, {2, 2}).decision());
        EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3) << table;
        for (const char* const control : {"\x1b", "\x7f", "\xc2\x9b"}) {
            EXPECT_EQ(table.find(control), std::string::npos) << table;
        }
    }
}

}  // namespace
}  // namespace hora::report
