// Do the options of `hora plan` mean what they mean to sbatch?
#include "scripts/hora/plan/submission_options.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/unit/request/cluster.hpp"

namespace hora::scripts {
namespace {

TEST(SubmissionOptions, TimeIsInMinutesAndMayHaveNoLimit) {
    struct Case {
        const char* sentence;
        const char* time;
        std::optional<Seconds> limit;
    };
    const Case cases[] = {
        {"minutes", "90", Seconds(5400)},
        {"days", "1-12:30:00", Seconds(131400)},
        {"a part of a minute counts as one", "0:30", Seconds(60)},
        {"also behind whole ones", "5:01", Seconds(360)},
        {"none is not said", "", std::nullopt},
        {"0 is no limit", "0", std::nullopt},
        {"nor is it in seconds", "0:00", std::nullopt},
        {"nor in words", "UNLIMITED", std::nullopt},
        {"of any case", "infinite", std::nullopt},
        {"nor below it", "-1", std::nullopt},
    };
    for (const Case& row : cases) {
        SubmissionOptions options;
        options.time = row.time;
        const auto submission = submission_of(options, {}, 1000, request::small_cluster());
        ASSERT_TRUE(submission) << row.sentence << ": " << submission.error().message;
        EXPECT_EQ(submission->time_limit, row.limit) << row.sentence;
    }
    for (const char* const time : {"5m", "-2", "unlimit", " 0"}) {
        SubmissionOptions options;
        options.time = time;
        const auto submission = submission_of(options, {}, 1000, request::small_cluster());
        ASSERT_FALSE(submission) << time;
        EXPECT_EQ(submission.error().kind, ErrorKind::wrong_use) << time;
    }
}

TEST(SubmissionOptions, PartitionIsOneOfAListAsForSbatch) {
    struct Case {
        const char* sentence;
        const char* partition;
        std::vector<std::string> partitions;
    };
    const Case cases[] = {
        {"none is not said", "", {}},
        {"one", "main", {"main"}},
        {"either of two", "main,other", {"main", "other"}},
        {"what is between commas only", ",main,,other,", {"main", "other"}},
    };
    for (const Case& row : cases) {
        SubmissionOptions options;
        options.partition = row.partition;
        const auto submission = submission_of(options, {}, 1000, request::small_cluster());
        ASSERT_TRUE(submission) << row.sentence << ": " << submission.error().message;
        EXPECT_EQ(submission->partitions, row.partitions) << row.sentence;
    }
}

}  // namespace
}  // namespace hora::scripts
