// What is a job's time limit worth, and how much of it is left?
#include "scripts/horad/elastic/limit_rule.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <vector>

#include "scripts/horad/journal/granted_limit.hpp"

namespace hora::horad {
namespace {

constexpr std::int64_t now = 100'000;

// A job of an hour, planned on 4 GPUs, which has had 2 of partition p for 1000 seconds.
struct Scene {
    std::shared_ptr<JobMemory> memory = std::make_shared<JobMemory>();
    domain::Snapshot cluster;
    ObservedJob job;
    std::optional<JobPast> past;
    bool by_clock = false;

    Scene() {
        memory->decision.operating = "act";
        memory->decision.has_plan = true;
        memory->decision.gpus = 4;
        cluster.cluster.nodes.resize(2);
        cluster.states.resize(2);
        domain::Partition partition;
        partition.name = "p";
        partition.nodes = {0, 1};
        cluster.partitions = {partition};
        job.partition = "p";
        job.state = slurm::JobState::running;
        job.gpus = 2;
        job.started = now - 1000;
        job.began = now - 1000;
        job.time_limit = Seconds(3600);
    }

    Observation seen() const {
        Observation made;
        made.now = now;
        made.cluster = std::make_shared<const domain::Snapshot>(cluster);
        return made;
    }
    read::Settings settings() const {
        read::Settings made;
        EXPECT_TRUE(made.set("elastic.limits", by_clock ? "clock" : "gpu-time",
                             read::Origin::command_line, ""));
        EXPECT_TRUE(made.set("requeue.max_time", "10000 s", read::Origin::command_line, ""));
        return made;
    }
    LimitRule rule() {
        job.memory = memory;
        return limit_rule_of(job, seen(), settings());
    }
    elastic::SeenJob shown() {
        job.memory = memory;
        elastic::SeenJob made;
        put_time_left(made, job, past ? &*past : nullptr, seen(), settings());
        return made;
    }
};

TEST(LimitRule, KnowsWhatTheRequestByItselfWouldHold) {
    const struct {
        const char* sentence;
        const char* operating;
        bool has_plan;
        std::uint32_t planned;
        std::uint32_t if_idle;
        std::optional<domain::GpuRange> range;
        std::uint32_t gpus;
    } cases[] = {
        {"what its plan has", "act", true, 4, 0, {}, 4},
        {"what it holds, without a plan", "act", false, 0, 0, {}, 2},
        {"or where that is only advised", "advise", true, 4, 8, {}, 2},
        {"or what Hora observes", "observe", true, 4, 8, {}, 2},
        {"more, had it waited", "act", true, 4, 8, {}, 8},
        {"no more than its range", "act", true, 4, 8, domain::GpuRange{.min = 1, .max = 6}, 6},
        {"no less than its plan", "act", true, 4, 8, domain::GpuRange{.min = 1, .max = 2}, 4},
        {"nor where it would have had fewer", "act", true, 4, 2, {}, 4},
    };
    for (const auto& row : cases) {
        Scene scene;
        scene.memory->decision.operating = row.operating;
        scene.memory->decision.has_plan = row.has_plan;
        scene.memory->decision.gpus = row.planned;
        scene.memory->decision.gpus_if_idle = row.if_idle;
        scene.memory->options.gpus = row.range;
        scene.job.memory = scene.memory;
        EXPECT_EQ(own_gpus(scene.job), row.gpus) << row.sentence;
    }
}

TEST(LimitRule, GoesByTheSettingAndByWhatSlurmTakes) {
    const struct {
        const char* sentence;
        void (*change)(Scene& scene);
        LimitRule rule;
    } cases[] = {
        {"in GPU-time", [](Scene&) {}, {true, 4, Seconds(0)}},
        {"by the clock", [](Scene& scene) { scene.by_clock = true; }, {true, 0, Seconds(0)}},
        {"a job that requeues itself has it again",
         [](Scene& scene) { scene.memory->options.requeues = true; },
         {false, 0, Seconds(0)}},
        {"no longer than its partition's",
         [](Scene& scene) { scene.cluster.partitions[0].max_time = Seconds(7200); },
         {true, 4, Seconds(7200)}},
        {"done ten minutes before a reservation begins",
         [](Scene& scene) {
             scene.cluster.reservations = {{"a", {1}, now + 5000, now + 9000}};
         },
         {true, 4, Seconds(4400)}},
        {"the shorter of both",
         [](Scene& scene) {
             scene.cluster.partitions[0].max_time = Seconds(3000);
             scene.cluster.reservations = {{"a", {1}, now + 5000, now + 9000}};
         },
         {true, 4, Seconds(3000)}},
        {"whichever that is",
         [](Scene& scene) {
             scene.cluster.partitions[0].max_time = Seconds(9000);
             scene.cluster.reservations = {{"a", {1}, now + 5000, now + 9000}};
         },
         {true, 4, Seconds(4400)}},
        {"one that begins before a restart is over",
         [](Scene& scene) {
             scene.cluster.reservations = {{"a", {1}, now + 60, now + 9000}};
         },
         {true, 4, Seconds(1)}},
        {"by the clock none of that matters",
         [](Scene& scene) {
             scene.by_clock = true;
             scene.cluster.partitions[0].max_time = Seconds(3000);
         },
         {true, 0, Seconds(0)}},
        {"a partition that is not known",
         [](Scene& scene) { scene.job.partition = "q"; },
         {true, 4, Seconds(0)}},
    };
    for (const auto& row : cases) {
        Scene scene;
        row.change(scene);
        const LimitRule rule = scene.rule();
        EXPECT_EQ(rule.is_lowered, row.rule.is_lowered) << row.sentence;
        EXPECT_EQ(rule.stated_for, row.rule.stated_for) << row.sentence;
        EXPECT_EQ(rule.longest, row.rule.longest) << row.sentence;
    }
}

TEST(LimitRule, LeavesWhatTheStartHasNotRun) {
    const struct {
        const char* sentence;
        void (*change)(Scene& scene);
        std::optional<double> left;
        std::optional<double> in_gpu_time;  // on its 4 GPUs
    } cases[] = {
        {"1000 seconds on half of its GPUs", [](Scene&) {}, 2600, 1300},
        {"on all of them", [](Scene& scene) { scene.job.gpus = 4; }, 2600, 2600},
        {"on more than these", [](Scene& scene) { scene.job.gpus = 8; }, 2600, 2600},
        {"by the clock", [](Scene& scene) { scene.by_clock = true; }, 2600, {}},
        {"it has none", [](Scene& scene) { scene.job.time_limit.reset(); }, {}, {}},
        {"it waits",
         [](Scene& scene) {
             scene.job.state = slurm::JobState::pending;
             scene.job.started = now + 50;
             scene.job.began = 0;
         },
         3600, 1800},
        {"its run is cleaned up", [](Scene& scene) { scene.job.is_completing = true; }, 3600, 1800},
        {"it was suspended for 700 seconds, which Slurm does not count",
         [](Scene& scene) { scene.job.began = now - 300; }, 3300, 1650},
        {"it is suspended, after 300 seconds",
         [](Scene& scene) {
             scene.job.state = slurm::JobState::suspended;
             scene.job.began = 0;
             scene.job.ran = 300;
         },
         3300, 1650},
        {"its time is over, and Slurm has not ended it yet",
         [](Scene& scene) { scene.job.began = scene.job.started = now - 3700; }, -100, -50},
        {"its limit is worth more than it says, by horad's word",
         [](Scene& scene) {
             scene.job.admin_comment =
                 with_granted("", {.limit = Seconds(3600), .own = Seconds(3000)});
         },
         2600, 2500},
        {"and somebody has set another since",
         [](Scene& scene) {
             scene.job.admin_comment =
                 with_granted("", {.limit = Seconds(1800), .own = Seconds(3000)});
         },
         2600, 1300},
    };
    for (const auto& row : cases) {
        Scene scene;
        row.change(scene);
        const elastic::SeenJob shown = scene.shown();
        ASSERT_EQ(shown.time_left.has_value(), row.left.has_value()) << row.sentence;
        ASSERT_EQ(shown.gpu_time.has_value(), row.in_gpu_time.has_value()) << row.sentence;
        if (row.left) {
            EXPECT_EQ(*shown.time_left, Seconds(*row.left)) << row.sentence;
        }
        if (row.in_gpu_time) {
            EXPECT_EQ(shown.gpu_time->left, Seconds(*row.in_gpu_time)) << row.sentence;
            EXPECT_EQ(shown.gpu_time->gpus, 4U) << row.sentence;
            EXPECT_EQ(shown.gpu_time->longest, domain::GpuTime().longest) << row.sentence;
        }
    }
    Scene scene;
    scene.cluster.partitions[0].max_time = Seconds(7200);
    EXPECT_EQ(scene.shown().gpu_time->longest, Seconds(7200));
}

TEST(LimitRule, OfAJobThatRequeuesItselfGoesOnForAllItsStarts) {
    const struct {
        const char* sentence;
        std::optional<std::int64_t> first;  // seconds ago
        double left;
    } cases[] = {
        {"not seen to run", {}, 10000},
        {"it began just now", 0, 10000},
        {"some starts ago", 4000, 6000},
        {"what its start has left is its own still", 9000, 2600},
        {"beyond all its time too", 99000, 2600},
    };
    for (const auto& row : cases) {
        Scene scene;
        scene.memory->options.requeues = true;
        if (row.first) {
            scene.past = JobPast();
            scene.past->first_started = now - *row.first;
        }
        const elastic::SeenJob shown = scene.shown();
        EXPECT_EQ(shown.time_left, Seconds(row.left)) << row.sentence;
        EXPECT_FALSE(shown.gpu_time) << row.sentence;
    }
}

}  // namespace
}  // namespace hora::horad
