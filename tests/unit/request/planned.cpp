#include "libplanner/request/planned.hpp"

#include <gmock/gmock.h>

#include "libplanner/cost/memory.hpp"
#include "libplanner/report/jobs/notice.hpp"
#include "libplanner/request/without_plan.hpp"
#include "tests/unit/request/scene.hpp"

namespace hora::request {
namespace {

const Case cases[] = {
    {"busy GPUs are not counted on", [](Scene& scene) { occupy(scene.snapshot, 0, 2); },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
    {"with all GPUs busy the job queues for the best plan",
     [](Scene& scene) { occupy(scene.snapshot, 0, 5); }, "N2 n8 t4 c2 gres:gpu:4 titanx waits"},
    {"with fewer free than asked for it queues as well",
     [](Scene& scene) {
         occupy(scene.snapshot, 1, 5);
         scene.request.min_gpus = 8;
     },
     "N2 n8 t4 c2 gres:gpu:4 titanx waits"},
    {"--exclusive takes whole nodes",
     [](Scene& scene) {
         scene.job.is_exclusive = true;
         scene.request.max_gpus = 2;
     },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
    {"--exclusive waits for idle nodes",
     [](Scene& scene) {
         scene.job.is_exclusive = true;
         for (auto& state : scene.snapshot.states) {
             state.free_cpus = 7;
         }
     },
     "N2 n8 t4 c2 gres:gpu:4 titanx waits"},
    {"-c takes its CPUs with each GPU", [](Scene& scene) { scene.job.cpus_per_task = 4; },
     "N4 n8 t2 c- gres:gpu:2 titanx"},
    {"few free CPUs lower the share",
     [](Scene& scene) {
         for (auto& state : scene.snapshot.states) {
             state.free_cpus = 4;
         }
     },
     "N2 n8 t4 c1 gres:gpu:4 titanx"},
    {"the partition's limit of CPUs a node holds",
     [](Scene& scene) { scene.snapshot.partitions[0].max_cpus_per_node = 2; },
     "N4 n8 t2 c1 gres:gpu:2 titanx"},
};

TEST(Decision, PrefersWhatIsFreeToWhatMustBeWaitedFor) {
    expect_asked(cases);
}

TEST(Decision, MentionsTheBiggerPlanThatIsNotFree) {
    domain::Snapshot snapshot = small_cluster();
    occupy(snapshot, 1, 5);
    const Planned planned = plan_request(batch_job(), big_job(), snapshot, debian12);
    ASSERT_TRUE(planned.decision.has_plan);
    EXPECT_EQ(planned.decision.gpus, 4U);
    ASSERT_FALSE(planned.decision.rejected.empty());
    EXPECT_EQ(planned.decision.rejected.front().gpus, 8U);
    EXPECT_EQ(planned.decision.gpus_if_idle, 8U);
    const Planned alone = plan_request(batch_job(), big_job(), small_cluster(), debian12);
    EXPECT_EQ(alone.decision.gpus, 8U);
    EXPECT_EQ(alone.decision.gpus_if_idle, 0U);
}

// Eight GPUs, of which each type holds `titanx` and `k80` times what a share needs.
struct Tight {
    domain::Request request = big_job();
    domain::Snapshot snapshot = small_cluster();

    Tight(double titanx, double k80) {
        request.min_gpus = request.max_gpus = 8;
        const Bytes needed = cost::memory_needed(request.workload, 8, request.cost);
        snapshot.cluster.devices[0].memory = needed * titanx;
        snapshot.cluster.devices[1].memory = needed * k80;
    }
    Planned planned() const { return plan_request(batch_job(), request, snapshot, debian12); }
};

TEST(Decision, WarnsOfMemoryNearItsEnd) {
    EXPECT_EQ(Tight(1.5, 1.5).planned().decision.remark, "");
    EXPECT_THAT(Tight(1.1, 1.1).planned().decision.remark,
                testing::HasSubstr("(+-30 %): may run out of memory"));
    EXPECT_THAT(Tight(0.8, 0.8).planned().decision.remark,
                testing::HasSubstr("(+-30 %): is likely to run out of memory"));
    EXPECT_FALSE(Tight(0.7, 0.7).planned().decision.has_plan);
}

TEST(Decision, SaysWhichTypeLacksTheFormat) {
    domain::Request request = big_job();
    request.workload.data_type = domain::DataType::bf16;
    const domain::Decision decision =
        plan_request(batch_job(), request, small_cluster(), debian12).decision;
    EXPECT_TRUE(decision.has_plan);
    EXPECT_THAT(decision.remark, testing::HasSubstr("has no bf16: computed in fp32"));
    request.workload.data_type = domain::DataType::fp8;
    EXPECT_FALSE(plan_request(batch_job(), request, small_cluster(), debian12).decision.has_plan);
}

TEST(Decision, TakesGpusThatHoldAShareBeforeFasterOnes) {
    const domain::Decision decision = Tight(0.9, 2).planned().decision;
    EXPECT_EQ(types_of(decision), "k80");
    EXPECT_EQ(decision.remark, "");
}

TEST(Decision, WaitsForGpusThatHoldAShareRatherThanStartOnOthers) {
    Tight tight(2, 0.9);
    occupy(tight.snapshot, 0, 3);
    const domain::Decision decision = tight.planned().decision;
    EXPECT_TRUE(decision.waits);
    EXPECT_EQ(types_of(decision), "titanx");
    tight.snapshot.cluster.devices[0].memory = tight.snapshot.cluster.devices[1].memory;
    EXPECT_EQ(types_of(tight.planned().decision), "k80") << "nothing to wait for";
}

TEST(Decision, SaysOfWhichGpusThereAreTooFew) {
    domain::Request request = big_job();
    request.min_gpus = request.max_gpus = 100;
    const Planned planned = plan_request(batch_job(), request, small_cluster(), debian12);
    ASSERT_FALSE(planned.decision.has_plan);
    EXPECT_EQ(why_no_plan(planned.decision),
              "no plan fits in partition \"p\": 16 x titanx: only 16 of 16 free, 100 wanted");
}

TEST(Decision, WarnsOfATimeLimitBelowThePrediction) {
    Submission job = batch_job();
    job.time_limit = Seconds(60);
    domain::Request request = big_job();
    request.epochs = 100'000;
    const Planned planned = plan_request(job, request, small_cluster(), debian12);
    EXPECT_TRUE(planned.decision.remark.starts_with("the time limit of 1 min ends it before"));
}

// Two million multiply-adds a byte: nothing but computation.
TEST(Decision, CorrectsThePredictionByTheOwnersRuns) {
    domain::Snapshot snapshot = small_cluster();
    domain::Request request = big_job();
    request.model = "resnet50";
    const Planned before = plan_request(batch_job(), request, snapshot, debian12);
    snapshot.measured = {{.uid = 1000,
                          .model = "resnet50",
                          .device = "titanx",
                          .gpus = 8,
                          .nodes = 2,
                          .exchange_share = 0,
                          .ratio = 1.5,
                          .runs = 3,
                          .users = 1}};
    const Planned after = plan_request(batch_job(), request, snapshot, debian12);
    EXPECT_FALSE(before.decision.correction);
    ASSERT_TRUE(after.decision.correction);
    EXPECT_EQ(after.decision.correction->runs, 3U);
    EXPECT_NEAR(after.decision.breakdown.compute / before.decision.breakdown.compute,
                after.decision.correction->compute, 1e-9);
    Submission others = batch_job();
    others.uid = 1001;
    const Planned other = plan_request(others, request, snapshot, debian12);
    EXPECT_FALSE(other.decision.correction);
    EXPECT_EQ(other.decision.step_seconds, before.decision.step_seconds);
}

// What was measured has waited already.
TEST(Decision, TellsWhatTheOwnersRunsWaitedForLateRanksAndCountsItOnce) {
    domain::Snapshot snapshot = small_cluster();
    domain::Request request = big_job();
    request.model = "resnet50";
    snapshot.measured = {{.uid = 1000,
                          .model = "resnet50",
                          .device = "titanx",
                          .gpus = 8,
                          .nodes = 2,
                          .exchange_share = 0.25,
                          .ratio = 1.5,
                          .runs = 3,
                          .users = 1}};
    const Planned before = plan_request(batch_job(), request, snapshot, debian12);
    snapshot.measured[0].late = 0.25;
    const Planned after = plan_request(batch_job(), request, snapshot, debian12);
    EXPECT_FALSE(before.decision.lateness);
    ASSERT_TRUE(after.decision.lateness);
    EXPECT_EQ(after.decision.lateness->waiting, 0.25 * after.decision.step_seconds);
    EXPECT_EQ(after.decision.step_seconds, before.decision.step_seconds);
    EXPECT_EQ(after.decision.gpus, before.decision.gpus);
    Submission others = batch_job();
    others.uid = 1001;
    EXPECT_FALSE(plan_request(others, request, snapshot, debian12).decision.lateness);
}

}  // namespace
}  // namespace hora::request
