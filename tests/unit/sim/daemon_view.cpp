// Does horad see of a simulated job what it would see of an actual one?
#include "libplanner/sim/daemon_view.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tests/unit/sim/some_trace.hpp"

namespace hora::sim {
namespace {

// One job that has run on 4 GPUs since 100 s, and trains since 110; it is 1000 s.
struct Scene {
    domain::ElasticState state;
    std::vector<ActiveJob> active{1};
    domain::JobTrace trace;
    Setup setup{.nodes = 2, .gpus_per_node = 4, .rescale = Seconds(10), .round = {}};
    Placement placement{setup.nodes, setup.gpus_per_node};

    Scene() {
        domain::TraceJob described = elastic_job(50, 2, 16);
        described.epochs = 100;
        add_job(trace, described, {10});
        state.now = Seconds(1000);
        state.gpus = 8;
        state.jobs.push_back(as_submitted(0, trace.jobs[0], 8));
        job().gpus = 4;
        job().started = job().resized = Seconds(100);
        active[0].left = 100;
        active[0].trains_from = Seconds(110);
        active[0].epoch = Seconds(89);
        active[0].asks = 3;
        active[0].shares = placement.take_even(4);
    }
    domain::ElasticJob& job() { return state.jobs[0]; }
    elastic::Pool view() const { return daemon_view(state, active, trace, setup, placement, 3); }
};

struct Case {
    const char* sentence;
    std::function<void(Scene&)> change;
    const char* stays;
};

const Case cases[] = {
    {"it may be resized", [](Scene&) {}, ""},
    {"the cooldown is not over", [](Scene& scene) { scene.job().resized = Seconds(881); },
     "was started or resized not long ago"},
    {"it is", [](Scene& scene) { scene.job().resized = Seconds(880); }, ""},
    {"it rescales", [](Scene& scene) { scene.active[0].trains_from = Seconds(1000); },
     "has reported no progress since its start"},
    {"it could not be resized", [](Scene& scene) { scene.active[0].rests_until = Seconds(1001); },
     "could not be resized a moment ago"},
    {"a while ago", [](Scene& scene) { scene.active[0].rests_until = Seconds(1000); }, ""},
    {"one that waits has no cooldown",
     [](Scene& scene) {
         scene.job().gpus = 0;
         scene.job().resized = Seconds(999);
     },
     ""},
    {"but may rest",
     [](Scene& scene) {
         scene.job().gpus = 0;
         scene.active[0].rests_until = Seconds(1001);
     },
     "could not be resized a moment ago"},
};

TEST(DaemonView, SaysWhyAJobStays) {
    for (const Case& test : cases) {
        Scene scene;
        test.change(scene);
        EXPECT_EQ(scene.view().jobs.at(0).stays, test.stays) << test.sentence;
    }
}

TEST(DaemonView, ShowsProgressAndRequest) {
    Scene scene;
    elastic::SeenJob seen = scene.view().jobs.at(0);
    EXPECT_EQ(seen.gpus, 4U);
    EXPECT_EQ(seen.asks, 0U) << "it runs";
    EXPECT_EQ(seen.requested, 2U);
    EXPECT_EQ(seen.max, 8U) << "what the cluster has";
    EXPECT_EQ(seen.steps, 100);
    EXPECT_DOUBLE_EQ(seen.steps_done, 10);
    EXPECT_FALSE(seen.time_left);
    scene.job().gpus = 0;
    scene.active[0].left = 70;
    seen = scene.view().jobs.at(0);
    EXPECT_EQ(seen.asks, 3U);
    EXPECT_DOUBLE_EQ(seen.steps_done, 30);
    scene.trace.jobs[0].min = 9;
    EXPECT_EQ(scene.view().jobs.at(0).max, 9U) << "never below its least";
}

TEST(DaemonView, ShowsWhatIsLeftOfATimeLimit) {
    Scene scene;
    scene.trace.jobs[0].limit = Seconds(2000);
    EXPECT_EQ(scene.view().jobs.at(0).time_left, Seconds(100 + 2000 - 1000));
    scene.active[0].trains_from = Seconds(1005);
    EXPECT_EQ(scene.view().jobs.at(0).time_left, Seconds(100 + 2000 - 1005))
        << "the rescale takes of it";
    scene.job().gpus = 0;
    scene.job().started.reset();
    EXPECT_EQ(scene.view().jobs.at(0).time_left, Seconds(2000));
}

TEST(DaemonView, ShowsRigidJobsThatWaitAsOthers) {
    Scene scene;
    add_job(scene.trace, rigid_job(400, 3), {10});
    scene.state.jobs.push_back(as_submitted(1, scene.trace.jobs[1], 8));
    scene.active.emplace_back().job = 1;
    elastic::Pool pool = scene.view();
    EXPECT_EQ(pool.jobs.size(), 1U);
    ASSERT_EQ(pool.others.size(), 1U);
    EXPECT_EQ(pool.others[0].gpus, 3U);
    EXPECT_EQ(pool.others[0].waited, Seconds(600));
    EXPECT_EQ(pool.idle, 4U);
    EXPECT_EQ(pool.gpus_per_node, 4U);
    scene.state.jobs[1].gpus = 3;
    pool = scene.view();
    EXPECT_TRUE(pool.others.empty()) << "it runs, and Hora has no say in it";
    EXPECT_EQ(pool.jobs.size(), 1U);
}

}  // namespace
}  // namespace hora::sim
