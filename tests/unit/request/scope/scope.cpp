#include "libplanner/request/scope/scope.hpp"

#include "tests/unit/request/scene.hpp"

namespace hora::request {
namespace {

const Case cases[] = {
    {"-C narrows the nodes and is kept", [](Scene& scene) { scene.job.features = "k80"; },
     "N2 n8 t4 c2 gres:gpu:4 -"},
    {"-C with a choice is grouped before the type joins",
     [](Scene& scene) { scene.job.features = "k80|titanx"; },
     "N2 n8 t4 c2 gres:gpu:4 (k80|titanx)&titanx"},
    {"-C with counts is not narrowed here",
     [](Scene& scene) { scene.job.features = "[k80*1&titanx*1]"; },
     "constraint \"[k80*1&titanx*1]\" ties nodes to each other"},
    {"-C that is too long to look at for each node is cut in the reason",
     [](Scene& scene) { scene.job.features = std::string(4097, 'x'); },
     "constraint \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\" is longer "
     "than 4096 letters"},
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
    {"a node that is down gives nothing",
     [](Scene& scene) {
         for (int i = 0; i < 3; ++i) {
             scene.snapshot.states[static_cast<std::size_t>(i)].is_usable = false;
         }
     },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
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
    {"a reservation that is over holds no job",
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
     "no usable node of partition \"p\" is left by 2000 MiB of memory on each node"},
    {"memory by the GPU leaves those GPUs of a node for which it has enough",
     [](Scene& scene) {
         scene.job.memory_per_gpu = 300;
         scene.request.max_gpus = 4;
         scene.job.max_nodes = 1;
     },
     "N1 n3 t3 c2 gres:gpu:3 titanx"},
    {"also where the owner counts the GPUs of the job",
     [](Scene& scene) {
         scene.job.memory_per_gpu = 300;
         scene.job.gpus.per_job = 4;
     },
     "N2 n4 t2 c2 gres:gpu:2 titanx"},
    {"and of a node",
     [](Scene& scene) {
         scene.job.memory_per_gpu = 300;
         scene.job.gpus.per_node = 4;
     },
     "no usable node of partition \"p\" is left by 300 MiB of memory for each of 4 GPUs"},
    {"memory by the GPU beyond that of the nodes",
     [](Scene& scene) { scene.job.memory_per_gpu = 1001; },
     "no usable node of partition \"p\" is left by 1001 MiB of memory for each GPU"},
    {"memory of a node that is not known is no bound",
     [](Scene& scene) {
         scene.job.memory_per_gpu = 300;
         scene.snapshot.states[0].memory_mib = 0;
         scene.request.max_gpus = 4;
     },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
    {"memory by the CPU leaves those GPUs of a node whose CPUs have enough",
     [](Scene& scene) {
         scene.job.memory_per_cpu = 200;
         scene.job.cpus_per_task = 2;
     },
     "N4 n8 t2 c- gres:gpu:2 titanx"},
    {"and lowers the CPUs of a GPU first", [](Scene& scene) { scene.job.memory_per_cpu = 250; },
     "N2 n8 t4 c1 gres:gpu:4 titanx"},
    {"memory by the CPU of a launcher is that of its node",
     [](Scene& scene) {
         scene.job.memory_per_cpu = 125;
         scene.job.cpus_per_task = 8;
         scene.job.tasks_per_node = 1;
     },
     "N2 n2 t1 c- gres:gpu:4 titanx"},
    {"memory by the CPU beyond that of the nodes",
     [](Scene& scene) {
         scene.job.memory_per_cpu = 501;
         scene.job.cpus_per_task = 2;
     },
     "no usable node of partition \"p\" is left by 501 MiB of memory for each CPU"},
    {"the partition's memory by the GPU counts where none is said",
     [](Scene& scene) { scene.snapshot.partitions[0].default_memory.per_gpu = 400; },
     "N4 n8 t2 c2 gres:gpu:2 titanx"},
    {"and by the CPU",
     [](Scene& scene) { scene.snapshot.partitions[0].default_memory.per_cpu = 250; },
     "N2 n8 t4 c1 gres:gpu:4 titanx"},
    {"and of a node",
     [](Scene& scene) { scene.snapshot.partitions[0].default_memory.per_node = 2000; },
     "no usable node of partition \"p\" is left by 2000 MiB of memory on each node"},
    {"not where the job says what it needs",
     [](Scene& scene) {
         scene.snapshot.partitions[0].default_memory.per_gpu = 400;
         scene.job.memory_per_node = 1000;
     },
     "N2 n8 t4 c2 gres:gpu:4 titanx"},
    {"nor where it asks for all of a node's memory",
     [](Scene& scene) {
         scene.snapshot.partitions[0].default_memory.per_node = 2000;
         scene.job.memory_per_node = 0;
     },
     "N2 n8 t4 c2 gres:gpu:4 titanx"},
    {"a list of QOS that is long", [](Scene& scene) { scene.job.qos.assign(longest_qos, ','); },
     "N2 n8 t4 c2 gres:gpu:4 titanx"},
    {"or too long", [](Scene& scene) { scene.job.qos.assign(longest_qos + 1, 'q'); },
     "QOS \"qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq...\" is longer than "
     "1024 letters"},
    {"no node in a state to run jobs",
     [](Scene& scene) {
         for (domain::NodeState& state : scene.snapshot.states) {
             state.is_usable = false;
         }
     },
     "no usable node of partition \"p\" is left"},
    {"a feature that no node has", [](Scene& scene) { scene.job.features = "a100"; },
     "no usable node of partition \"p\" is left by constraint \"a100\""},
    {"a feature of those only that memory leaves out",
     [](Scene& scene) {
         scene.job.features = "k80";
         scene.job.memory_per_node = 2000;
         for (std::size_t node = 0; node < 4; ++node) {
             scene.snapshot.states[node].memory_mib = 4000;
         }
     },
     "no usable node of partition \"p\" is left by constraint \"k80\""},
    {"a reservation without a node of the partition",
     [](Scene& scene) {
         scene.job.reservation = "r";
         scene.job.partitions = {"q"};
         scene.snapshot.reservations.push_back(
             {.name = "r", .nodes = {0}, .starts = 0, .ends = 9999});
     },
     "no usable node of partition \"q\" is left by reservation \"r\""},
    {"a reservation of others on all nodes",
     [](Scene& scene) {
         scene.snapshot.reservations.push_back(
             {.name = "r", .nodes = {0, 1, 2, 3, 4, 5}, .starts = 0, .ends = 9999});
     },
     "no usable node of partition \"p\" is left by reservations"},
    {"-x leaves all nodes out", [](Scene& scene) { scene.job.excluded_nodes = "n[1-6]"; },
     "no usable node of partition \"p\" is left by excluded nodes \"n[1-6]\""},
};

TEST(Scope, KeepsToTheNodesThatTheJobMayHave) {
    expect_asked(cases);
}

}  // namespace
}  // namespace hora::request
