#include "libplanner/request/without_plan.hpp"

#include "tests/unit/request/scene.hpp"

namespace hora::request {
namespace {

domain::JobOptions resnet18() {
    domain::JobOptions options;
    options.model = "resnet18";
    options.gpus = domain::GpuRange{1, 8};
    return options;
}

struct Unknown {
    Submission job = batch_job();
    domain::JobOptions options = resnet18();
    read::WithoutPlan rule = read::WithoutPlan::smallest;
    bool acts = true;
};

struct Asked {
    const char* sentence;
    std::function<void(Unknown&)> change;
    const char* asked;
};

// "N2 n8 t4 gres:gpu:4", a GPU for each task as "task gres:gpu:1", " c4" behind it for CPUs of a
// task, or what the user is shown.
std::string asked(const Unknown& scene) {
    const Unplanned answer =
        without_plan(scene.job, scene.options, scene.rule, scene.acts, "why", debian12.spell);
    if (answer.kind != Unplanned::Kind::requested) {
        return answer.text;
    }
    const Rewrite& rewrite = answer.rewrite;
    const auto number = [](const auto& value) {
        return value ? std::to_string(*value) : std::string("-");
    };
    return "N" + number(rewrite.min_nodes) + " n" + number(rewrite.num_tasks) + " t" +
           number(rewrite.ntasks_per_node) + " " +
           (rewrite.tres_per_task ? "task " + *rewrite.tres_per_task
                                  : rewrite.tres_per_node.value_or("-")) +
           (rewrite.cpus_per_task ? " c" + number(rewrite.cpus_per_task) : "");
}

const Asked cases[] = {
    {"the fewest of --hora-gpus", [](Unknown&) {}, "N1 n1 t1 gres:gpu:1"},
    {"one GPU without --hora-gpus", [](Unknown& scene) { scene.options.gpus.reset(); },
     "N1 n1 t1 gres:gpu:1"},
    {"--hora-gpus alone says that there are to be GPUs",
     [](Unknown& scene) { scene.options.model.reset(); }, "N1 n1 t1 gres:gpu:1"},
    {"several GPUs on nodes that Slurm chooses, a task for each",
     [](Unknown& scene) {
         scene.options.gpus = {3, 8};
     },
     "N- n3 t- task gres:gpu:1"},
    {"the least that --hora-sizes allows",
     [](Unknown& scene) {
         scene.options.gpus = {3, 8};
         scene.options.sizes.kind = domain::SizeRule::Kind::powers;
     },
     "N- n4 t- task gres:gpu:1"},
    {"-N spreads them evenly",
     [](Unknown& scene) {
         scene.options.gpus = {4, 8};
         scene.job.min_nodes = scene.job.max_nodes = 2;
     },
     "N2 n4 t2 gres:gpu:2"},
    {"-N without evenness leaves it to Slurm",
     [](Unknown& scene) {
         scene.options.gpus = {3, 8};
         scene.job.min_nodes = scene.job.max_nodes = 2;
     },
     "N- n3 t- task gres:gpu:1"},
    {"each node of -N has a GPU",
     [](Unknown& scene) { scene.job.min_nodes = scene.job.max_nodes = 4; }, "N4 n4 t1 gres:gpu:1"},
    {"tasks that were counted count GPUs", [](Unknown& scene) { scene.job.tasks = 4; },
     "N- n4 t- task gres:gpu:1"},
    {"--ntasks-per-node counts the GPUs of a node",
     [](Unknown& scene) {
         scene.options.gpus = {3, 8};
         scene.job.tasks_per_node = 2;
     },
     "N2 n4 t2 gres:gpu:2"},
    {"more tasks than Slurm can count",
     [](Unknown& scene) {
         scene.job.min_nodes = scene.job.max_nodes = 1U << 30U;
         scene.job.tasks_per_node = 4;
     },
     "N- n2147483647 t- task gres:gpu:1"},
    {"more nodes than there can be GPUs",
     [](Unknown& scene) {
         scene.options.gpus = {1000, 1000};
         scene.job.min_nodes = scene.job.max_nodes = 4294967293;
         scene.job.tasks_per_node = 1;
     },
     "N4294967293 n4294967293 t1 gres:gpu:1"},
    {"one task a node is a launcher's",
     [](Unknown& scene) {
         scene.options.gpus = {4, 8};
         scene.job.tasks_per_node = 1;
     },
     "N1 n1 t1 gres:gpu:4 c4"},
    {"one task a node on counted nodes",
     [](Unknown& scene) {
         scene.options.gpus = {4, 8};
         scene.job.tasks_per_node = 1;
         scene.job.min_nodes = scene.job.max_nodes = 2;
     },
     "N2 n2 t1 gres:gpu:2 c2"},
    {"-w names nodes that the job has at the least",
     [](Unknown& scene) { scene.job.required_nodes = "n[1-2]"; }, "N- n2 t- task gres:gpu:1"},
    {"other resources of a node stay",
     [](Unknown& scene) { scene.job.other_tres_per_node = "gres:nvme:1"; },
     "N1 n1 t1 gres:gpu:1,gres:nvme:1"},
    {"salloc keeps its tasks and gets the GPUs",
     [](Unknown& scene) {
         scene.job.is_batch = false;
         scene.job.tasks = 1;
         scene.options.gpus = {2, 2};
     },
     "N1 n- t- gres:gpu:2"},
    {"srun -N2 has as many on each node",
     [](Unknown& scene) {
         scene.job.is_batch = false;
         scene.job.min_nodes = scene.job.max_nodes = scene.job.tasks = 2;
         scene.options.gpus = {3, 8};
     },
     "N2 n- t- gres:gpu:2"},
    {"srun -n4 has one for each task",
     [](Unknown& scene) {
         scene.job.is_batch = false;
         scene.job.tasks = 4;
     },
     "N- n- t- task gres:gpu:1"},
    {"GPUs that the request names stay", [](Unknown& scene) { scene.job.gpus.per_node = 2; },
     "no plan; submitted unchanged: why"},
    {"GPUs by the task stay", [](Unknown& scene) { scene.job.gpus.per_task = 1; },
     "no plan; submitted unchanged: why"},
    {"none is a number too", [](Unknown& scene) { scene.job.gpus.is_none = true; },
     "no plan; submitted unchanged: why"},
    {"refuse refuses what names no GPUs",
     [](Unknown& scene) { scene.rule = read::WithoutPlan::refuse; },
     "no plan: why; submit again later, or request GPUs yourself (--gres=gpu:N)"},
    {"refuse lets pass what names them",
     [](Unknown& scene) {
         scene.rule = read::WithoutPlan::refuse;
         scene.job.gpus.per_job = 2;
     },
     "no plan; submitted unchanged: why"},
    {"pass says that there are none", [](Unknown& scene) { scene.rule = read::WithoutPlan::pass; },
     "no plan; submitted unchanged, without GPUs: why"},
    {"nothing is changed where Hora does not act", [](Unknown& scene) { scene.acts = false; },
     "no plan; submitted unchanged, without GPUs: why"},
};

TEST(WithoutPlan, NeverLosesTheGpusOfAJob) {
    for (const Asked& test : cases) {
        Unknown scene;
        test.change(scene);
        EXPECT_EQ(asked(scene), test.asked) << test.sentence;
    }
}

TEST(WithoutPlan, SpellsGpusAsTheReleaseDoes) {
    const Unknown scene;
    const Unplanned answer =
        without_plan(scene.job, scene.options, scene.rule, true, "why", spell_with_slash);
    EXPECT_EQ(answer.rewrite.tres_per_node, "gres/gpu:1");
    EXPECT_EQ(answer.text, "no plan: why; 1 GPU requested from Slurm without one");
}

TEST(WithoutPlan, TellsTheScriptItsBatch) {
    Unknown scene;
    scene.options.batch = 64;
    scene.options.gpus = {2, 4};
    const Unplanned answer =
        without_plan(scene.job, scene.options, scene.rule, true, "why", debian12.spell);
    const std::vector<std::pair<std::string, std::string>> set{{"HORA_MODE", "sync"},
                                                               {"HORA_BATCH", "64"}};
    EXPECT_EQ(answer.rewrite.set, set);
    EXPECT_EQ(answer.rewrite.min_cpus, 2U);
    EXPECT_EQ(answer.rewrite.unset, clients_view());
}

}  // namespace
}  // namespace hora::request
