#include "libplanner/request/rewrite/placement.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <string>

#include "libplanner/request/planned.hpp"
#include "tests/unit/request/scene.hpp"

namespace hora::request {
namespace {

// A node with `sockets` PCIe switches, each a socket to Slurm, with `each` GPUs and cores.
struct Box {
    std::uint32_t sockets = 2;
    std::uint32_t each = 2;
    std::uint32_t cores = 4;
    std::uint32_t threads = 1;
    bool is_known = true;  // which socket each GPU counts to
    domain::PartKind kind = domain::PartKind::pcie_switch;
};

void add_box(domain::Snapshot& snapshot, const std::string& name, const Box& box) {
    domain::Cluster& cluster = snapshot.cluster;
    const auto node = static_cast<std::uint32_t>(cluster.nodes.size());
    const auto whole = static_cast<std::uint32_t>(cluster.parts.size());
    const domain::Link link{Bandwidth(12e9), Seconds(5e-6)};
    cluster.parts.push_back(
        {.kind = domain::PartKind::node, .parent = 0, .link = link, .name = name});
    const std::uint32_t cpus = box.sockets * box.cores * box.threads;
    cluster.nodes.push_back({.name = name, .overhead = Seconds(0), .cpus = cpus});
    domain::NodeState state;
    state.free_cpus = cpus;
    state.sockets = box.sockets;
    state.cores_per_socket = box.cores;
    state.threads_per_core = box.threads;
    state.memory_mib = 100'000;
    for (std::uint32_t socket = 0; socket < box.sockets; ++socket) {
        const auto part = static_cast<std::uint32_t>(cluster.parts.size());
        if (box.kind != domain::PartKind::node) {
            cluster.parts.push_back({.kind = box.kind, .parent = whole, .link = link, .name = ""});
        }
        for (std::uint32_t i = 0; i < box.each; ++i) {
            cluster.gpus.push_back({.node = node,
                                    .index = socket * box.each + i,
                                    .device = 0,
                                    .part = box.kind == domain::PartKind::node ? whole : part,
                                    .is_free = true});
            if (box.is_known) {
                state.gpu_sockets.push_back(socket);
            }
        }
    }
    snapshot.states.push_back(state);
    snapshot.partitions[0].nodes.push_back(node);
}

domain::Snapshot empty_cluster() {
    domain::Snapshot snapshot = small_cluster();
    snapshot.cluster.nodes.clear();
    snapshot.cluster.gpus.clear();
    snapshot.cluster.parts.resize(1);
    snapshot.states.clear();
    snapshot.partitions.resize(1);
    snapshot.partitions[0].nodes.clear();
    snapshot.alike.clear();
    return snapshot;
}

struct Setting {
    domain::Snapshot snapshot = empty_cluster();
    Submission job = batch_job();
    domain::Request request = big_job();
    WaitRule wait_rule;

    void boxes(std::uint32_t count, const Box& box) {
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::size_t number = snapshot.cluster.nodes.size() + 1;
            add_box(snapshot, "n" + std::to_string(number), box);
        }
    }
    void gpus(std::uint32_t count) { request.min_gpus = request.max_gpus = count; }
    void busy(std::uint32_t node, std::initializer_list<std::uint32_t> indices) {
        for (domain::Gpu& gpu : snapshot.cluster.gpus) {
            for (const std::uint32_t index : indices) {
                gpu.is_free = gpu.is_free && !(gpu.node == node && gpu.index == index);
            }
        }
    }
};

// "gres:gpu:2 s1 c4 guaranteed" or "- preferred"
std::string shown(const Planned& planned) {
    constexpr const char* promises[] = {"nothing", "preferred", "guaranteed"};
    const Rewrite& rewrite = planned.rewrite;
    const domain::Placement& placement = planned.decision.placement;
    std::string text = "-";
    if (rewrite.tres_per_socket) {
        text = *rewrite.tres_per_socket + " s" + std::to_string(*rewrite.sockets_per_node) + " c" +
               std::to_string(*rewrite.cores_per_socket);
    }
    text += std::string(" ") + promises[static_cast<std::size_t>(placement.promise)];
    return text + (placement.is_enforced && !placement.is_free ? " waits" : "");
}

struct Row {
    const char* sentence;
    std::function<void(Setting&)> change;
    const char* shown;
};

const Box pairs{};
const Box four_switches{.sockets = 4};
const Box two_of_four{.sockets = 2, .each = 4, .cores = 8};
const Box flat{.kind = domain::PartKind::node};

const Row shapes[] = {
    {"two of four in pairs",
     [](Setting& setting) {
         setting.boxes(2, pairs);
         setting.gpus(2);
     },
     "gres:gpu:2 s1 c4 guaranteed"},
    {"any three of two pairs are alike",
     [](Setting& setting) {
         setting.boxes(2, pairs);
         setting.gpus(3);
     },
     "- nothing"},
    {"all GPUs of a node need no rule",
     [](Setting& setting) {
         setting.boxes(2, pairs);
         setting.gpus(4);
     },
     "- nothing"},
    {"one GPU is always together",
     [](Setting& setting) {
         setting.boxes(2, pairs);
         setting.gpus(1);
     },
     "- nothing"},
    {"four of eight on four switches",
     [](Setting& setting) {
         setting.boxes(1, four_switches);
         setting.gpus(4);
     },
     "gres:gpu:2 s2 c4 guaranteed"},
    {"six of eight on four switches",
     [](Setting& setting) {
         setting.boxes(1, four_switches);
         setting.gpus(6);
     },
     "gres:gpu:2 s3 c4 guaranteed"},
    {"three of eight on four switches cannot be said",
     [](Setting& setting) {
         setting.boxes(1, four_switches);
         setting.gpus(3);
     },
     "- preferred"},
    {"three of eight on two switches",
     [](Setting& setting) {
         setting.boxes(1, two_of_four);
         setting.gpus(3);
     },
     "gres:gpu:3 s1 c6 guaranteed"},
    {"six of eight on two switches use both anyway",
     [](Setting& setting) {
         setting.boxes(1, two_of_four);
         setting.gpus(6);
     },
     "- nothing"},
    {"a pair on each of three nodes",
     [](Setting& setting) {
         setting.boxes(3, pairs);
         setting.gpus(6);
         setting.job.min_nodes = setting.job.max_nodes = 3;
     },
     "gres:gpu:2 s1 c4 guaranteed"},
    {"cores count, not threads",
     [](Setting& setting) {
         setting.boxes(1, Box{.threads = 2});
         setting.gpus(2);
     },
     "gres:gpu:2 s1 c4 guaranteed"},
    {"where CPUs are cores, each is one",
     [](Setting& setting) {
         setting.boxes(1, Box{.threads = 2});
         setting.snapshot.cluster.nodes[0].cpus = 8;
         setting.snapshot.states[0].free_cpus = 8;
         setting.gpus(2);
     },
     "gres:gpu:2 s1 c4 guaranteed"},
};

const Row cautions[] = {
    {"a core is reserved for the system, on one of the sockets",
     [](Setting& setting) {
         setting.boxes(1, pairs);
         setting.snapshot.cluster.nodes[0].cpus = 7;
         setting.snapshot.states[0].free_cpus = 7;
         setting.gpus(2);
         setting.job.cpus_per_task = 2;
     },
     "- preferred"},
    {"without sockets Slurm cannot tell the GPUs apart",
     [](Setting& setting) { setting.boxes(2, Box{.is_known = false}); }, "- nothing"},
    {"a flat node has no GPUs that are nearer", [](Setting& setting) { setting.boxes(2, flat); },
     "- nothing"},
    {"no free pair: the job is not held back",
     [](Setting& setting) {
         setting.boxes(1, pairs);
         setting.busy(0, {0, 2});
     },
     "- preferred"},
    {"unless its owner would rather wait",
     [](Setting& setting) {
         setting.boxes(1, pairs);
         setting.busy(0, {0, 2});
         setting.wait_rule = {.wait = Seconds(600), .is_owners = true};
     },
     "gres:gpu:2 s1 c4 guaranteed waits"},
    {"a free pair anywhere will do",
     [](Setting& setting) {
         setting.boxes(2, pairs);
         setting.busy(0, {0, 2});
     },
     "gres:gpu:2 s1 c4 guaranteed"},
    {"no wait, no rule",
     [](Setting& setting) {
         setting.boxes(1, pairs);
         setting.wait_rule = {.wait = Seconds(0), .is_owners = true};
     },
     "- nothing"},
    {"CPUs that do not fit beside a pair",
     [](Setting& setting) {
         setting.boxes(1, pairs);
         setting.job.cpus_per_task = 3;
     },
     "- preferred"},
    {"CPUs by the GPU that do not fit beside a pair",
     [](Setting& setting) {
         setting.boxes(1, pairs);
         setting.job.cpus_per_gpu = 3;
     },
     "- preferred"},
    {"CPUs by the GPU that fit",
     [](Setting& setting) {
         setting.boxes(1, pairs);
         setting.job.cpus_per_gpu = 1;
     },
     "gres:gpu:2 s1 c2 guaranteed"},
    {"the partition's CPUs by the GPU, where srun says none",
     [](Setting& setting) {
         setting.boxes(1, pairs);
         setting.snapshot.partitions[0].default_cpus_per_gpu = 3;
         setting.job.is_batch = false;
         setting.job.tasks = 2;
     },
     "- preferred"},
    {"the user's own sockets or bindings",
     [](Setting& setting) {
         setting.boxes(1, pairs);
         setting.job.has_own_layout = true;
     },
     "- nothing"},
    {"GPUs that the user counted are placed as well",
     [](Setting& setting) {
         setting.boxes(1, pairs);
         setting.job.gpus.per_node = 2;
         setting.job.gpus.type = "titanx";
     },
     "gres:gpu:titanx:2 s1 c4 guaranteed"},
    {"a flat node in the partition makes it uncertain",
     [](Setting& setting) {
         setting.boxes(1, pairs);
         setting.boxes(1, Box{.sockets = 1, .each = 4, .cores = 8, .kind = flat.kind});
     },
     "gres:gpu:2 s1 c4 preferred"},
    {"so do larger sockets where several are named",
     [](Setting& setting) {
         setting.boxes(1, four_switches);
         setting.boxes(1, two_of_four);
         setting.gpus(4);
         setting.busy(1, {0, 1, 2, 3, 4});
     },
     "gres:gpu:2 s2 c4 preferred"},
    {"real sockets are called so",
     [](Setting& setting) { setting.boxes(1, Box{.kind = domain::PartKind::socket}); },
     "gres:gpu:2 s1 c4 guaranteed"},
};

void expect_shown(std::span<const Row> rows) {
    for (const Row& row : rows) {
        Setting setting;
        setting.gpus(2);
        row.change(setting);
        const Planned planned = plan_request(setting.job, setting.request, setting.snapshot,
                                             debian12, setting.wait_rule);
        EXPECT_EQ(shown(planned), row.shown)
            << row.sentence << ": " << planned.decision.remark << planned.decision.placement.what;
    }
}

TEST(Placement, SaysWhatSlurmCanBeTold) {
    expect_shown(shapes);
}

TEST(Placement, HoldsNoJobBackWithoutReason) {
    expect_shown(cautions);
}

// Of the whole node's CPUs each GPU has its part; those of a socket may be fewer.
struct Share {
    const char* sentence;
    std::function<void(Setting&)> change;
    const char* shown;
    std::optional<std::uint32_t> cpus_per_task;
};

void reserve_cores(Setting& setting, std::uint32_t cores, std::uint32_t node = 0) {
    setting.snapshot.cluster.nodes[node].cpus -= cores;
    setting.snapshot.states[node].free_cpus -= cores;
}

// Two GPUs on each of two nodes.
void two_nodes(Setting& setting) {
    setting.boxes(2, Box{.cores = 16});
    setting.gpus(4);
    setting.job.min_nodes = setting.job.max_nodes = 2;
}

const Share shares[] = {
    {"that fits beside a pair", [](Setting& setting) { setting.boxes(1, Box{.cores = 16}); },
     "gres:gpu:2 s1 c16 guaranteed", 8},
    {"cores that are reserved may all be of the pair's socket",
     [](Setting& setting) {
         setting.boxes(1, Box{.cores = 16});
         reserve_cores(setting, 4);
     },
     "gres:gpu:2 s1 c12 guaranteed", 6},
    {"the first of two nodes has fewer",
     [](Setting& setting) {
         two_nodes(setting);
         reserve_cores(setting, 4, 0);
     },
     "gres:gpu:2 s1 c12 guaranteed", 6},
    {"the second of two nodes has fewer",
     [](Setting& setting) {
         two_nodes(setting);
         reserve_cores(setting, 4, 1);
     },
     "gres:gpu:2 s1 c12 guaranteed", 6},
    {"sockets without GPUs bring CPUs that are not beside a pair",
     [](Setting& setting) {
         setting.boxes(1, pairs);
         setting.snapshot.cluster.nodes[0].cpus = setting.snapshot.states[0].free_cpus = 16;
         setting.snapshot.states[0].sockets = 4;
     },
     "gres:gpu:2 s1 c4 guaranteed", 2},
    {"a launcher's too",
     [](Setting& setting) {
         setting.boxes(1, Box{.cores = 16});
         reserve_cores(setting, 4);
         setting.job.tasks_per_node = 1;
     },
     "gres:gpu:2 s1 c12 guaranteed", 12},
    {"whole cores",
     [](Setting& setting) {
         setting.boxes(1, Box{.cores = 16, .threads = 2});
         reserve_cores(setting, 6);
     },
     "gres:gpu:2 s1 c12 guaranteed", 12},
    {"the owner's own CPUs are left",
     [](Setting& setting) {
         setting.boxes(1, Box{.cores = 16});
         reserve_cores(setting, 4);
         setting.job.cpus_per_task = 7;
     },
     "- preferred", std::nullopt},
    {"and so are Hora's where the pair is not free",
     [](Setting& setting) {
         setting.boxes(1, Box{.cores = 16});
         reserve_cores(setting, 4);
         setting.busy(0, {0, 2});
     },
     "- preferred", 7},
};

TEST(Placement, TakesNoMoreCpusThanAreBesideTheGpus) {
    for (const Share& share : shares) {
        SCOPED_TRACE(share.sentence);
        Setting setting;
        setting.gpus(2);
        share.change(setting);
        const Planned planned = plan_request(setting.job, setting.request, setting.snapshot,
                                             debian12, setting.wait_rule);
        EXPECT_EQ(shown(planned), share.shown) << planned.decision.placement.what;
        EXPECT_EQ(planned.rewrite.cpus_per_task, share.cpus_per_task);
    }
}

TEST(Placement, NamesTheWaitAndThePlace) {
    Setting setting;
    setting.boxes(2, pairs);
    setting.gpus(4);
    setting.job.min_nodes = 2;
    const Planned planned =
        plan_request(setting.job, setting.request, setting.snapshot, debian12, setting.wait_rule);
    EXPECT_EQ(planned.decision.placement.what, "each node's 2 GPUs on one switch");
    EXPECT_EQ(planned.decision.placement.wait, Seconds(300));
    EXPECT_EQ(planned.decision.changes.back().field, "environment");
}

// Whatever the cluster and the job, enough nodes of the scope could satisfy the rule once idle.
RC_GTEST_PROP(Placement, NeverAsksForWhatNoNodeCanGive, ()) {
    Setting setting;
    const auto kinds = *rc::gen::inRange(1, 4);
    for (int kind = 0; kind < kinds; ++kind) {
        const Box box{.sockets = static_cast<std::uint32_t>(*rc::gen::inRange(1, 5)),
                      .each = static_cast<std::uint32_t>(*rc::gen::inRange(1, 5)),
                      .cores = static_cast<std::uint32_t>(*rc::gen::inRange(1, 9)),
                      .threads = static_cast<std::uint32_t>(*rc::gen::inRange(1, 3)),
                      .is_known = *rc::gen::inRange(0, 5) > 0,
                      .kind = *rc::gen::element(domain::PartKind::pcie_switch,
                                                domain::PartKind::socket, domain::PartKind::node)};
        setting.boxes(static_cast<std::uint32_t>(*rc::gen::inRange(1, 4)), box);
    }
    for (domain::Gpu& gpu : setting.snapshot.cluster.gpus) {
        gpu.is_free = *rc::gen::inRange(0, 3) > 0;
    }
    for (std::size_t node = 0; node < setting.snapshot.cluster.nodes.size(); ++node) {
        std::uint32_t& cpus = setting.snapshot.cluster.nodes[node].cpus;
        cpus -= *rc::gen::inRange(0U, cpus);
        setting.snapshot.states[node].free_cpus = cpus;
    }
    setting.gpus(static_cast<std::uint32_t>(*rc::gen::inRange(1, 9)));
    if (*rc::gen::arbitrary<bool>()) {
        setting.job.cpus_per_task = static_cast<std::uint32_t>(*rc::gen::inRange(1, 6));
    }
    setting.wait_rule.is_owners = *rc::gen::arbitrary<bool>();
    const Planned planned =
        plan_request(setting.job, setting.request, setting.snapshot, debian12, setting.wait_rule);
    RC_CLASSIFY(planned.rewrite.tres_per_socket.has_value());
    if (!planned.rewrite.tres_per_socket) {
        RC_SUCCEED("no rule");
    }
    const SocketRule rule{
        planned.decision.gpus / planned.decision.nodes / *planned.rewrite.sockets_per_node,
        *planned.rewrite.sockets_per_node, *planned.rewrite.cores_per_socket};
    std::uint32_t able = 0;
    for (std::uint32_t node = 0; node < setting.snapshot.cluster.nodes.size(); ++node) {
        able += is_satisfiable(rule, sockets_of(node, "titanx", setting.snapshot)) ? 1 : 0;
    }
    RC_ASSERT(able >= planned.decision.nodes);
    RC_ASSERT(rule.gpus_per_socket * rule.sockets * planned.decision.nodes ==
              planned.decision.gpus);
    const std::uint32_t tasks = planned.rewrite.ntasks_per_node.value_or(1);
    const std::uint32_t cpus =
        tasks * planned.rewrite.cpus_per_task.value_or(setting.job.cpus_per_task.value_or(1));
    RC_ASSERT(cpus <= rule.sockets * rule.cores_per_socket * 2);
    RC_ASSERT(planned.rewrite.min_cpus == cpus * planned.decision.nodes);
}

}  // namespace
}  // namespace hora::request
