#include "plugins/job_submit/decision.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "plugins/slurm/version.hpp"
#include "tests/unit/job_submit/cluster.hpp"

namespace hora::submit {
namespace {

constexpr Moment debian12{.now = 1010, .version = slurm::version_number(22, 5, 8)};

// What Slurm would be asked for: "2 nodes, gres:gpu:4, 8 tasks, titanx", or the remark.
std::string asked(const Verdict& verdict) {
    if (!verdict.decision.has_plan) {
        return verdict.decision.remark;
    }
    const Rewrite& rewrite = verdict.rewrite;
    const auto number = [](const auto& value) {
        return value ? std::to_string(*value) : std::string("-");
    };
    return "N" + number(rewrite.min_nodes) + " n" + number(rewrite.num_tasks) + " t" +
           number(rewrite.ntasks_per_node) + " c" + number(rewrite.cpus_per_task) + " " +
           rewrite.tres_per_node.value_or("-") + " " + rewrite.features.value_or("-") +
           (verdict.decision.waits ? " waits" : "");
}

struct Scene {
    Submission job = batch_job();
    domain::Request request = big_job();
    domain::Snapshot snapshot = small_cluster();

    // One limit, binding the jobs of that QOS, account or user.
    void limit(std::string domain::Allowance::*whose, const char* name,
               domain::Caps domain::Allowance::*kind, domain::Caps caps) {
        domain::Allowance allowance;
        allowance.*whose = name;
        allowance.*kind = caps;
        snapshot.allowances.push_back(allowance);
    }
};

struct Case {
    const char* sentence;
    std::function<void(Scene&)> change;
    const char* asked;
};

void occupy(domain::Snapshot& snapshot, std::uint32_t first, std::uint32_t last) {
    for (domain::Gpu& gpu : snapshot.cluster.gpus) {
        gpu.is_free = gpu.is_free && (gpu.node < first || gpu.node > last);
    }
}

const Case cases[] = {
    {"nothing said: the fastest within the maximum", [](Scene&) {},
     "N2 n8 t4 c2 gres:gpu:4 titanx"},
    {"--hora-gpus bounds the plan", [](Scene& scene) { scene.request.max_gpus = 2; },
     "N1 n2 t2 c2 gres:gpu:2 titanx"},
    {"-N fixes the nodes", [](Scene& scene) { scene.job.min_nodes = scene.job.max_nodes = 4; },
     "N4 n8 t2 c2 gres:gpu:2 titanx"},
    {"-N beyond the site's maximum of GPUs is one GPU a node",
     [](Scene& scene) {
         scene.job.min_nodes = scene.job.max_nodes = 4;
         scene.request.max_gpus = 2;
     },
     "N4 n4 t1 c2 gres:gpu:1 titanx"},
    {"-n counts ranks and so GPUs", [](Scene& scene) { scene.job.tasks = 4; },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
    {"--ntasks-per-node counts the GPUs of a node",
     [](Scene& scene) { scene.job.tasks_per_node = 2; }, "N4 n8 t2 c2 gres:gpu:2 titanx"},
    {"--gpus fixes the sum", [](Scene& scene) { scene.job.gpus.per_job = 2; },
     "N1 n2 t2 c2 gres:gpu:2 titanx"},
    {"--gres fixes the GPUs of a node",
     [](Scene& scene) {
         scene.job.gpus.per_node = 1;
         scene.request.max_gpus = 3;
     },
     "N3 n3 t1 c2 gres:gpu:1 titanx"},
    {"-N and --gres fix it all, beyond --hora-gpus too",
     [](Scene& scene) {
         scene.job.min_nodes = scene.job.max_nodes = 4;
         scene.job.gpus.per_node = 4;
     },
     "N4 n16 t4 c2 gres:gpu:4 titanx"},
    {"one task a node may drive several GPUs",
     [](Scene& scene) {
         scene.job.tasks_per_node = 1;
         scene.job.gpus.per_node = 4;
     },
     "N2 n2 t1 c8 gres:gpu:4 titanx"},
    {"a type of GPU stays and needs no feature",
     [](Scene& scene) {
         scene.job.gpus.type = "k80";
         scene.job.gpus.per_node = 4;
     },
     "N2 n8 t4 c2 gres:gpu:k80:4 -"},
    {"GPUs per task keep their shape and get the type",
     [](Scene& scene) {
         scene.job.gpus.per_task = 1;
         scene.job.tasks = 2;
     },
     "N- n- t- c- - titanx"},
    {"GPUs per socket are left alone", [](Scene& scene) { scene.job.gpus.is_per_socket = true; },
     "GPUs by task or socket are left as they are"},
    {"-C narrows the nodes and is kept", [](Scene& scene) { scene.job.features = "k80"; },
     "N2 n8 t4 c2 gres:gpu:4 -"},
    {"-C with a choice is grouped before the type joins",
     [](Scene& scene) { scene.job.features = "k80|titanx"; },
     "N2 n8 t4 c2 gres:gpu:4 (k80|titanx)&titanx"},
    {"-C with counts is not narrowed here",
     [](Scene& scene) { scene.job.features = "[k80*1&titanx*1]"; },
     "constraint \"[k80*1&titanx*1]\" ties nodes to each other"},
    {"-w is all of its nodes", [](Scene& scene) { scene.job.required_nodes = "n[5-6]"; },
     "N2 n8 t4 c2 gres:gpu:4 -"},
    {"-w with nodes outside the partition", [](Scene& scene) { scene.job.required_nodes = "n9"; },
     "a node of \"n9\" cannot be used"},
    {"-x leaves nodes out", [](Scene& scene) { scene.job.excluded_nodes = "n[1-4]"; },
     "N2 n8 t4 c2 gres:gpu:4 -"},
    {"another partition has other GPUs", [](Scene& scene) { scene.job.partitions = {"q"}; },
     "N2 n8 t4 c2 gres:gpu:4 -"},
    {"an unknown partition is Slurm's to refuse",
     [](Scene& scene) { scene.job.partitions = {"x"}; },
     "the snapshot knows no partition of this job that is up"},
    {"a node that is down lends nothing",
     [](Scene& scene) {
         for (int i = 0; i < 3; ++i) {
             scene.snapshot.states[static_cast<std::size_t>(i)].is_usable = false;
         }
     },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
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
    {"the partition's limit of nodes holds",
     [](Scene& scene) { scene.snapshot.partitions[0].max_nodes = 1; },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
    {"the partition's limit of CPUs a node holds",
     [](Scene& scene) { scene.snapshot.partitions[0].max_cpus_per_node = 2; },
     "N4 n8 t2 c1 gres:gpu:2 titanx"},
    {"the QOS of the user's default holds",
     [](Scene& scene) {
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job,
                     {.gpus = 3, .nodes = {}, .cpus = {}});
     },
     "N1 n3 t3 c2 gres:gpu:3 titanx"},
    {"another QOS does not",
     [](Scene& scene) {
         scene.limit(&domain::Allowance::qos, "big", &domain::Allowance::per_job,
                     {.gpus = 3, .nodes = {}, .cpus = {}});
     },
     "N2 n8 t4 c2 gres:gpu:4 titanx"},
    {"what is left of a group's limit holds",
     [](Scene& scene) {
         scene.limit(&domain::Allowance::account, "lab", &domain::Allowance::left,
                     {.gpus = 2, .nodes = {}, .cpus = {}});
     },
     "N1 n2 t2 c2 gres:gpu:2 titanx"},
    {"the partition's own QOS holds",
     [](Scene& scene) {
         scene.snapshot.partitions[0].qos = "part";
         scene.limit(&domain::Allowance::qos, "part", &domain::Allowance::per_job,
                     {.gpus = 1, .nodes = {}, .cpus = {}});
     },
     "N1 n1 t1 c2 gres:gpu:1 titanx"},
    {"of the same kind of limit the partition's QOS goes before the job's",
     [](Scene& scene) {
         scene.snapshot.partitions[0].qos = "part";
         scene.limit(&domain::Allowance::qos, "part", &domain::Allowance::per_job,
                     {.gpus = 4, .nodes = {}, .cpus = {}});
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job,
                     {.gpus = 2, .nodes = {}, .cpus = {}});
     },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
    {"unless the job's QOS outweighs it",
     [](Scene& scene) {
         scene.snapshot.partitions[0].qos = "part";
         scene.limit(&domain::Allowance::qos, "part", &domain::Allowance::per_job,
                     {.gpus = 4, .nodes = {}, .cpus = {}});
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job,
                     {.gpus = 2, .nodes = {}, .cpus = {}});
         scene.snapshot.allowances.back().outweighs_partition = true;
     },
     "N1 n2 t2 c2 gres:gpu:2 titanx"},
    {"limits of different kinds bind together",
     [](Scene& scene) {
         scene.snapshot.partitions[0].qos = "part";
         scene.limit(&domain::Allowance::qos, "part", &domain::Allowance::per_user,
                     {.gpus = 4, .nodes = {}, .cpus = {}});
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job,
                     {.gpus = 2, .nodes = {}, .cpus = {}});
     },
     "N1 n2 t2 c2 gres:gpu:2 titanx"},
    {"the QOS goes before the association",
     [](Scene& scene) {
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job,
                     {.gpus = 4, .nodes = {}, .cpus = {}});
         scene.limit(&domain::Allowance::account, "lab", &domain::Allowance::per_job,
                     {.gpus = 2, .nodes = {}, .cpus = {}});
     },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
    {"a limit on the GPUs of a node spreads the job",
     [](Scene& scene) {
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_node,
                     {.gpus = 2, .nodes = {}, .cpus = {}});
     },
     "N4 n8 t2 c2 gres:gpu:2 titanx"},
    {"a limit of CPUs lowers the share and then the GPUs",
     [](Scene& scene) {
         scene.limit(&domain::Allowance::user, "ann", &domain::Allowance::per_job,
                     {.gpus = {}, .nodes = {}, .cpus = 4});
     },
     "N1 n4 t4 c1 gres:gpu:4 titanx"},
    {"a limit below what was asked for leaves the job alone",
     [](Scene& scene) {
         scene.request.min_gpus = 4;
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job,
                     {.gpus = 2, .nodes = {}, .cpus = {}});
     },
     "QOS \"normal\" leaves 2 GPUs, the job needs at least 4"},
    {"a reservation under way keeps others off",
     [](Scene& scene) {
         scene.snapshot.reservations.push_back(
             {.name = "r", .nodes = {0, 1, 2, 3}, .starts = 0, .ends = 9999});
     },
     "N2 n8 t4 c2 gres:gpu:4 -"},
    {"a job in the reservation gets its nodes only",
     [](Scene& scene) {
         scene.job.reservation = "r";
         scene.snapshot.reservations.push_back(
             {.name = "r", .nodes = {4}, .starts = 0, .ends = 9999});
     },
     "N1 n4 t4 c2 gres:gpu:4 -"},
    {"a reservation that is over holds nobody",
     [](Scene& scene) {
         scene.snapshot.reservations.push_back(
             {.name = "r", .nodes = {0, 1, 2, 3}, .starts = 0, .ends = 1005});
     },
     "N2 n8 t4 c2 gres:gpu:4 titanx"},
    {"a job that may last into a reservation keeps off it",
     [](Scene& scene) {
         scene.job.time_limit = Seconds(600);
         scene.snapshot.reservations.push_back(
             {.name = "r", .nodes = {0, 1, 2, 3}, .starts = 1500, .ends = 9999});
     },
     "N2 n8 t4 c2 gres:gpu:4 -"},
    {"a job without a time limit keeps off every reservation to come",
     [](Scene& scene) {
         scene.snapshot.reservations.push_back(
             {.name = "r", .nodes = {0, 1, 2, 3}, .starts = 99999, .ends = 999999});
     },
     "N2 n8 t4 c2 gres:gpu:4 -"},
    {"more memory than a node has", [](Scene& scene) { scene.job.memory_per_node = 2000; },
     "no usable node of partition \"p\" is left"},
    {"memory by CPU bounds the CPUs", [](Scene& scene) { scene.job.memory_per_cpu = 250; },
     "N2 n8 t4 c1 gres:gpu:4 titanx"},
    {"other TRES of a node stay",
     [](Scene& scene) {
         scene.job.other_tres_per_node = "gres:nvme:1";
         scene.request.max_gpus = 1;
     },
     "N1 n1 t1 c2 gres:gpu:1,gres:nvme:1 titanx"},
    {"without features the type is asked for by name",
     [](Scene& scene) {
         for (auto& state : scene.snapshot.states) {
             state.features.clear();
         }
         scene.request.max_gpus = 1;
     },
     "N1 n1 t1 c2 gres:gpu:titanx:1 -"},
    {"srun has fixed its tasks",
     [](Scene& scene) {
         scene.job.is_batch = false;
         scene.job.tasks = 2;
     },
     "N1 n- t2 c- gres:gpu:2 titanx"},
};

TEST(Decision, RespectsWhatIsSaidAndWhatIsLeft) {
    for (const Case& test : cases) {
        Scene scene;
        test.change(scene);
        EXPECT_EQ(asked(decide(scene.job, scene.request, scene.snapshot, debian12)), test.asked)
            << test.sentence;
    }
}

TEST(Decision, SpellsGpusAsTheReleaseDoes) {
    const Moment newer{.now = 1010, .version = slurm::version_number(23, 11)};
    const Verdict verdict = decide(batch_job(), big_job(), small_cluster(), newer);
    EXPECT_EQ(verdict.rewrite.tres_per_node, "gres/gpu:4");
}

TEST(Decision, MentionsTheBiggerPlanThatIsNotFree) {
    domain::Snapshot snapshot = small_cluster();
    occupy(snapshot, 1, 5);
    const Verdict verdict = decide(batch_job(), big_job(), snapshot, debian12);
    ASSERT_TRUE(verdict.decision.has_plan);
    EXPECT_EQ(verdict.decision.gpus, 4U);
    ASSERT_FALSE(verdict.decision.rejected.empty());
    EXPECT_EQ(verdict.decision.rejected.front().gpus, 8U);
}

TEST(Decision, KeepsPreferBesideTheType) {
    Submission job = batch_job();
    job.prefer = "gpu";
    const Verdict verdict = decide(job, big_job(), small_cluster(), debian12);
    EXPECT_EQ(verdict.rewrite.features, "titanx");
    EXPECT_EQ(verdict.rewrite.prefer, "titanx&gpu");
}

TEST(Decision, WarnsOfATimeLimitBelowThePrediction) {
    Submission job = batch_job();
    job.time_limit = Seconds(60);
    domain::Request request = big_job();
    request.epochs = 100'000;
    const Verdict verdict = decide(job, request, small_cluster(), debian12);
    EXPECT_TRUE(verdict.decision.remark.starts_with("the time limit of 1 min ends it before"));
}

TEST(Decision, EmptiesTheClientsViewAndTellsTheScript) {
    const Verdict verdict = decide(batch_job(), big_job(), small_cluster(), debian12);
    const std::vector<std::string> unset{"SLURM_NTASKS", "SLURM_NPROCS", "SLURM_NTASKS_PER_NODE"};
    EXPECT_EQ(verdict.rewrite.unset, unset);
    const std::vector<std::pair<std::string, std::string>> set{{"SLURM_CPUS_PER_TASK", "2"},
                                                               {"SRUN_CPUS_PER_TASK", "2"},
                                                               {"HORA_MODE", "sync"},
                                                               {"HORA_BATCH", "64"}};
    EXPECT_EQ(verdict.rewrite.set, set);
}

}  // namespace
}  // namespace hora::submit
