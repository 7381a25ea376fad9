#include "libplanner/request/scope/limits.hpp"

#include "tests/unit/request/scene.hpp"

namespace hora::request {
namespace {

domain::Caps gpus(std::uint32_t most) {
    return {.gpus = most, .nodes = {}, .cpus = {}};
}

domain::Caps memory(std::uint32_t most) {
    return {.gpus = {}, .nodes = {}, .cpus = {}, .memory = most};
}

const Case cases[] = {
    {"the partition's limit of nodes holds",
     [](Scene& scene) { scene.snapshot.partitions[0].max_nodes = 1; },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
    {"the QOS of the user's default holds",
     [](Scene& scene) {
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job, gpus(3));
     },
     "N1 n3 t3 c2 gres:gpu:3 titanx"},
    {"the default QOS of the account that is named holds",
     [](Scene& scene) {
         scene.job.account = "team";
         scene.snapshot.users[0].other_qos = {{"team", "", "big"}};
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job, gpus(1));
         scene.limit(&domain::Allowance::qos, "big", &domain::Allowance::per_job, gpus(3));
     },
     "N1 n3 t3 c2 gres:gpu:3 titanx"},
    {"a QOS that is named in capital letters holds",
     [](Scene& scene) {
         scene.job.qos = "BIG";
         scene.limit(&domain::Allowance::qos, "big", &domain::Allowance::per_job, gpus(3));
     },
     "N1 n3 t3 c2 gres:gpu:3 titanx"},
    {"of several QOS the tightest holds",
     [](Scene& scene) {
         scene.job.qos = "wide,big,biggest";
         scene.limit(&domain::Allowance::qos, "wide", &domain::Allowance::per_job, gpus(4));
         scene.limit(&domain::Allowance::qos, "big", &domain::Allowance::per_job, gpus(3));
     },
     "N1 n3 t3 c2 gres:gpu:3 titanx"},
    {"an account that is named in capital letters holds, with its default QOS",
     [](Scene& scene) {
         scene.job.account = "TEAM";
         scene.snapshot.users[0].other_qos = {{"team", "", "big"}};
         scene.limit(&domain::Allowance::account, "team", &domain::Allowance::left, gpus(2));
         scene.limit(&domain::Allowance::qos, "big", &domain::Allowance::per_job, gpus(3));
     },
     "N1 n2 t2 c2 gres:gpu:2 titanx"},
    {"another QOS does not",
     [](Scene& scene) {
         scene.limit(&domain::Allowance::qos, "big", &domain::Allowance::per_job, gpus(3));
     },
     "N2 n8 t4 c2 gres:gpu:4 titanx"},
    {"what is left of a group's limit holds",
     [](Scene& scene) {
         scene.limit(&domain::Allowance::account, "lab", &domain::Allowance::left, gpus(2));
     },
     "N1 n2 t2 c2 gres:gpu:2 titanx"},
    {"the partition's own QOS holds",
     [](Scene& scene) {
         scene.snapshot.partitions[0].qos = "part";
         scene.limit(&domain::Allowance::qos, "part", &domain::Allowance::per_job, gpus(1));
     },
     "N1 n1 t1 c2 gres:gpu:1 titanx"},
    {"of the same kind of limit the partition's QOS goes before the job's",
     [](Scene& scene) {
         scene.snapshot.partitions[0].qos = "part";
         scene.limit(&domain::Allowance::qos, "part", &domain::Allowance::per_job, gpus(4));
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job, gpus(2));
     },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
    {"unless the job's QOS outweighs it",
     [](Scene& scene) {
         scene.snapshot.partitions[0].qos = "part";
         scene.limit(&domain::Allowance::qos, "part", &domain::Allowance::per_job, gpus(4));
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job, gpus(2));
         scene.snapshot.allowances.back().outweighs_partition = true;
     },
     "N1 n2 t2 c2 gres:gpu:2 titanx"},
    {"limits of different kinds bind together",
     [](Scene& scene) {
         scene.snapshot.partitions[0].qos = "part";
         scene.limit(&domain::Allowance::qos, "part", &domain::Allowance::per_user, gpus(4));
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job, gpus(2));
     },
     "N1 n2 t2 c2 gres:gpu:2 titanx"},
    {"the QOS goes before the association",
     [](Scene& scene) {
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job, gpus(4));
         scene.limit(&domain::Allowance::account, "lab", &domain::Allowance::per_job, gpus(2));
     },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
    {"a limit on the GPUs of a node spreads the job",
     [](Scene& scene) {
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_node, gpus(2));
     },
     "N4 n8 t2 c2 gres:gpu:2 titanx"},
    {"a limit of CPUs lowers the share and then the GPUs",
     [](Scene& scene) {
         scene.limit(&domain::Allowance::user, "ann", &domain::Allowance::per_job,
                     {.gpus = {}, .nodes = {}, .cpus = 4});
     },
     "N1 n4 t4 c1 gres:gpu:4 titanx"},
    {"a limit of CPUs lowers the nodes of a launcher with -c",
     [](Scene& scene) {
         scene.job.tasks_per_node = 1;
         scene.job.cpus_per_task = 4;
         scene.limit(&domain::Allowance::user, "ann", &domain::Allowance::per_job,
                     {.gpus = {}, .nodes = {}, .cpus = 7});
     },
     "N1 n1 t1 c- gres:gpu:4 titanx"},
    {"too few CPUs for a launcher on each of its nodes are said",
     [](Scene& scene) {
         scene.job.tasks_per_node = 1;
         scene.job.cpus_per_task = 4;
         scene.job.min_nodes = 2;
         scene.limit(&domain::Allowance::user, "ann", &domain::Allowance::per_job,
                     {.gpus = {}, .nodes = {}, .cpus = 7});
     },
     "a limit of the site leaves 7 CPUs, the job needs at least 8"},
    {"a limit of CPUs leaves the GPUs of counted tasks",
     [](Scene& scene) {
         scene.job.gpus.per_node = 4;
         scene.job.tasks = 2;
         scene.job.cpus_per_task = 4;
         scene.limit(&domain::Allowance::user, "ann", &domain::Allowance::per_job,
                     {.gpus = {}, .nodes = {}, .cpus = 8});
     },
     "N1 n2 t2 c- gres:gpu:4 titanx"},
    {"too few CPUs for counted tasks are said",
     [](Scene& scene) {
         scene.job.gpus.per_node = 4;
         scene.job.tasks = 2;
         scene.job.cpus_per_task = 4;
         scene.limit(&domain::Allowance::user, "ann", &domain::Allowance::per_job,
                     {.gpus = {}, .nodes = {}, .cpus = 7});
     },
     "a limit of the site leaves 7 CPUs, the job needs at least 8"},
    {"a limit of memory binds the CPUs where these ask for it",
     [](Scene& scene) {
         scene.job.memory_per_cpu = 100;
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job, memory(450));
     },
     "N1 n4 t4 c1 gres:gpu:4 titanx"},
    {"and the nodes where these do",
     [](Scene& scene) {
         scene.job.memory_per_node = 1000;
         scene.limit(&domain::Allowance::user, "ann", &domain::Allowance::per_job, memory(1500));
     },
     "N1 n4 t4 c2 gres:gpu:4 titanx"},
    {"and the GPUs where these do",
     [](Scene& scene) {
         scene.job.memory_per_gpu = 100;
         scene.limit(&domain::Allowance::account, "lab", &domain::Allowance::left, memory(200));
     },
     "N1 n2 t2 c2 gres:gpu:2 titanx"},
    {"the partition's memory counts where none is said",
     [](Scene& scene) {
         scene.snapshot.partitions[0].default_memory.per_gpu = 100;
         scene.limit(&domain::Allowance::account, "lab", &domain::Allowance::left, memory(200));
     },
     "N1 n2 t2 c2 gres:gpu:2 titanx"},
    {"too little memory is said",
     [](Scene& scene) {
         scene.request.min_gpus = 4;
         scene.job.memory_per_gpu = 100;
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job, memory(200));
     },
     "QOS \"normal\" (memory) leaves 2 GPUs, the job needs at least 4"},
    {"a limit below what was asked for leaves the job alone",
     [](Scene& scene) {
         scene.request.min_gpus = 4;
         scene.limit(&domain::Allowance::qos, "normal", &domain::Allowance::per_job, gpus(2));
     },
     "QOS \"normal\" leaves 2 GPUs, the job needs at least 4"},
};

TEST(Limits, BoundWhatIsAskedFor) {
    expect_asked(cases);
}

Limits limits_with(const domain::Caps& own) {
    Scene scene;
    scene.snapshot.partitions[0].max_cpus_per_node = 6;
    scene.limit(&domain::Allowance::account, "lab", &domain::Allowance::left, gpus(2));
    const Owner owner = owner_of(1000, {}, "p", scene.snapshot);
    return limits_of(owner, scene.snapshot.partitions[0], scene.snapshot, own);
}

TEST(Limits, CountWhatAJobHoldsAsLeft) {
    EXPECT_EQ(limits_with({}).gpus.most, 2U);
    EXPECT_EQ(limits_with({.gpus = 4, .nodes = 1, .cpus = 4}).gpus.most, 6U);
    EXPECT_EQ(limits_with({.gpus = domain::unlimited_gpus, .nodes = 1, .cpus = 4}).gpus.most,
              domain::unlimited_gpus)
        << "no sum is beyond what a number holds";
}

TEST(Limits, OfANodesCpusAreThePartitionsToo) {
    EXPECT_EQ(limits_with({}).cpus_of_node.most, 6U);
    EXPECT_EQ(limits_with({}).cpus_of_node.set_by, "partition \"p\"");
}

TEST(Limits, NameTheOneThatASizePasses) {
    struct Kind {
        const char* name;
        Limit Limits::*limit;
        const char* why;  // that a limit of 3 gives
    };
    const Kind kinds[] = {
        {"8 GPUs", &Limits::gpus, "QOS \"short\" leaves it 3 GPUs"},
        {"2 nodes", &Limits::nodes, ""},
        {"16 CPUs", &Limits::cpus, "QOS \"short\" leaves it 3 CPUs"},
        {"memory", &Limits::memory, "QOS \"short\" leaves it 3 MiB of memory"},
        {"billing that is not known", &Limits::billing, ""},
        {"4 GPUs of a node", &Limits::gpus_of_node, "QOS \"short\" leaves it 3 GPUs of a node"},
        {"8 CPUs of a node", &Limits::cpus_of_node, "QOS \"short\" leaves it 3 CPUs of a node"},
    };
    const Claim claim{.nodes = 2, .gpus_per_node = 4, .cpus_per_node = 8, .memory = 1000};
    for (const Kind& each : kinds) {
        SCOPED_TRACE(each.name);
        Limits limits;
        limits.*each.limit = {3, "QOS \"short\""};
        EXPECT_EQ(why_over(limits, claim), each.why);
        limits.*each.limit = {1000, "QOS \"short\""};
        EXPECT_EQ(why_over(limits, claim), "");
    }
    EXPECT_EQ(why_over({}, claim), "");
}

struct Charged {
    const char* sentence;
    std::uint32_t uid;
    const char* account;
    const char* qos;
    const char* partition;
    Owner owner;
};

const Charged charged[] = {
    {"what is not said is the user's default", 1000, "", "", "p", {"ann", "lab", "normal"}},
    {"an account that is said is kept", 1000, "old", "", "p", {"ann", "old", "normal"}},
    {"and its default QOS is its own", 1000, "team", "", "p", {"ann", "team", "big"}},
    {"that of an association of the partition goes first",
     1000,
     "team",
     "",
     "q",
     {"ann", "team", "slow"}},
    {"also in the default account", 1000, "", "", "q", {"ann", "lab", "short"}},
    {"a QOS that is said is kept", 1000, "team", "mine", "q", {"ann", "team", "mine"}},
    {"of a user that is not known nothing is", 1001, "", "", "p", {"", "", ""}},
};

TEST(Limits, WhatIsChargedIsTheUsersDefaultUnlessItIsSaid) {
    domain::Snapshot snapshot = small_cluster();
    snapshot.users[0].other_qos = {
        {"team", "q", "slow"}, {"team", "", "big"}, {"lab", "q", "short"}};
    for (const Charged& test : charged) {
        SCOPED_TRACE(test.sentence);
        const Owner owner =
            owner_of(test.uid, {.user = {}, .account = test.account, .qos = test.qos},
                     test.partition, snapshot);
        EXPECT_EQ(owner.user, test.owner.user);
        EXPECT_EQ(owner.account, test.owner.account);
        EXPECT_EQ(owner.qos, test.owner.qos);
    }
}

}  // namespace
}  // namespace hora::request
