// Does a resize of a pending job say what the job is to get back?
#include "scripts/horad/journal/pending_change.hpp"

#include <gtest/gtest.h>

#include "tests/unit/horad/fake_slurm.hpp"

namespace hora::horad {
namespace {

TEST(PendingChange, of_a_resize_is_its_size_and_nothing_else) {
    ResizeEntry entry;
    entry.number = 12;
    entry.resize = {.job = 7,
                    .restarts = 3,
                    .from = 2,
                    .to = 4,
                    .sizes = {},
                    .why = "manual resize",
                    .is_manual = true};
    entry.uid = 1000;
    entry.submitted = 100;
    entry.was = shape_with(2);
    entry.wanted = shape_with(4);
    entry.priority = 500;
    entry.raised = 900;
    entry.asked = 100.5;
    const PendingChange wanted{
        .number = 12,
        .job = 7,
        .uid = 1000,
        .submitted = 100,
        .restarts = 3,
        .before = {.shape = shape_with(2), .features = {}, .prefer = {}},
        .given = PendingRequest{.shape = shape_with(4), .features = {}, .prefer = {}},
        .priority = 500,
        .admin_comment = {},
        .resize = SizeChange{.from = 2, .to = 4, .why = "manual resize", .is_manual = true},
        .asked = 100.5};
    EXPECT_EQ(change_of(entry), wanted);
}

TEST(PendingChange, of_a_resize_is_its_batch_where_that_changes) {
    ResizeEntry entry;
    entry.resize.batch = 512;
    entry.next_batch = 512;
    EXPECT_EQ(change_of(entry).before.batch, 0U);
    EXPECT_EQ(change_of(entry).given->batch, 512U);
    entry.resize.batch = 0;
    EXPECT_EQ(change_of(entry).before.batch, std::nullopt);
    EXPECT_EQ(change_of(entry).given->batch, std::nullopt);
}

}  // namespace
}  // namespace hora::horad
