// Does a job that waits get its size whole, or keep its own?
#include "scripts/horad/resize/pending_step.hpp"

#include <gtest/gtest.h>

#include "tests/unit/horad/resize/one_step.hpp"

namespace hora::horad {
namespace {

struct PendingJob : OneStep {
    PendingJob() {
        slurm.waits();
        entry.was_pending = true;
        enter(ResizeState::updating_request);
    }
};

TEST(PendingStep, asks_for_the_new_size_and_keeps_the_priority) {
    PendingJob look;
    const ResizeStep next = look.step();
    EXPECT_EQ(next.act, Act::change);
    slurm::JobChange wanted;
    wanted.shape = shape_with(4);
    wanted.seen = slurm::SeenRequest{.shape = shape_with(2), .features = {}, .prefer = {}};
    EXPECT_EQ(next.change, wanted) << "unless its owner changes it meanwhile";
    EXPECT_EQ(next.entry.tries, 1U);
    EXPECT_EQ(next.entry.priority, FakeSlurm::own_priority);
    EXPECT_EQ(next.ending, Ending::pending);
    look.entry.priority = 77;
    EXPECT_EQ(look.step().entry.priority, 77U) << "as it was before the first try";
}

TEST(PendingStep, knows_what_came_of_a_change) {
    struct Case {
        const char* name;
        void (*change)(PendingJob& look);
        std::optional<Ending> ending;
        std::optional<std::uint32_t> asks_for;  // GPUs; empty: no change
    };
    const auto at = [](PendingJob& look, std::uint32_t gpus, std::uint32_t tries) {
        look.slurm.job().shape = shape_with(gpus);
        look.entry.tries = tries;
    };
    static const auto set = at;
    const Case cases[] = {
        {"it asks for that already", [](PendingJob& look) { set(look, 4, 0); }, Ending::pending,
         std::nullopt},
        {"a part of it may be missing", [](PendingJob& look) { set(look, 4, 1); }, Ending::pending,
         4},
        {"Slurm refuses it", [](PendingJob& look) { set(look, 2, 3); }, Ending::refused,
         std::nullopt},
        {"refused a few times", [](PendingJob& look) { set(look, 2, 2); }, Ending::pending, 4},
        {"Slurm takes a part and no more", [](PendingJob& look) { set(look, 4, 3); },
         Ending::refused, 2},
        {"and does not take that back", [](PendingJob& look) { set(look, 4, 6); }, Ending::refused,
         std::nullopt},
        {"somebody has changed it", [](PendingJob& look) { set(look, 3, 1); }, Ending::changed,
         std::nullopt},
        {"tasks a node are on their way",
         [](PendingJob& look) {
             set(look, 2, 1);
             look.slurm.job().shape.tasks_per_node = 4;
         },
         Ending::pending, 4},
        {"slurmctld has stopped it",
         [](PendingJob& look) {
             set(look, 4, 1);
             look.slurm.job().hold = slurm::Hold::impossible;
         },
         Ending::pending, std::nullopt},
    };
    for (const Case& each : cases) {
        PendingJob look;
        look.waiting.refusal = "not this size";
        each.change(look);
        const ResizeStep next = look.step();
        EXPECT_EQ(next.ending, each.ending) << each.name;
        EXPECT_EQ(next.act, each.asks_for ? Act::change : Act::none) << each.name;
        EXPECT_EQ(next.change.shape,
                  each.asks_for ? std::optional(shape_with(*each.asks_for)) : std::nullopt)
            << each.name;
        if (each.ending == Ending::refused) {
            EXPECT_NE(next.remark.find("not this size"), std::string::npos) << next.remark;
        }
    }
}

TEST(PendingStep, gives_a_batch_with_the_size) {
    PendingJob look;
    look.slurm.job().admin_comment = "mine";
    look.entry.resize.batch = look.entry.next_batch = 512;
    ResizeStep next = look.step();
    EXPECT_EQ(next.change.shape, shape_with(4));
    EXPECT_EQ(next.change.admin_comment, "mine hora-batch=512");
    look.entry.tries = 1;
    look.slurm.job().shape = shape_with(4);
    next = look.step();
    EXPECT_EQ(next.act, Act::change) << "a part is missing";
    EXPECT_EQ(next.change.admin_comment, "mine hora-batch=512");
    look.entry.tries = 3;
    look.slurm.job().admin_comment = "mine hora-batch=512";
    next = look.step();
    EXPECT_EQ(next.ending, Ending::refused);
    EXPECT_EQ(next.change.shape, shape_with(2));
    EXPECT_EQ(next.change.admin_comment, "mine") << "Slurm takes a part and no more";
}

TEST(PendingStep, changes_a_batch_alone) {
    PendingJob look;
    look.entry.resize.batch = look.entry.next_batch = 512;
    look.slurm.job().shape = shape_with(4);
    EXPECT_EQ(look.step().change.admin_comment, "hora-batch=512");
    look.slurm.job().admin_comment = "hora-batch=512";
    EXPECT_EQ(look.step().act, Act::none);
    EXPECT_EQ(look.step().ending, Ending::pending);
}

TEST(PendingStep, knows_at_which_size_a_job_has_started_meanwhile) {
    for (const std::uint32_t gpus : {2U, 4U}) {
        PendingJob look;
        look.slurm.job().state = slurm::JobState::running;
        look.slurm.job().gpus = gpus;
        const ResizeStep next = look.step();
        EXPECT_EQ(next.ending, gpus == 4 ? Ending::pending : Ending::refused);
        EXPECT_EQ(next.act, Act::none);
    }
}

}  // namespace
}  // namespace hora::horad
