// Does a job never have a batch that is meant for more GPUs, and does a word of others stay?
#include "scripts/horad/resize/next_batch.hpp"

#include <gtest/gtest.h>

#include <string>

#include "plugins/slurm/jobs/batch_word.hpp"

namespace hora::horad {
namespace {

slurm::Job job_with(const char* comment) {
    slurm::Job job;
    job.admin_comment = comment;
    return job;
}

ResizeEntry entry_of(std::uint64_t batch, const char* comment) {
    ResizeEntry entry;
    entry.resize.batch = batch;
    note_batch(entry, job_with(comment));
    return entry;
}

TEST(NextBatch, IsThatOfTheResizeOrStays) {
    const struct {
        const char* sentence;
        std::uint64_t batch;  // of the resize; 0: it leaves it
        const char* comment;
        std::uint64_t was;
        std::uint64_t next;
    } cases[] = {
        {"another one", 128, "hora-batch=64", 64, 128},   {"the first word", 128, "note", 0, 128},
        {"it stays", 0, "hora-batch=64", 64, 64},         {"there is none", 0, "", 0, 0},
        {"a torn word is none", 0, "hora-batch=x", 0, 0},
    };
    for (const auto& row : cases) {
        const ResizeEntry entry = entry_of(row.batch, row.comment);
        EXPECT_EQ(entry.batch_was, row.was) << row.sentence;
        EXPECT_EQ(entry.next_batch, row.next) << row.sentence;
    }
}

TEST(NextBatch, IsDueUntilItIsSetAndOnlyWhereItIsToChange) {
    const struct {
        const char* sentence;
        std::uint64_t batch;
        bool has_fallen_back;
        const char* meanwhile;  // the comment by now
        bool is_due;
    } cases[] = {
        {"not set yet", 128, false, "a hora-batch=64", true},
        {"set", 128, false, "a hora-batch=128", false},
        {"taken off by somebody", 128, false, "a", true},
        {"a resize that leaves it", 0, false, "a hora-batch=64", false},
        {"what anybody writes stays then", 0, false, "a hora-batch=512", false},
        {"but not on fewer GPUs than it ever had", 0, true, "a hora-batch=512", true},
        {"as it was", 0, true, "a hora-batch=64", false},
    };
    for (const auto& row : cases) {
        ResizeEntry entry = entry_of(row.batch, "a hora-batch=64");
        entry.has_fallen_back = row.has_fallen_back;
        EXPECT_EQ(is_batch_due(entry, job_with(row.meanwhile)), row.is_due) << row.sentence;
    }
}

TEST(NextBatch, ASmallerOneComesBeforeTheSizeAndALargerOneAfterIt) {
    const struct {
        const char* sentence;
        std::uint64_t batch;  // 0: of a job that has fallen back to none
        const char* comment;
        const char* so_far;  // of the comment in the change; null: nothing
        const char* written;
        bool is_first;
    } cases[] = {
        {"larger", 128, "hora-batch=64 a", nullptr, "a hora-batch=128", false},
        {"smaller", 32, "hora-batch=64 a", nullptr, "a hora-batch=32", true},
        {"without a word it is the smallest", 32, "a", nullptr, "a hora-batch=32", false},
        {"and so comes first", 0, "a hora-batch=64", nullptr, "a", true},
        {"beside what is written already", 32, "hora-batch=64 a", "b hora-limit=60:60",
         "b hora-limit=60:60 hora-batch=32", true},
        {"also in the place of nothing", 32, "hora-batch=64 a", "", "hora-batch=32", true},
    };
    for (const auto& row : cases) {
        ResizeEntry entry = entry_of(row.batch, row.comment);
        entry.next_batch = row.batch;
        slurm::JobChange change;
        if (row.so_far != nullptr) {
            change.admin_comment = row.so_far;
        }
        put_batch(change, entry, job_with(row.comment));
        EXPECT_EQ(change.admin_comment, row.written) << row.sentence;
        EXPECT_EQ(change.is_comment_first, row.is_first) << row.sentence;
    }
}

TEST(NextBatch, IsPutBackUnlessSomebodyHasWrittenAnotherOne) {
    const struct {
        const char* sentence;
        std::uint64_t batch;
        const char* before;
        const char* by_now;
        const char* written;  // null: nothing
        bool is_first;
    } cases[] = {
        {"it was smaller", 128, "a hora-batch=64", "a hora-batch=128", "a hora-batch=64", true},
        {"it was larger", 32, "a hora-batch=64", "a hora-batch=32", "a hora-batch=64", false},
        {"there was none", 32, "a", "a hora-batch=32 b", "a b", true},
        {"somebody wrote another one", 32, "a", "hora-batch=33", nullptr, false},
        {"somebody took it off", 32, "hora-batch=64", "", nullptr, false},
        {"it was not set yet", 128, "hora-batch=64", "hora-batch=64", nullptr, false},
        {"it was to stay", 0, "hora-batch=64", "hora-batch=64", nullptr, false},
    };
    for (const auto& row : cases) {
        const ResizeEntry entry = entry_of(row.batch, row.before);
        slurm::JobChange change;
        put_back_batch(change, entry, job_with(row.by_now));
        EXPECT_EQ(change.admin_comment.has_value(), row.written != nullptr) << row.sentence;
        if (change.admin_comment && row.written != nullptr) {
            EXPECT_EQ(*change.admin_comment, row.written) << row.sentence;
        }
        EXPECT_EQ(change.is_comment_first, row.is_first) << row.sentence;
    }
}

}  // namespace
}  // namespace hora::horad
