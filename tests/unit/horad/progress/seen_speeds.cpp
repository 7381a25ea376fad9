// Is a curve fitted anew where something that it is fitted to has changed, and only there?
#include "scripts/horad/progress/seen_speeds.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "libplanner/elastic/speed/speed_prior.hpp"

namespace hora::horad {
namespace {

std::shared_ptr<const JobMemory> memory_of_plan(double compute) {
    JobMemory memory;
    memory.decision.has_plan = true;
    memory.decision.gpus = 2;
    memory.decision.breakdown.compute = Seconds(compute);
    memory.decision.breakdown.exchange = Seconds(0.1);
    return std::make_shared<const JobMemory>(memory);
}

struct Asked {
    ObservedJob job;
    std::string pool = "t4 of main";
    std::uint32_t most = 8;
    std::uint32_t gpus_per_node = 4;
    std::optional<elastic::BatchRange> batches{};
    std::vector<elastic::SpeedPoint> points{{.gpus = 2, .nodes = 1, .step = Seconds(3)}};

    Asked() {
        job.id = 7;
        job.memory = memory_of_plan(1);
    }

    std::shared_ptr<const elastic::SpeedCurve> of(SeenSpeeds& speeds) const {
        return speeds.of(job, {.pool = pool,
                               .most = most,
                               .gpus_per_node = gpus_per_node,
                               .batches = batches,
                               .points = points});
    }

    std::vector<Seconds> fitted() const {
        return elastic::seen_speed(job.memory->decision, most, gpus_per_node, points, {}, {},
                                   batches)
            .step;
    }
};

TEST(SeenSpeeds, AreFittedAnewWhereSomethingHasChanged) {
    const struct {
        const char* name;
        std::function<void(Asked&)> change;
    } cases[] = {
        {"the plan", [](Asked& asked) { asked.job.memory = memory_of_plan(5); }},
        {"the sizes", [](Asked& asked) { asked.most = 9; }},
        {"the nodes", [](Asked& asked) { asked.gpus_per_node = 1; }},
        {"the pool", [](Asked& asked) { asked.pool = "t4 of debug"; }},
        {"another size was timed",
         [](Asked& asked) { asked.points.push_back({.gpus = 4, .nodes = 1, .step = Seconds(2)}); }},
        {"steps became slower", [](Asked& asked) { asked.points.front().step = Seconds(4); }},
        {"the noise scale",
         [](Asked& asked) {
             asked.batches = elastic::BatchRange{64, 512, 900};
         }},
        {"more steps were timed", [](Asked& asked) { asked.points.front().steps = 50; }},
    };
    for (const auto& [name, change] : cases) {
        SCOPED_TRACE(name);
        SeenSpeeds speeds;
        Asked asked;
        const auto before = asked.of(speeds);
        EXPECT_EQ(before->step, asked.fitted());
        EXPECT_EQ(asked.of(speeds), before);
        change(asked);
        const auto after = asked.of(speeds);
        EXPECT_NE(after, before);
        EXPECT_EQ(after->step, asked.fitted());
        EXPECT_EQ(asked.of(speeds), after);
    }
}

TEST(SeenSpeeds, AreOfOneJob) {
    SeenSpeeds speeds;
    Asked one;
    Asked other;
    other.job.id = 8;
    other.points.clear();
    const auto curve = one.of(speeds);
    EXPECT_EQ(other.of(speeds)->step, other.fitted());
    EXPECT_EQ(one.of(speeds), curve);
    speeds.forget_gone({.now = 0, .jobs = {one.job}, .cluster = nullptr});
    EXPECT_EQ(one.of(speeds), curve);
    speeds.forget_gone({.now = 0, .jobs = {other.job}, .cluster = nullptr});
    EXPECT_NE(one.of(speeds), curve);
}

// Of a plan on two nodes of four GPUs, and what its exchange took there.
Asked spread(std::uint32_t id, double slow_down) {
    Asked asked;
    asked.job.id = id;
    asked.points.clear();
    JobMemory memory = *asked.job.memory;
    memory.decision.gpus = 8;
    memory.decision.nodes = 2;
    asked.job.memory = std::make_shared<const JobMemory>(memory);
    for (const std::uint32_t gpus : {1U, 2U, 4U, 8U}) {
        const double exchange = gpus > 4 ? 0.1 * slow_down : 0;
        asked.points.push_back({.gpus = gpus,
                                .nodes = gpus > 4 ? 2U : 1U,
                                .step = Seconds(8.0 / gpus + exchange),
                                .steps = 1000});
    }
    return asked;
}

TEST(SeenSpeeds, ExpectOfNodesWhatOtherJobsOfThePoolHaveShown) {
    Asked other = spread(8, 1);
    other.points.resize(1);
    Asked apart = other;
    apart.job.id = 9;
    apart.pool = "t4 of debug";
    for (const double slow_down : {1.0, 8.0}) {
        SeenSpeeds speeds;
        const Asked one = spread(7, slow_down);
        const auto own = one.of(speeds);
        ASSERT_TRUE(own->shown_slow_down);
        const auto before = other.of(speeds);
        const auto apart_before = apart.of(speeds);
        speeds.share_slow_downs();
        const auto after = other.of(speeds);
        EXPECT_EQ(one.of(speeds), own) << "a job is no witness of its own";
        EXPECT_EQ(apart.of(speeds), apart_before);
        EXPECT_EQ(after->step[0], before->step[0]);
        EXPECT_EQ(after->step[7] > before->step[7], slow_down > 2) << slow_down;
        speeds.share_slow_downs();
        EXPECT_EQ(other.of(speeds), after) << "nothing new was shown";
    }
}

TEST(SeenSpeeds, RememberWhatJobsThatHaveEndedHaveShown) {
    Asked other = spread(8, 1);
    other.points.resize(1);
    for (const bool is_named : {true, false}) {
        SeenSpeeds speeds;
        Asked one = spread(7, 8);
        if (is_named) {
            JobMemory memory = *one.job.memory;
            memory.options.model = "resnet50";
            one.job.memory = std::make_shared<const JobMemory>(memory);
        }
        const auto before = other.of(speeds);
        one.of(speeds);
        speeds.share_slow_downs();
        speeds.forget_gone({.now = 0, .jobs = {other.job}, .cluster = nullptr});
        speeds.share_slow_downs();
        EXPECT_EQ(other.of(speeds)->step[7] > before->step[7], is_named);
    }
}

}  // namespace
}  // namespace hora::horad
