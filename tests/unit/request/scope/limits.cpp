#include "libplanner/request/scope/limits.hpp"

#include "tests/unit/request/scene.hpp"

namespace hora::request {
namespace {

const Case cases[] = {
    {"the partition's limit of nodes holds",
     [](Scene& scene) { scene.snapshot.partitions[0].max_nodes = 1; },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
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
    {"a limit of memory binds the CPUs where these ask for it",
     [](Scene& scene) {
         scene.job.memory_per_cpu = 1000;
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job,
                     {.gpus = {}, .nodes = {}, .cpus = {}, .memory = 4500});
     },
     "N1 n4 t4 c1 gres:gpu:4 titanx"},
    {"and the nodes where these do",
     [](Scene& scene) {
         scene.job.memory_per_node = 1000;
         scene.limit(&domain::Allowance::user, "ann", &domain::Allowance::per_job,
                     {.gpus = {}, .nodes = {}, .cpus = {}, .memory = 1500});
     },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
    {"and the GPUs where these do",
     [](Scene& scene) {
         scene.job.memory_per_gpu = 1000;
         scene.limit(&domain::Allowance::account, "lab", &domain::Allowance::left,
                     {.gpus = {}, .nodes = {}, .cpus = {}, .memory = 2000});
     },
     "N1 n2 t2 c2 gres:gpu:2 titanx"},
    {"too little memory is said",
     [](Scene& scene) {
         scene.request.min_gpus = 4;
         scene.job.memory_per_gpu = 1000;
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job,
                     {.gpus = {}, .nodes = {}, .cpus = {}, .memory = 2000});
     },
     "QOS \"normal\" (memory) leaves 2 GPUs, the job needs at least 4"},
    {"a limit below what was asked for leaves the job alone",
     [](Scene& scene) {
         scene.request.min_gpus = 4;
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job,
                     {.gpus = 2, .nodes = {}, .cpus = {}});
     },
     "QOS \"normal\" leaves 2 GPUs, the job needs at least 4"},
};

TEST(Limits, BoundWhatIsAskedFor) {
    expect_asked(cases);
}

Limits limits_in(const char* partition, const domain::Caps& own) {
    Scene scene;
    scene.snapshot.partitions[0].max_cpus_per_node = 6;
    scene.limit(&domain::Allowance::account, "lab", &domain::Allowance::left,
                {.gpus = 2, .nodes = {}, .cpus = {}});
    const Owner owner = owner_of(1000, {}, scene.snapshot);
    return limits_of(owner, partition, scene.snapshot, own);
}

TEST(Limits, CountWhatAJobHoldsAsLeft) {
    EXPECT_EQ(limits_in("p", {}).gpus.most, 2U);
    EXPECT_EQ(limits_in("p", {.gpus = 4, .nodes = 1, .cpus = 4}).gpus.most, 6U);
}

TEST(Limits, OfANodesCpusAreThePartitionsToo) {
    EXPECT_EQ(limits_in("p", {}).cpus_of_node.most, 6U);
    EXPECT_EQ(limits_in("p", {}).cpus_of_node.set_by, "partition \"p\"");
}

TEST(Limits, NothingBindsInAPartitionThatIsNotKnown) {
    EXPECT_FALSE(limits_in("closed", {}).gpus.most);
}

TEST(Limits, WhatIsChargedIsTheUsersDefaultUnlessItIsSaid) {
    const Owner owner =
        owner_of(1000, {.user = {}, .account = "other", .qos = {}}, small_cluster());
    EXPECT_EQ(owner.user, "ann");
    EXPECT_EQ(owner.account, "other");
    EXPECT_EQ(owner.qos, "normal");
}

}  // namespace
}  // namespace hora::request
