// Are a job's times and sizes taken as its file has them, and what cannot be meant named?
#include "libplanner/read/trace/elastic_sizes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <string>
#include <vector>

namespace hora::read {
namespace {

using Numbers = std::vector<std::uint32_t>;

// What take_sizes() makes of one job of a file; nodes have 4 GPUs.
struct Taken {
    explicit Taken(const std::string& text, std::uint32_t gpus = 0, bool is_elastic = true,
                   std::uint32_t gpus_per_node = 4)
        : value(nlohmann::json::parse(text)) {
        file.state.gpus_per_node = gpus_per_node;
        job.gpus = gpus;
        job.is_elastic = is_elastic;
        JsonObject item(value, "jobs", 0, found);
        take_sizes(item, value, file, job);
    }
    std::string problem() const { return found.is_there() ? found.error().message : "none"; }
    Numbers sizes() const { return {job.sizes.begin(), job.sizes.end()}; }

    nlohmann::json value;
    JsonProblem found;
    ElasticStateFile file;
    domain::ElasticJob job;
};

std::string with_times(std::uint32_t count, const std::string& more) {
    return fmt::format(R"({{"epoch_seconds":{}{}}})",
                       nlohmann::json(std::vector<double>(count, 7)).dump(), more);
}

TEST(ElasticSizes, TakesTheExtremes) {
    const Taken taken(R"({"epoch_seconds":[1e15,1e-9],"uncertainty":[0,1e6]})");
    ASSERT_EQ(taken.problem(), "none");
    EXPECT_EQ(taken.job.epoch_seconds[0], Seconds(1e15));
    EXPECT_EQ(taken.job.epoch_seconds[1], Seconds(1e-9));
    EXPECT_EQ(taken.job.uncertainty[1], 1e6);
    EXPECT_EQ(taken.job.min, 1U);
    EXPECT_EQ(taken.job.max, 2U);
    EXPECT_TRUE(taken.sizes().empty());

    const Taken many(R"({"epoch_seconds":[1],"min":1,"max":1000000})");
    EXPECT_EQ(many.problem(), "none");
    EXPECT_EQ(many.job.max, 1U);
    Numbers list(100'000);
    for (std::uint32_t i = 0; i < list.size(); ++i) {
        list[i] = 1'000'000 - i;
    }
    list.back() = 1;
    const Taken listed(with_times(2, R"(,"sizes":)" + nlohmann::json(list).dump()));
    EXPECT_EQ(listed.problem(), "none");
    EXPECT_EQ(listed.sizes(), Numbers{1});
}

struct Bad {
    const char* sentence;
    std::string text;
    const char* problem;
};

const Bad bads[] = {
    {"a time of 0", R"({"epoch_seconds":[9,0]})",
     R"(jobs[0].epoch_seconds[1] is "0", no time above 0: the seconds of an epoch on 2 GPUs)"},
    {"a time below 0", R"({"epoch_seconds":[-1e-300]})",
     R"(jobs[0].epoch_seconds[0] is "-1e-300", no time above 0: the seconds of an epoch on 1 GPU)"},
    {"no number", R"({"epoch_seconds":["9"]})",
     R"(jobs[0].epoch_seconds[0] is ""9"", no time above 0: the seconds of an epoch on 1 GPU)"},
    {"too short a time is above 0 as well", R"({"epoch_seconds":[9,9e-10]})",
     R"(jobs[0].epoch_seconds[1] is "9e-10", outside of 1e-9 to 1e15: the seconds of an epoch on )"
     "2 GPUs"},
    {"so is too long a one", R"({"epoch_seconds":[1.1e15]})",
     R"(jobs[0].epoch_seconds[0] is "1.1e+15", outside of 1e-9 to 1e15: the seconds of )"
     "an epoch on 1 GPU"},
    {"no list", R"({"epoch_seconds":9})", "jobs[0].epoch_seconds is no list of up to 1000000"},
    {"no times", "{}", "jobs[0].epoch_seconds is missing"},
    {"an error below 0", R"({"epoch_seconds":[9,8],"uncertainty":[0.1,-0.1]})",
     "jobs[0].uncertainty holds something else than relative errors from 0 to 1e6: \"-0.1\" for 2 "
     "GPUs"},
    {"an error that is too large is at least 0",
     R"({"epoch_seconds":[9,8],"uncertainty":[1e7,0.1]})",
     "jobs[0].uncertainty holds something else than relative errors from 0 to 1e6: \"10000000.0\" "
     "for 1 GPU"},
    {"an error that is no number", R"({"epoch_seconds":[9],"uncertainty":[[]]})",
     "jobs[0].uncertainty holds something else than relative errors from 0 to 1e6: \"[]\" for 1 "
     "GPU"},
    {"no list of errors", R"({"epoch_seconds":[9],"uncertainty":null})",
     "jobs[0].uncertainty is no list of up to 1000000"},
    {"errors without times", R"({"epoch_seconds":[9],"uncertainty":[0,0]})",
     "jobs[0].uncertainty has 2 errors for the 1 times of epoch_seconds"},
    {"more GPUs than any job has", R"({"epoch_seconds":[9],"max":1000001})",
     "jobs[0].max is no whole number up to 1000000"},
    {"less than no GPU", R"({"epoch_seconds":[9],"min":-1})",
     "jobs[0].min is no whole number up to 1000000"},
    {"the least has no time", R"({"epoch_seconds":[9],"min":2})",
     "jobs[0].epoch_seconds ends at 1 GPU, but the job needs at least 2; add the times up to "
     "there"},
    {"a size of half a GPU", R"({"epoch_seconds":[9],"sizes":[0.5]})",
     "jobs[0].sizes holds something else than whole numbers below 1000001"},
    {"sizes of another type", R"({"epoch_seconds":[9],"sizes":true})",
     "jobs[0].sizes is no list of up to 100000"},
    {"a size that the file's range has, but no time",
     R"({"epoch_seconds":[9,8,7,6],"max":8,"sizes":[8]})",
     "jobs[0].sizes has none from min 1 to max 4, where epoch_seconds ends"},
    {"likewise by name", R"({"epoch_seconds":[9,8,7],"max":8,"sizes":"nodes"})",
     "jobs[0].sizes leaves no size from min 1 to max 3, where epoch_seconds ends"},
    {"a size that is out of the range", R"({"epoch_seconds":[9,8,7,6],"max":3,"sizes":[4]})",
     "jobs[0].sizes has none from min 1 to max 3"},
    {"a long name", fmt::format(R"({{"epoch_seconds":[9],"sizes":"{}"}})", std::string(129, 'a')),
     "jobs[0].sizes is longer than 128 characters"},
    {"a name with its own line", R"({"epoch_seconds":[9],"sizes":"any\nhora: "})",
     "jobs[0].sizes is \"any?hora: \", none of any, powers, nodes and a list"},
    {"a number as text", R"({"epoch_seconds":[9],"sizes":"1"})",
     "jobs[0].sizes is the text \"1\"; a list of numbers is written as [1, 2, 4]"},
};

TEST(ElasticSizes, SaysWhatIsWrongAndWhere) {
    for (const Bad& test : bads) {
        EXPECT_EQ(Taken(test.text).problem(), test.problem) << test.sentence;
    }
    const Numbers many(100'001, 1);
    EXPECT_EQ(Taken(with_times(1, R"(,"sizes":)" + nlohmann::json(many).dump())).problem(),
              "jobs[0].sizes is no list of up to 100000");
}

TEST(ElasticSizes, EndWhereTheTimesEndOnlyForElasticJobs) {
    const Taken cut(with_times(3, R"(,"max":8)"), 3);
    EXPECT_EQ(cut.problem(), "none");
    EXPECT_EQ(cut.job.max, 3U);
    ASSERT_EQ(cut.file.remarks.size(), 1U);
    EXPECT_EQ(cut.file.remarks[0],
              "jobs[0] gets at most 3 of its max 8 GPUs: epoch_seconds ends there");
    EXPECT_EQ(
        Taken(with_times(3, R"(,"max":8)"), 4).problem(),
        "jobs[0].epoch_seconds ends at 3 GPUs, but the job holds 4; add the times up to there")
        << "it has one more";
    const Taken fixed(with_times(3, R"(,"max":8)"), 4, false);
    EXPECT_EQ(fixed.problem(), "none") << "its size is not to be decided on";
    EXPECT_EQ(fixed.job.max, 8U);
    EXPECT_TRUE(fixed.file.remarks.empty());
    EXPECT_TRUE(Taken(with_times(8, R"(,"max":8)"), 8).file.remarks.empty())
        << "they are all there";
}

RC_GTEST_PROP(ElasticSizes, AreThoseOfTheRangeThatTheirNameOrListHas, ()) {
    const auto min = *rc::gen::inRange<std::uint32_t>(1, 40);
    const auto max = *rc::gen::inRange<std::uint32_t>(min, 80);
    const auto node = *rc::gen::inRange<std::uint32_t>(1, 12);
    const auto list = *rc::gen::container<Numbers>(rc::gen::inRange<std::uint32_t>(0, 100));
    const auto check = [&](const std::string& sizes, const auto& has) {
        Numbers wanted;
        for (std::uint32_t size = min; size <= max; ++size) {
            if (has(size)) {
                wanted.push_back(size);
            }
        }
        const Taken taken(
            with_times(max, fmt::format(R"(,"min":{},"max":{},"sizes":{})", min, max, sizes)), 0,
            true, node);
        RC_ASSERT(taken.found.is_there() == wanted.empty());
        RC_ASSERT(taken.found.is_there() || taken.sizes() == wanted);
    };
    check("\"powers\"", [](std::uint32_t size) {
        std::uint32_t power = 1;
        while (power < size) {
            power *= 2;
        }
        return power == size;
    });
    check("\"nodes\"", [&](std::uint32_t size) { return size / node * node == size; });
    check(nlohmann::json(list).dump(), [&](std::uint32_t size) {
        return std::find(list.begin(), list.end(), size) != list.end();
    });
}

}  // namespace
}  // namespace hora::read
