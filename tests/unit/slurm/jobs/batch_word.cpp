// Is the batch of a start read from what horad wrote, within the job's range, and from nothing
// else?
#include "plugins/slurm/jobs/batch_word.hpp"

#include <gtest/gtest.h>

namespace hora::slurm {
namespace {

domain::JobOptions range(std::uint64_t min, std::optional<std::uint64_t> max) {
    domain::JobOptions options;
    options.batch = min;
    options.max_batch = max;
    return options;
}

TEST(BatchWord, is_one_word_of_a_comment_and_leaves_the_others) {
    struct Case {
        const char* name;
        const char* before;
        const char* with;
        const char* without;
    };
    const Case cases[] = {
        {"an empty comment", "", "hora-batch=512", ""},
        {"words of others and of Hora", "a hora-priority=7:9", "a hora-priority=7:9 hora-batch=512",
         "a hora-priority=7:9"},
        {"an older one", "a hora-batch=64 b", "a b hora-batch=512", "a b"},
    };
    for (const Case& each : cases) {
        EXPECT_EQ(with_batch(each.before, 512), each.with) << each.name;
        EXPECT_EQ(with_batch(each.with, 0), each.without) << each.name;
        EXPECT_EQ(batch_word(each.with), 512U) << each.name;
    }
}

TEST(BatchWord, is_not_read_from_what_horad_never_wrote) {
    for (const char* const comment :
         {"", "hora-batch", "hora-batch=", "hora-batch=0", "hora-batch=-1", "hora-batch=64x",
          "xhora-batch=64", "hora-batch=1000000001", "hora-batch=99999999999999999999999"}) {
        EXPECT_EQ(batch_word(comment), std::nullopt) << comment;
    }
}

TEST(BatchWord, counts_within_the_range_of_the_job) {
    struct Case {
        const char* name;
        const char* comment;
        domain::JobOptions options;
        std::optional<std::uint64_t> word;
        std::uint64_t of_start;
    };
    const Case cases[] = {
        {"the smallest", "hora-batch=64", range(64, 1024), 64, 64},
        {"between", "x hora-batch=512 y", range(64, 1024), 512, 512},
        {"the largest", "hora-batch=1024", range(64, 1024), 1024, 1024},
        {"beyond", "hora-batch=1025", range(64, 1024), std::nullopt, 64},
        {"below", "hora-batch=63", range(64, 1024), std::nullopt, 64},
        {"none", "x", range(64, 1024), std::nullopt, 64},
        {"of a job without a range", "hora-batch=64", range(64, std::nullopt), std::nullopt, 0},
        {"of a job without a batch", "hora-batch=64", {}, std::nullopt, 0},
    };
    for (const Case& each : cases) {
        EXPECT_EQ(batch_word(each.comment, each.options), each.word) << each.name;
        EXPECT_EQ(batch_of_start(each.comment, each.options), each.of_start) << each.name;
    }
}

}  // namespace
}  // namespace hora::slurm
