#include "plugins/spank/ring/ring_place.hpp"

#include <gtest/gtest.h>

#include "libplanner/read/slurm/hostlist.hpp"
#include "plugins/spank/variables/task_environment.hpp"
#include "tests/unit/spank/machine.hpp"
#include "tests/unit/spank/some_variables.hpp"

namespace hora::spank {
namespace {

ComputeSettings act_but_in_quiet() {
    ComputeSettings settings;
    settings.acts = true;
    settings.partition_acts = {{"quiet", false}};
    return settings;
}
const ComputeSettings acting = act_but_in_quiet();

// The second of four tasks on a node of two, with all its GPUs.
Variables task() {
    return {{"SLURM_JOB_ID", "17"},
            {"SLURM_PROCID", "1"},
            {"SLURM_STEP_NUM_TASKS", "8"},
            {"SLURM_LOCALID", "1"},
            {"SLURM_NODEID", "0"},
            {"SLURM_STEP_NODELIST", "n[1-2]"},
            {"SLURM_STEP_TASKS_PER_NODE", "4(x2)"},
            {"SLURM_SPANK_HORA_RANKS", "n[1-2]"},
            {"SLURM_SPANK_HORA_BIND", "auto"},
            {"SLURM_STEP_GPUS", "0,1,2,3"},
            {"SLURM_GPUS_ON_NODE", "4"},
            {"CUDA_VISIBLE_DEVICES", "0,1,2,3"},
            {"GPU_DEVICE_ORDINAL", "0,1,2,3"},
            {"ROCR_VISIBLE_DEVICES", "0,1,2,3"}};
}

TaskFacts facts() {
    TaskFacts facts;
    facts.options = {{"hora-batch", "10"}};
    facts.job = 17;
    facts.tasks = 8;
    facts.topology_file = "topology.json";
    facts.topology = two_pairs();
    facts.cpus = {0, 1, 2, 3, 4, 5, 6, 7};
    return facts;
}

TaskFacts facts_of_script() {
    TaskFacts of_script = facts();
    of_script.is_batch = true;
    return of_script;
}

std::string value(const Prepared& prepared, std::string_view name) {
    const std::string* const found = prepared.environment.find(name);
    return found == nullptr ? "(not set)" : *found;
}

TEST(RingPlace, OrdersTheDevicesOfATask) {
    const Prepared found = prepare(Environment(task()), facts(), acting);
    EXPECT_EQ(value(found, "CUDA_VISIBLE_DEVICES"), "0,2,1,3");
    EXPECT_EQ(value(found, "ROCR_VISIBLE_DEVICES"), "0,2,1,3");
    EXPECT_EQ(value(found, "GPU_DEVICE_ORDINAL"), "0,1,2,3");
    EXPECT_EQ(value(found, "HORA_RING"), "nodes=n1,n2;gpus=0,2,1,3;bottleneck=1.25e+09");
    EXPECT_EQ(value(found, "SLURM_SPANK_HORA_BIND"), "(not set)");
    // The second GPU of the ring is number 2, on the first socket.
    EXPECT_EQ(found.cpus, (Cpus{0, 1, 2, 3}));
    EXPECT_TRUE(found.remarks.empty());
}

TEST(RingPlace, GoesByThePlaceInSlurmsLists) {
    const Prepared found =
        prepare(Environment(with(task(), {{"SLURM_STEP_NODELIST", "n1"},
                                          {"SLURM_STEP_TASKS_PER_NODE", "3"},
                                          {"SLURM_STEP_NUM_TASKS", "3"},
                                          {"SLURM_STEP_GPUS", "1,2,3"},
                                          {"SLURM_GPUS_ON_NODE", "3"},
                                          {"CUDA_VISIBLE_DEVICES", "0,GPU-7,2"}})),
                facts(), acting);
    EXPECT_EQ(value(found, "HORA_RING"), "nodes=n1;gpus=1,2,3;bottleneck=6e+09");
    EXPECT_EQ(value(found, "CUDA_VISIBLE_DEVICES"), "0,GPU-7,2");
}

TEST(RingPlace, TellsTheOrderOfTheRanks) {
    const Variables ranks{{"SLURM_SPANK_HORA_RANKS", "n2,n1"},
                          {"SLURM_HOSTFILE", "/proc/self/fd/3"},
                          {"SLURM_DISTRIBUTION", "arbitrary"}};
    EXPECT_EQ(value(prepare(Environment(with(task(), ranks)), facts(), acting), "HORA_RING"),
              "nodes=n2,n1;gpus=0,2,1,3;bottleneck=1.25e+09");
    // A user's host file, or the rules of a release: only srun knows the order.
    for (const char* const unknown : {"", "n2", "n2,n3"}) {
        const Variables told{{"SLURM_SPANK_HORA_RANKS", unknown}};
        EXPECT_EQ(value(prepare(Environment(with(task(), told)), facts(), acting), "HORA_RING"),
                  "gpus=0,2,1,3;bottleneck=1.25e+09")
            << unknown;
    }
}

TEST(RingPlace, AScriptOnSeveralNodesHasNoRanks) {
    const Variables script{{"SLURM_JOB_ID", "17"},
                           {"SLURM_JOB_NODELIST", "n[1-3]"},
                           {"SLURM_JOB_GPUS", "0,1,2,3"},
                           {"SLURM_GPUS_ON_NODE", "4"},
                           {"CUDA_VISIBLE_DEVICES", "0,1,2,3"}};
    const Prepared found = prepare(Environment(script), facts_of_script(), acting);
    EXPECT_EQ(value(found, "HORA_RING"), "gpus=0,2,1,3;bottleneck=1.25e+09");
    EXPECT_EQ(value(found, "CUDA_VISIBLE_DEVICES"), "0,2,1,3");
    EXPECT_TRUE(found.cpus.empty());
    EXPECT_EQ(value(prepare(Environment(with(script, {{"SLURM_JOB_NODELIST", "n1"}})),
                            facts_of_script(), acting),
                    "HORA_RING"),
              "nodes=n1;gpus=0,1,3,2;bottleneck=6e+09");
    // Each step has its own.
    TaskFacts of_step = facts();
    of_step.options.clear();
    const Prepared step =
        prepare(Environment(with(found.environment.variables(), task())), of_step, acting);
    EXPECT_EQ(value(step, "HORA_RING"), "nodes=n1,n2;gpus=0,2,1,3;bottleneck=1.25e+09");
}

TEST(RingPlace, LeavesWhatIsSwitchedOffOrUnknown) {
    ComputeSettings off = acting;
    off.places_ring = false;
    TaskFacts without = facts();
    without.topology.reset();
    const struct {
        const char* sentence;
        Variables variables;
        TaskFacts facts;
        ComputeSettings settings;
        const char* ring;
    } cases[] = {
        {"ring.place is off", task(), facts(), off, "nodes=n1,n2;gpus=0,1,2,3;bottleneck=1.25e+09"},
        {"a site that only watches",
         task(),
         facts(),
         {},
         "nodes=n1,n2;gpus=0,1,2,3;bottleneck=1.25e+09"},
        {"a partition that only watches", with(task(), {{"SLURM_JOB_PARTITION", "quiet"}}), facts(),
         acting, "nodes=n1,n2;gpus=0,1,2,3;bottleneck=1.25e+09"},
        {"no topology", task(), without, acting, "nodes=n1,n2;gpus=0,1,2,3;bottleneck=1.25e+09"},
        {"lists that disagree", with(task(), {{"SLURM_STEP_GPUS", "0,1"}}), facts(), acting,
         "nodes=n1,n2;bottleneck=1.25e+09"},
        {"a user's own word", with(task(), {{"HORA_RING", "mine"}}), without, acting, "mine"},
    };
    for (const auto& c : cases) {
        const Prepared found = prepare(Environment(c.variables), c.facts, c.settings);
        EXPECT_EQ(value(found, "CUDA_VISIBLE_DEVICES"), "0,1,2,3") << c.sentence;
        EXPECT_EQ(value(found, "HORA_RING"), c.ring) << c.sentence;
        EXPECT_TRUE(found.cpus.empty()) << c.sentence;
        EXPECT_TRUE(found.remarks.empty()) << c.sentence;
    }
}

TEST(RingPlace, FollowsTheControllerWhereTheNodeHasNoSettings) {
    const Variables script = with(task(), {{"SLURM_SPANK_HORA_MODE", "sync"},
                                           {"SLURM_JOB_GPUS", "0,1,2,3"},
                                           {"SLURM_JOB_NODELIST", "n[1-2]"}});
    const Prepared found = prepare(Environment(script), facts_of_script(), {});
    EXPECT_EQ(value(found, "CUDA_VISIBLE_DEVICES"), "0,2,1,3");
    TaskFacts of_step = facts();
    of_step.options.clear();
    const Prepared step =
        prepare(Environment(with(found.environment.variables(), task())), of_step, {});
    EXPECT_EQ(value(step, "CUDA_VISIBLE_DEVICES"), "0,2,1,3");
}

TEST(RingPlace, KeepsTheCpusOfAUserWhoBoundThem) {
    Variables hungry = task();
    hungry["SLURM_CPUS_PER_TASK"] = "6";
    EXPECT_EQ(prepare(Environment(hungry), facts(), acting).cpus, facts().cpus);
    Variables bound = task();
    bound.erase("SLURM_SPANK_HORA_BIND");
    EXPECT_TRUE(prepare(Environment(bound), facts(), acting).cpus.empty());
    // Two tasks for four GPUs: which of them each drives is not known.
    const Variables shared =
        with(task(), {{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_STEP_TASKS_PER_NODE", "2(x2)"}});
    EXPECT_EQ(prepare(Environment(shared), facts(), acting).cpus, facts().cpus);
}

TEST(RingPlace, TellsOnceWhatIsolationCosts) {
    const Variables isolated =
        with(task(), {{"SLURM_STEP_GPUS", "1"}, {"CUDA_VISIBLE_DEVICES", "1"}});
    const Prepared found = prepare(Environment(isolated), facts(), acting);
    ASSERT_EQ(found.remarks.size(), 1U);
    EXPECT_EQ(found.remarks.front().substr(0, 34), "each task sees only its own GPUs (");
    EXPECT_EQ(value(found, "CUDA_VISIBLE_DEVICES"), "1");
    EXPECT_EQ(found.cpus, (Cpus{4, 5, 6, 7}));
    EXPECT_EQ(value(found, "HORA_RING"), "nodes=n1,n2;gpus=1;bottleneck=1.25e+09");

    const Variables script{
        {"SLURM_JOB_ID", "17"}, {"SLURM_GPUS_PER_TASK", "1"}, {"SLURM_TASKS_PER_NODE", "2(x2)"}};
    const Prepared of_script = prepare(Environment(script), facts_of_script(), acting);
    EXPECT_EQ(of_script.remarks.size(), 1U);
    const Variables newer{{"SLURM_JOB_ID", "17"},
                          {"SLURM_TRES_PER_TASK", "cpu=2,gres/gpu=1"},
                          {"SLURM_TASKS_PER_NODE", "2(x2)"}};
    EXPECT_EQ(prepare(Environment(newer), facts_of_script(), acting).remarks.size(), 1U);
    Variables without_gpus = newer;
    without_gpus["SLURM_TRES_PER_TASK"] = "cpu=2";
    EXPECT_TRUE(prepare(Environment(without_gpus), facts_of_script(), acting).remarks.empty());
    TaskFacts of_step = facts();
    of_step.options.clear();
    EXPECT_TRUE(
        prepare(Environment(with(of_script.environment.variables(), isolated)), of_step, acting)
            .remarks.empty());
}

TEST(RingPlace, TellsOnceOfATopologyThatIsNone) {
    TaskFacts broken = facts();
    broken.topology.reset();
    broken.topology_problem = "topology.json: line 1: nonsense";
    const Prepared found = prepare(Environment(task()), broken, acting);
    EXPECT_EQ(
        found.remarks,
        (std::vector<std::string>{"topology.json: line 1: nonsense; GPUs stay in Slurm's order"}));
    TaskFacts other = facts();
    other.topology->gpus.resize(2);
    other.topology->paths.resize(4);
    EXPECT_EQ(prepare(Environment(task()), other, acting).remarks.size(), 1U);
}

TEST(RingPlace, ManyNodesAreFoldedOrLeftOut) {
    std::vector<std::string> nodes = *read::expand_hostlist("node[0001-0900]");
    EXPECT_EQ(ring_text(nodes, {}, Bandwidth(1e9)), "nodes=node[0001-0900];bottleneck=1e+09");
    std::vector<std::string> scattered;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        scattered.push_back((i % 2 == 0 ? "rack-with-a-long-name-" : "other-") + nodes[i] + "-x" +
                            std::to_string(i * 7919 % 900));
    }
    EXPECT_EQ(ring_text(scattered, {0}, Bandwidth(1e9)), "gpus=0;bottleneck=1e+09");
}

}  // namespace
}  // namespace hora::spank
