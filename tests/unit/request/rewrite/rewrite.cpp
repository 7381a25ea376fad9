#include "libplanner/request/rewrite/rewrite.hpp"

#include "tests/unit/request/scene.hpp"

namespace hora::request {
namespace {

// The last two GPUs of a node are of the other type.
void mix_types(Scene& scene, std::uint32_t node) {
    for (domain::Gpu& gpu : scene.snapshot.cluster.gpus) {
        gpu.device = gpu.node == node && gpu.index >= 2 ? 1 - gpu.device : gpu.device;
    }
    scene.snapshot.alike = read::alike_nodes(scene.snapshot.cluster);
    scene.request.max_gpus = 2;
}

const Case cases[] = {
    {"a type of GPU stays and needs no feature",
     [](Scene& scene) {
         scene.job.gpus.type = "k80";
         scene.job.gpus.per_node = 4;
     },
     "N1 n4 t4 c2 gres:gpu:k80:4 -"},
    {"GPUs per task keep their shape and get the type",
     [](Scene& scene) {
         scene.job.gpus.per_task = 1;
         scene.job.tasks = 2;
     },
     "N- n- t- c- - titanx"},
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
    {"the type stands behind a constraint with parentheses",
     [](Scene& scene) {
         scene.job.features = "(titanx|k80)&gpu";
         scene.request.max_gpus = 1;
     },
     "N1 n1 t1 c2 gres:gpu:1 (titanx|k80)&gpu&titanx"},
    {"a constraint that Slurm reads from left to right",
     [](Scene& scene) {
         scene.job.features = "gpu|titanx&k80";
         scene.request.max_gpus = 1;
     },
     "N1 n1 t1 c2 gres:gpu:1 -"},
    {"on a node of two types no feature keeps the job to one of them",
     [](Scene& scene) { mix_types(scene, 0); }, "N1 n2 t2 c2 gres:gpu:titanx:2 -"},
    {"such a node that the job may not be given changes nothing",
     [](Scene& scene) {
         mix_types(scene, 0);
         scene.job.excluded_nodes = "n1";
     },
     "N1 n2 t2 c2 gres:gpu:2 titanx"},
    {"such a node named by -w",
     [](Scene& scene) {
         mix_types(scene, 0);
         scene.job.required_nodes = "n1";
     },
     "N1 n2 t2 c2 gres:gpu:titanx:2 -"},
    {"a node of one type named by -w",
     [](Scene& scene) {
         scene.job.required_nodes = "n1";
         scene.request.max_gpus = 2;
     },
     "N1 n2 t2 c2 gres:gpu:2 -"},
    {"GPUs per task have the feature, as their request is left alone",
     [](Scene& scene) {
         mix_types(scene, 0);
         scene.job.gpus.per_task = 1;
         scene.job.tasks = 2;
     },
     "N- n- t- c- - titanx"},
    {"srun has fixed its tasks",
     [](Scene& scene) {
         scene.job.is_batch = false;
         scene.job.tasks = 2;
     },
     "N1 n- t2 c- gres:gpu:2 titanx"},
};

TEST(Rewrite, AsksForThePlanInTheUsersTerms) {
    expect_asked(cases);
}

TEST(Rewrite, SpellsGpusAsTheReleaseDoes) {
    const Moment newer{.now = 1010, .spell = spell_with_slash};
    const Planned planned = plan_request(batch_job(), big_job(), small_cluster(), newer);
    EXPECT_EQ(planned.rewrite.tres_per_node, "gres/gpu:4");
}

TEST(Rewrite, KeepsPreferBesideTheType) {
    Submission job = batch_job();
    job.prefer = "gpu";
    const Planned planned = plan_request(job, big_job(), small_cluster(), debian12);
    EXPECT_EQ(planned.rewrite.features, "titanx");
    EXPECT_EQ(planned.rewrite.prefer, "titanx&gpu");
}

TEST(Rewrite, AsksForTheTypeByNameWherePreferCannotTakeIt) {
    Submission job = batch_job();
    job.features = "(gpu&titanx)|gpu";
    job.prefer = "(gpu&titanx)|gpu";
    const Planned planned = plan_request(job, big_job(), small_cluster(), debian12);
    EXPECT_FALSE(planned.rewrite.features) << *planned.rewrite.features;
    EXPECT_FALSE(planned.rewrite.prefer) << *planned.rewrite.prefer;
    EXPECT_EQ(planned.rewrite.tres_per_node, "gres:gpu:titanx:4");
}

TEST(Rewrite, TellsALauncherOfItselfAndNoNumberOfCpus) {
    Submission job = batch_job();
    job.tasks_per_node = 1;
    const Rewrite rewrite = plan_request(job, big_job(), small_cluster(), debian12).rewrite;
    EXPECT_EQ(rewrite.cpus_per_task, 8U);
    const std::vector<std::pair<std::string, std::string>> set{
        {"HORA_MODE", "sync"}, {"HORA_BATCH", "64"}, {"SLURM_SPANK_HORA_LAUNCH", "node"}};
    EXPECT_EQ(rewrite.set, set) << "a resize could not change SRUN_CPUS_PER_TASK";
}

TEST(Rewrite, EmptiesTheClientsViewAndTellsTheScript) {
    const Planned planned = plan_request(batch_job(), big_job(), small_cluster(), debian12);
    const std::vector<std::string> unset{"SLURM_NTASKS", "SLURM_NPROCS", "SLURM_NTASKS_PER_NODE"};
    EXPECT_EQ(planned.rewrite.unset, unset);
    const std::vector<std::pair<std::string, std::string>> set{{"SLURM_CPUS_PER_TASK", "2"},
                                                               {"SRUN_CPUS_PER_TASK", "2"},
                                                               {"HORA_MODE", "sync"},
                                                               {"HORA_BATCH", "64"}};
    EXPECT_EQ(planned.rewrite.set, set);
}

TEST(Rewrite, TellsTheRateAtWhichRowsTravel) {
    domain::Request request = big_job();
    request.workload.layers.push_back(
        {.weight_bytes = 400'000'000, .row_bytes = 4000, .words = 20});
    const auto rate_told = [&] {
        const Rewrite rewrite =
            plan_request(batch_job(), request, small_cluster(), debian12).rewrite;
        for (const auto& [name, value] : rewrite.set) {
            if (name == "HORA_SAMPLE_RATE") {
                return value;
            }
        }
        return std::string("none");
    };
    EXPECT_EQ(rate_told(), "none") << "all rows travel by themselves";
    request.keep_sample_rate(0.05);
    request.min_gpus = 2;
    EXPECT_EQ(rate_told(), "0.05");
    request.max_gpus = request.min_gpus = 1;
    EXPECT_EQ(rate_told(), "none") << "nothing travels";
}

TEST(Rewrite, TellsOfAHierarchyAndOfNoOtherExchange) {
    for (const domain::Exchange kind :
         {domain::Exchange::ring, domain::Exchange::tree, domain::Exchange::hierarchy}) {
        domain::Plan plan;
        plan.exchange.kind = kind;
        std::string said = "nothing";
        for (const auto& [name, value] : variables(plan, Shape(), 64)) {
            said = name == "HORA_EXCHANGE" ? value : said;
        }
        EXPECT_EQ(said, kind == domain::Exchange::hierarchy ? "hierarchy" : "nothing");
    }
}

}  // namespace
}  // namespace hora::request
