#include "libplanner/request/scope/narrowing.hpp"

#include "tests/unit/request/scene.hpp"

namespace hora::request {
namespace {

const Case cases[] = {
    {"more GPUs by the task than can be counted",
     [](Scene& scene) {
         scene.job.tasks = 65536;
         scene.job.gpus.per_task = 65536;
     },
     "more GPUs than any cluster has"},
    {"nothing said: the fastest within the maximum", [](Scene&) {},
     "N2 n8 t4 c2 gres:gpu:4 titanx"},
    {"--hora-gpus bounds the plan", [](Scene& scene) { scene.request.max_gpus = 2; },
     "N1 n2 t2 c2 gres:gpu:2 titanx"},
    {"--hora-sizes leaves the largest below that pays",
     [](Scene& scene) {
         scene.request.max_gpus = 7;
         scene.request.sizes = {domain::SizeRule::Kind::powers, {}};
     },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
    {"--hora-sizes goes by its list",
     [](Scene& scene) {
         scene.request.sizes = {domain::SizeRule::Kind::listed, {2, 3}};
     },
     "N1 n3 t3 c2 gres:gpu:3 titanx"},
    {"--hora-sizes=nodes takes whole nodes",
     [](Scene& scene) {
         scene.request.max_gpus = 7;
         scene.request.sizes = {domain::SizeRule::Kind::nodes, {}};
     },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
    {"--hora-sizes=nodes and fewer GPUs than a node",
     [](Scene& scene) {
         scene.request.max_gpus = 3;
         scene.request.sizes = {domain::SizeRule::Kind::nodes, {}};
     },
     "--hora-sizes=nodes: a node has 4 GPUs, 3 may be used"},
    {"--hora-sizes=nodes and a part of each node",
     [](Scene& scene) {
         scene.job.gpus.per_node = 2;
         scene.request.sizes = {domain::SizeRule::Kind::nodes, {}};
     },
     "--hora-sizes=nodes: a node has 4 GPUs, 2 of each are asked for"},
    {"--gpus against --hora-sizes",
     [](Scene& scene) {
         scene.job.gpus.per_job = 3;
         scene.request.sizes = {domain::SizeRule::Kind::powers, {}};
     },
     "--hora-sizes=powers allows no number of GPUs from 3 to 3"},
    {"--hora-sizes beyond what a job gets that does not say --hora-gpus",
     [](Scene& scene) {
         scene.request.is_max_by_site = true;
         scene.request.max_gpus = 8;
         scene.request.sizes = {domain::SizeRule::Kind::listed, {16}};
     },
     "--hora-sizes=16 allows no number of GPUs from 1 to 8, the most without --hora-gpus "
     "(plan.max_gpus); give --hora-gpus=MIN-MAX"},
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
    {"--gres fixes the GPUs of a node, and without -N it is one",
     [](Scene& scene) {
         scene.job.gpus.per_node = 1;
         scene.request.max_gpus = 3;
     },
     "N1 n1 t1 c2 gres:gpu:1 titanx"},
    {"--gres with -N as a range leaves the nodes open",
     [](Scene& scene) {
         scene.job.gpus.per_node = 1;
         scene.job.min_nodes = 1;
         scene.job.max_nodes = 3;
     },
     "N3 n3 t1 c2 gres:gpu:1 titanx"},
    {"--gres with more tasks than GPUs takes the nodes that these need",
     [](Scene& scene) {
         scene.job.gpus.per_node = 2;
         scene.job.tasks = 4;
     },
     "N2 n4 t2 c2 gres:gpu:2 titanx"},
    {"--gres with fewer tasks than GPUs is one node",
     [](Scene& scene) {
         scene.job.gpus.per_node = 4;
         scene.job.tasks = 2;
     },
     "N1 n2 t2 c4 gres:gpu:4 titanx"},
    {"-N and --gres fix it all, beyond --hora-gpus too",
     [](Scene& scene) {
         scene.job.min_nodes = scene.job.max_nodes = 4;
         scene.job.gpus.per_node = 4;
     },
     "N4 n16 t4 c2 gres:gpu:4 titanx"},
    {"one task a node is a launcher's, with the GPUs and the CPUs of its node",
     [](Scene& scene) { scene.job.tasks_per_node = 1; }, "N2 n2 t1 c8 gres:gpu:4 titanx"},
    {"one task a node on counted nodes",
     [](Scene& scene) {
         scene.job.tasks_per_node = 1;
         scene.job.tasks = 4;
     },
     "N4 n4 t1 c4 gres:gpu:2 titanx"},
    {"one task a node may drive several GPUs",
     [](Scene& scene) {
         scene.job.tasks_per_node = 1;
         scene.job.gpus.per_node = 4;
     },
     "N1 n1 t1 c8 gres:gpu:4 titanx"},
    {"-c of a launcher counts once a node",
     [](Scene& scene) {
         scene.job.tasks_per_node = 1;
         scene.job.cpus_per_task = 8;
     },
     "N2 n2 t1 c- gres:gpu:4 titanx"},
    {"-c of more than a node has",
     [](Scene& scene) {
         scene.job.tasks_per_node = 1;
         scene.job.cpus_per_task = 9;
     },
     "no plan fits in partition \"p\""},
    {"-c counts once a task, however many GPUs a task has",
     [](Scene& scene) {
         scene.job.gpus.per_node = 4;
         scene.job.tasks = 2;
         scene.job.cpus_per_task = 4;
     },
     "N1 n2 t2 c- gres:gpu:4 titanx"},
    {"also of tasks by the node",
     [](Scene& scene) {
         scene.job.gpus.per_node = 3;
         scene.job.tasks_per_node = 2;
         scene.job.cpus_per_task = 4;
     },
     "N1 n2 t2 c- gres:gpu:3 titanx"},
    {"and of tasks that share the GPUs of the job",
     [](Scene& scene) {
         scene.job.gpus.per_job = 4;
         scene.job.tasks = 2;
         scene.job.cpus_per_task = 4;
     },
     "N1 n2 t2 c- gres:gpu:4 titanx"},
    {"a GPU has a CPU where -c says nothing",
     [](Scene& scene) {
         scene.job.gpus.per_node = 4;
         scene.job.tasks = 1;
         for (domain::Node& node : scene.snapshot.cluster.nodes) {
             node.cpus = 3;
         }
     },
     "no plan fits in partition \"p\""},
    {"-c of the one task that salloc starts in its GPUs",
     [](Scene& scene) {
         scene.job.is_batch = false;
         scene.job.tasks = 1;
         scene.job.cpus_per_task = 8;
         scene.request.min_gpus = scene.request.max_gpus = 4;
     },
     "N1 n- t- c- gres:gpu:4 titanx"},
    {"salloc gets the GPUs of --hora-gpus for its one task",
     [](Scene& scene) {
         scene.job.is_batch = false;
         scene.job.tasks = 1;
         scene.request.min_gpus = scene.request.max_gpus = 2;
     },
     "N1 n- t- c- gres:gpu:2 titanx"},
    {"srun -N2 gets them on its nodes",
     [](Scene& scene) {
         scene.job.is_batch = false;
         scene.job.tasks = scene.job.min_nodes = scene.job.max_nodes = 2;
         scene.request.min_gpus = scene.request.max_gpus = 4;
     },
     "N2 n- t- c- gres:gpu:2 titanx"},
    {"and with --ntasks-per-node=1, whose tasks get the CPUs",
     [](Scene& scene) {
         scene.job.is_batch = false;
         scene.job.tasks = scene.job.min_nodes = scene.job.max_nodes = 2;
         scene.job.tasks_per_node = 1;
         scene.request.min_gpus = scene.request.max_gpus = 4;
     },
     "N2 n- t- c2 gres:gpu:2 titanx"},
    {"GPUs per socket are left alone", [](Scene& scene) { scene.job.gpus.is_per_socket = true; },
     "GPUs by task or socket are left as they are"},
    {"and so are several types side by side",
     [](Scene& scene) {
         scene.job.gpus.per_node = 2;
         scene.job.gpus.has_several_types = true;
     },
     "GPUs of several types are left as they are"},
};

TEST(Narrowing, RespectsWhatIsSaid) {
    expect_asked(cases);
}

}  // namespace
}  // namespace hora::request
