#include "scripts/horad/resize/resize_shape.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "scripts/horad/resize/resize_rules.hpp"
#include "tests/unit/horad/resize/planned_job.hpp"

namespace hora::horad {
namespace {

SnapshotShaper shaper_of(const std::vector<std::uint32_t>& free) {
    return {snapshot_with(free), version, Seconds(300), memory_in};
}

TEST(ResizeShape, takes_the_fewest_nodes_that_can_hold_it_now) {
    struct Case {
        const char* name;
        std::vector<std::uint32_t> free;  // on n1 to n6, beside the job's own two on n1
        std::uint32_t gpus;
        std::uint32_t nodes;  // 0: refused
    };
    const Case cases[] = {
        {"one fits where it runs", {0, 0, 0, 0, 0, 0}, 1, 1},
        {"four fit on its own node", {2, 0, 0, 0, 0, 0}, 4, 1},
        {"four fit on another", {0, 4, 0, 0, 0, 0}, 4, 1},
        {"four go to two nodes", {0, 2, 0, 0, 0, 0}, 4, 2},
        {"four go to four nodes", {0, 1, 1, 1, 0, 0}, 4, 4},
        {"three on one node, and none on unequal ones", {0, 1, 0, 0, 0, 0}, 3, 0},
        {"eight go to two whole nodes", {2, 4, 0, 0, 0, 0}, 8, 2},
        {"another type of GPU is none of its", {0, 0, 0, 0, 4, 4}, 4, 0},
        {"five fit on no node", {2, 4, 4, 4, 4, 4}, 5, 0},
        {"twelve on three", {2, 4, 4, 0, 0, 0}, 12, 3},
    };
    for (const Case& row : cases) {
        const auto shape = shaper_of(row.free).shape(job_on_n1(), row.gpus);
        ASSERT_EQ(shape.has_value(), row.nodes != 0) << row.name;
        if (!shape) {
            continue;
        }
        EXPECT_EQ(shape->nodes, row.nodes) << row.name;
        EXPECT_EQ(shape->tasks, row.gpus) << row.name;
        EXPECT_EQ(shape->tasks_per_node, row.gpus / row.nodes) << row.name;
        EXPECT_EQ(shape->cpus, 2 * row.gpus) << row.name;
        EXPECT_EQ(shape->tres_per_node, "gres:gpu:" + std::to_string(row.gpus / row.nodes))
            << row.name;
    }
}

TEST(ResizeShape, keeps_to_what_its_owner_may_have) {
    struct Case {
        const char* name;
        std::function<void(domain::Snapshot& cluster)> limit;
        std::uint32_t most;  // GPUs, of 16 that are free
        const char* why;
    };
    const auto of_qos = [](domain::Caps domain::Allowance::*kind, domain::Caps caps,
                           const std::string& user = {}) {
        return [=](domain::Snapshot& cluster) {
            domain::Allowance row;
            row.qos = "short";
            row.user = user;
            row.*kind = caps;
            cluster.allowances.push_back(row);
        };
    };
    using domain::Allowance;
    const Case cases[] = {
        {"CPUs of a job", of_qos(&Allowance::per_job, {{}, {}, 8}), 4, "leaves it 8 CPUs"},
        {"nodes of a user", of_qos(&Allowance::per_user, {{}, 1, {}}), 4, "leaves it 1 node"},
        {"what a user has left, beside its own", of_qos(&Allowance::per_user, {{}, {}, 4}, "alice"),
         4, "leaves it 8 CPUs"},
        {"memory of a job, by the CPU", of_qos(&Allowance::per_job, {{}, {}, {}, 8000, {}}), 4,
         "leaves it 8000 MiB of memory"},
        {"memory that a user has left, beside its own",
         of_qos(&Allowance::per_user, {{}, {}, {}, 4000, {}}, "alice"), 4, "leaves it 8000 MiB"},
        {"billing of a group", of_qos(&Allowance::left, {{}, {}, {}, {}, 30}), 8,
         "leaves it 40 units of billing"},
        {"what a group has left", of_qos(&Allowance::left, {1, {}, {}}), 3, "leaves it 3 GPUs"},
        {"CPUs of a node", of_qos(&Allowance::per_node, {{}, {}, 2}), 4,
         "leaves it 2 CPUs of a node"},
        {"MaxNodes", [](domain::Snapshot& cluster) { cluster.partitions[0].max_nodes = 1; }, 4,
         "partition \"p\" leaves it 1 node"},
        {"MaxCPUsPerNode",
         [](domain::Snapshot& cluster) { cluster.partitions[0].max_cpus_per_node = 2; }, 4,
         "partition \"p\" leaves it 2 CPUs of a node"},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const auto snapshot = snapshot_with({2, 4, 4, 4, 0, 0});
        snapshot->users = {{1000, "alice", {}, {}}};
        each.limit(*snapshot);
        slurm::Job job = job_on_n1();
        job.uid = 1000;
        job.qos = "short";
        job.charge = {.memory = 4000, .billing = 10, .memory_follows = slurm::MemoryFollows::cpus};
        const SnapshotShaper shaper(snapshot, version, Seconds(300), memory_in);
        EXPECT_TRUE(shaper.shape(job, each.most)) << shaper.shape(job, each.most).error().message;
        const auto more = shaper.shape(job, 16);
        ASSERT_FALSE(more);
        EXPECT_NE(more.error().message.find(each.why), std::string::npos) << more.error().message;
    }
}

TEST(ResizeShape, counts_only_nodes_that_are_its_own_to_have) {
    const auto snapshot = snapshot_with({2, 4, 4, 4, 0, 0});
    snapshot->reservations.push_back({"course", {2, 3}, 0, 20000});
    slurm::Job job = job_on_n1();
    job.updated = 10000;
    const SnapshotShaper shaper(snapshot, version, Seconds(300), memory_in);
    EXPECT_TRUE(shaper.shape(job, 8));
    EXPECT_FALSE(shaper.shape(job, 12)) << "n3 and n4 are reserved";
    job.reservation = "course";
    EXPECT_TRUE(shaper.shape(job, 8)) << "n3 and n4";
    EXPECT_FALSE(shaper.shape(job, 12));
}

// It would wait for what runs there without GPUs.
TEST(ResizeShape, gives_an_exclusive_job_only_nodes_on_which_nothing_runs) {
    const auto snapshot = snapshot_with({2, 4, 4, 0, 0, 0});
    snapshot->states[0].free_cpus = 0;  // all are its own
    snapshot->states[2].free_cpus = 7;
    slurm::Job job = job_on_n1();
    job.shape.cpus_per_task = 1;
    const SnapshotShaper shaper(snapshot, version, Seconds(300), memory_in);
    EXPECT_TRUE(shaper.shape(job, 12)) << "n1, n2 and n3";
    job.is_exclusive = true;
    EXPECT_TRUE(shaper.shape(job, 8)) << "n1 and n2";
    EXPECT_FALSE(shaper.shape(job, 12)) << "a CPU of n3 is taken";
    job.state = slurm::JobState::pending;
    EXPECT_TRUE(shaper.shape(job, 12)) << "one that waits may wait for n3";
}

TEST(ResizeShape, starts_nothing_on_a_node_that_does_not_answer) {
    const auto silent = [](const std::vector<std::uint32_t>& free) {
        const auto snapshot = snapshot_with(free);
        snapshot->states[0].answers = false;
        return SnapshotShaper(snapshot, version, Seconds(300), memory_in);
    };
    // On the GPUs that it has there, it would wait.
    EXPECT_FALSE(silent({0, 0, 0, 0, 0, 0}).shape(job_on_n1(), 1));
    EXPECT_TRUE(silent({0, 1, 0, 0, 0, 0}).shape(job_on_n1(), 1));
    EXPECT_FALSE(silent({0, 2, 0, 0, 0, 0}).shape(job_on_n1(), 4));
    EXPECT_TRUE(silent({0, 4, 0, 0, 0, 0}).shape(job_on_n1(), 4));
}

TEST(ResizeShape, takes_whole_nodes_where_the_owner_wants_them) {
    domain::Decision decision = decision_of();
    decision.options.emplace_back("hora-sizes", "nodes");
    slurm::Job job = job_on_n1(decision);
    job.shape.tres_per_node = "gres:gpu:4";
    job.shape.tasks_per_node = 4;
    const auto shaper = shaper_of({2, 4, 4, 0, 0, 0});
    EXPECT_EQ(shaper.shape(job, 8)->nodes, 2U);
    EXPECT_FALSE(shaper.shape(job, 2)) << "half a node";
    EXPECT_FALSE(shaper.shape(job, 6)) << "three GPUs on each of two";
}

TEST(ResizeShape, falls_back_to_allowed_sizes_only) {
    struct Case {
        const char* name;
        std::vector<std::uint32_t> free;
        std::uint32_t min;
        std::vector<std::uint32_t> sizes;
        std::uint32_t gpus;
    };
    const Case cases[] = {
        {"any", {1, 0, 0, 0, 0, 0}, 1, {}, 3},
        {"the next power", {1, 0, 0, 0, 0, 0}, 1, {1, 2, 4}, 2},
        {"nothing is free: the least that is allowed", {0, 0, 0, 0, 0, 0}, 3, {4, 8}, 4},
    };
    for (const Case& row : cases) {
        const Resize resize{.job = 7,
                            .restarts = 0,
                            .from = 2,
                            .to = 8,
                            .min = row.min,
                            .sizes = row.sizes,
                            .why = {}};
        const auto shape = shaper_of(row.free).fallback(job_on_n1(), resize, 8);
        ASSERT_TRUE(shape.has_value()) << row.name;
        EXPECT_EQ(shape->tasks, row.gpus) << row.name;
    }
}

TEST(ResizeShape, keeps_what_the_owner_fixed) {
    const auto shaper = shaper_of({2, 4, 4, 4, 0, 0});
    const auto one_per_node =
        job_on_n1(decision_of({"min_nodes", "max_nodes", "num_tasks", "ntasks_per_node"}));
    EXPECT_FALSE(shaper.shape(one_per_node, 4)) << "--gpus-per-node=2 is one node";
    domain::Decision several = decision_of({"min_nodes", "num_tasks", "ntasks_per_node"});
    several.changes.push_back({"max_nodes", "4", "1"});
    const auto per_node = job_on_n1(several);
    EXPECT_EQ(shaper.shape(per_node, 4)->nodes, 2U) << "--gpus-per-node=2 --nodes=1-4";
    EXPECT_FALSE(shaper.shape(per_node, 3)) << "--gpus-per-node=2 --nodes=1-4";
    const auto one_node = job_on_n1(decision_of({"num_tasks", "ntasks_per_node", "tres_per_node"}));
    EXPECT_FALSE(shaper.shape(one_node, 8)) << "--nodes=1";
    domain::Decision of_launcher = decision_of({"min_nodes", "num_tasks"});
    of_launcher.changes.push_back({"max_nodes", "4", "1"});
    slurm::Job launcher = job_on_n1(of_launcher);
    launcher.shape.tasks = 1;
    launcher.shape.tasks_per_node = 1;
    EXPECT_EQ(shaper.shape(launcher, 8)->tasks, 4U)
        << "--ntasks-per-node=1 --gpus-per-node=2 --nodes=1-4: one a node";
    const auto pairs =
        job_on_n1(decision_of({"min_nodes", "max_nodes", "num_tasks", "tres_per_node"}));
    EXPECT_EQ(shaper.shape(pairs, 4)->nodes, 2U) << "--ntasks-per-node=2: a GPU each";
    EXPECT_FALSE(shaper.shape(pairs, 3)) << "--ntasks-per-node=2: a GPU each";
    domain::Decision two_at_most =
        decision_of({"min_nodes", "num_tasks", "ntasks_per_node", "tres_per_node"});
    two_at_most.changes.push_back({"max_nodes", "2", "1"});
    EXPECT_EQ(shaper.shape(job_on_n1(two_at_most), 8)->nodes, 2U) << "--nodes=1-2";
    EXPECT_FALSE(shaper.shape(job_on_n1(two_at_most), 12)) << "--nodes=1-2";
    slurm::Job excluded = job_on_n1();
    excluded.excluded_nodes = "n[2-4]";
    EXPECT_FALSE(shaper.shape(excluded, 8)) << "--exclude";
    slurm::Job bound = job_on_n1();
    bound.required_nodes = "n1";
    EXPECT_EQ(shaper.shape(bound, 4)->nodes, 1U) << "--nodelist";
    EXPECT_FALSE(shaper.shape(bound, 8)) << "--nodelist";
}

// As Hora writes it down of --ntasks-per-node=1 or --hora-launch=node: two GPUs and four CPUs for
// the one task of n1.
slurm::Job launcher_on_n1(const char* cpus_said) {
    domain::Decision decision = decision_of({"min_nodes", "max_nodes", "tres_per_node"});
    decision.changes.push_back({"num_tasks", "", "1"});
    if (*cpus_said == '\0') {
        decision.changes.push_back({"cpus_per_task", "", "4"});
    }
    slurm::Job job = job_on_n1(decision);
    job.shape.cpus_per_task = 4;
    job.shape.tasks = 1;
    job.shape.tasks_per_node = 1;
    return job;
}

TEST(ResizeShape, keeps_one_task_a_node_for_a_launcher) {
    struct Case {
        const char* name;
        std::vector<std::uint32_t> free;
        std::uint32_t gpus;
        const char* cpus_said;
        std::uint32_t nodes;
        std::uint32_t cpus_of_task;
    };
    const Case cases[] = {
        {"grows on its node, and its CPUs with it", {2, 0, 0, 0, 0, 0}, 4, "", 1, 8},
        {"grows over nodes", {2, 4, 0, 0, 0, 0}, 8, "", 2, 8},
        {"shrinks to a single GPU", {0, 0, 0, 0, 0, 0}, 1, "", 1, 2},
        {"spreads where no node has room", {0, 2, 0, 0, 0, 0}, 4, "", 2, 4},
        {"keeps the CPUs that its owner said", {2, 0, 0, 0, 0, 0}, 4, "-c4", 1, 4},
    };
    for (const Case& row : cases) {
        const auto shape = shaper_of(row.free).shape(launcher_on_n1(row.cpus_said), row.gpus);
        ASSERT_TRUE(shape.has_value()) << row.name << ": " << shape.error().message;
        EXPECT_EQ(shape->nodes, row.nodes) << row.name;
        EXPECT_EQ(shape->tasks, row.nodes) << row.name;
        EXPECT_EQ(shape->tasks_per_node, 1U) << row.name;
        EXPECT_EQ(shape->cpus_per_task, row.cpus_of_task) << row.name;
        EXPECT_EQ(shape->cpus, row.nodes * row.cpus_of_task) << row.name;
    }
}

TEST(ResizeShape, keeps_a_number_of_gpus_that_the_owner_fixed) {
    struct Case {
        const char* name;
        std::vector<std::string> open;
        std::vector<domain::FieldChange> changed;
        const char* why;  // "": it may be resized
    };
    const std::vector<std::string> all{"min_nodes", "max_nodes", "num_tasks", "ntasks_per_node",
                                       "tres_per_node"};
    const Case cases[] = {
        {"nothing said", all, {}, ""},
        {"--gpus=2",
         all,
         {{"tres_per_job", "gres:gpu:2", ""}},
         "its owner fixed its GPUs (--gpus)"},
        {"--ntasks=2",
         {"min_nodes", "max_nodes", "ntasks_per_node", "tres_per_node"},
         {},
         "its owner fixed the number of its tasks, and so of its GPUs"},
        {"--ntasks=2 --gpus-per-node=1",
         {"min_nodes", "max_nodes", "ntasks_per_node"},
         {},
         "its owner fixed the number of its tasks, and so of its GPUs"},
        {"--ntasks=2 --ntasks-per-node=2",
         {"min_nodes", "max_nodes", "tres_per_node"},
         {},
         "its owner fixed the number of its tasks, and so of its GPUs"},
        {"--nodes=1 --gpus-per-node=2",
         {"num_tasks", "ntasks_per_node"},
         {},
         "its owner fixed its nodes and the GPUs of each"},
        {"--nodes=1 --gpus-per-node=2, and the type was added",
         {"num_tasks", "ntasks_per_node"},
         {{"tres_per_node", "gres:gpu:2", "gres:gpu:titanx:2"}},
         "its owner fixed its nodes and the GPUs of each"},
        {"--nodes=1 --ntasks-per-node=2",
         {"num_tasks", "tres_per_node"},
         {},
         "its owner fixed its nodes and the GPUs of each"},
        {"--nodes=1 --hora-gpus=1-4", {"num_tasks", "ntasks_per_node", "tres_per_node"}, {}, ""},
        {"--ntasks-per-node=1",
         {"min_nodes", "max_nodes", "tres_per_node"},
         {{"num_tasks", "", "1"}},
         ""},
        {"--nodes=1-2 --gpus-per-node=2",
         {"num_tasks", "ntasks_per_node"},
         {{"max_nodes", "2", "1"}},
         ""},
    };
    const auto shaper = shaper_of({2, 4, 4, 4, 0, 0});
    for (const Case& row : cases) {
        domain::Decision decision = decision_of(row.open);
        decision.changes.insert(decision.changes.end(), row.changed.begin(), row.changed.end());
        EXPECT_EQ(why_fixed(decision), row.why) << row.name;
        const auto shape = shaper.shape(job_on_n1(decision), 4);
        ASSERT_EQ(shape.has_value(), *row.why == '\0') << row.name;
        if (!shape) {
            EXPECT_EQ(shape.error().message, std::string("job 7 cannot be resized: ") + row.why)
                << row.name;
        }
    }
}

TEST(ResizeShape, refuses_a_job_that_hora_did_not_write) {
    const auto shaper = shaper_of({2, 4, 4, 4, 0, 0});
    slurm::Job foreign = job_on_n1();
    foreign.admin_comment = "";
    EXPECT_FALSE(shaper.shape(foreign, 1));
    domain::Decision advised = decision_of();
    advised.operating = "advise";
    EXPECT_FALSE(shaper.shape(job_on_n1(advised), 1));
    domain::Decision balanced = decision_of();
    balanced.mode = domain::Mode::balanced;
    EXPECT_FALSE(shaper.shape(job_on_n1(balanced), 1));
    slurm::Job by_job = job_on_n1();
    by_job.tres_per_job = "gres:gpu:2";
    EXPECT_FALSE(shaper.shape(by_job, 1));
}

TEST(ResizeShape, lets_a_pending_job_ask_for_what_is_busy_now) {
    slurm::Job job = job_on_n1();
    job.state = slurm::JobState::pending;
    job.allocation.clear();
    EXPECT_EQ(shaper_of({0, 0, 0, 0, 0, 0}).shape(job, 8)->nodes, 2U);
}

TEST(ResizeShape, falls_back_to_the_largest_that_fits_now_else_to_the_least) {
    slurm::Job job = job_on_n1();
    job.state = slurm::JobState::pending;
    job.allocation.clear();
    Resize resize;
    resize.min = 1;
    EXPECT_EQ(shaper_of({0, 3, 0, 0, 0, 0}).fallback(job, resize, 8)->tasks, 3U);
    resize.sizes = {1, 2, 4, 8};
    EXPECT_EQ(shaper_of({0, 3, 0, 0, 0, 0}).fallback(job, resize, 8)->tasks, 2U);
    resize.min = 2;
    EXPECT_EQ(shaper_of({0, 0, 0, 0, 0, 0}).fallback(job, resize, 8)->tasks, 2U);
}

}  // namespace
}  // namespace hora::horad
