// What is made of slurmctld's answers about a job's nodes, and of none?
#include "plugins/spank/cluster_facts.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugins/slurm/collect/topology_message.hpp"
#include "plugins/slurm/compat.hpp"
#include "tests/unit/slurm/load_job.hpp"
#include "tests/unit/slurm/stand_ins.hpp"

namespace {

// One node of a step, and its ranks.
using NodeRanks = std::vector<std::uint32_t>;

struct Component {
    std::string nodes;              // "n[1-2]"
    std::vector<std::string> gres;  // of each
};

struct Layout {
    std::string nodes;
    std::vector<NodeRanks> ranks;
};

// What slurmctld answers; it does not where the optional is empty.
struct Answers {
    std::optional<std::vector<Component>> job;
    std::optional<Layout> layout;
    std::optional<std::optional<std::string>> address;
    hora::Expected<std::string> topology = hora::failure("no answer");
    bool have_messages = true;  // false: it answers with success, and with nothing else
};

Answers answers;

// Slurm's structures, which look at what stands beside them.
hora::tests::JobAnswer jobs;
std::deque<std::vector<char*>> gres_of_jobs;
node_info_msg_t node_message{};
node_info_t node{};
slurm_step_layout_t step_layout{};
std::vector<std::uint16_t> task_counts;
std::vector<std::uint32_t*> task_ids;

}  // namespace

hora::tests::JobAnswer& hora::tests::job_answer() {
    jobs = {};
    gres_of_jobs.clear();
    jobs.has_message = answers.have_messages;
    if (!answers.job) {
        jobs.load_error = ETIMEDOUT;
        return jobs;
    }
    for (Component& component : *answers.job) {
        std::vector<char*>& gres = gres_of_jobs.emplace_back();
        for (std::string& one : component.gres) {
            gres.push_back(one.data());
        }
        slurm_job_info_t job{};
        job.nodes = component.nodes.empty() ? nullptr : component.nodes.data();
        job.gres_detail_cnt = static_cast<std::uint32_t>(gres.size());
        job.gres_detail_str = gres.data();
        jobs.jobs.push_back(job);
    }
    return jobs;
}

extern "C" {

int slurm_load_node_single(node_info_msg_t** answer, char* /*name*/, uint16_t /*flags*/) {
    if (!answers.have_messages) {
        return SLURM_SUCCESS;
    }
    if (!answers.address) {
        return SLURM_ERROR;
    }
    node.node_addr = *answers.address ? (*answers.address)->data() : nullptr;
    node_message.record_count = *answers.address && (*answers.address)->empty() ? 0 : 1;
    node_message.node_array = &node;
    *answer = &node_message;
    return SLURM_SUCCESS;
}

void slurm_free_node_info_msg(node_info_msg_t* /*message*/) {}

slurm_step_layout_t* slurm_job_step_layout_get(slurm_step_id_t* /*step*/) {
    if (!answers.layout) {
        return nullptr;
    }
    task_counts.clear();
    task_ids.clear();
    for (NodeRanks& ranks : answers.layout->ranks) {
        task_counts.push_back(static_cast<std::uint16_t>(ranks.size()));
        task_ids.push_back(ranks.data());
    }
    step_layout.node_list = answers.layout->nodes.data();
    step_layout.node_cnt = static_cast<std::uint32_t>(task_ids.size());
    step_layout.tasks = task_counts.data();
    step_layout.tids = task_ids.data();
    return &step_layout;
}

void slurm_job_step_layout_free(slurm_step_layout_t* /*layout*/) {}

}  // extern "C"

namespace hora::slurm {

Expected<std::string> load_topology_text() {
    return answers.topology;
}

}  // namespace hora::slurm

namespace hora::spank {
namespace {

using Names = std::vector<std::string>;

class ClusterFacts : public testing::Test {
  protected:
    void SetUp() override { answers = {}; }
};

TEST_F(ClusterFacts, TypesGoByTheIndexOfTheirGpus) {
    const struct {
        const char* sentence;
        const char* gres;
        Names types;
    } cases[] = {
        {"Slurm says nothing", nullptr, {}},
        {"it has none", "", {}},
        {"two of a type", "gpu:titanx:2(IDX:0,2)", {"titanx", "titanx"}},
        {"two types, the second first", "gpu:k80:1(IDX:1),gpu:titanx:1(IDX:0)", {"titanx", "k80"}},
        {"types that alternate", "gpu:a:2(IDX:1,3),gpu:b:2(IDX:0,2)", {"b", "a", "b", "a"}},
        {"no types", "gpu:2(IDX:0-1)", {"", ""}},
        {"others are no GPUs", "license:matlab:4,gpu:a100:1(IDX:0)", {"a100"}},
        {"those without an index come last", "gpu:a:1,gpu:b:1(IDX:5)", {"b", "a"}},
        {"no such list", "gpu:(((", {}},
    };
    for (const auto& row : cases) {
        EXPECT_EQ(gpu_types(row.gres), row.types) << row.sentence;
    }
    EXPECT_EQ(gpu_types("gpu:a100:1000000").size(), 1024U) << "no node has as many";
}

TEST_F(ClusterFacts, GpusAreThoseOfAllComponents) {
    EXPECT_TRUE(gpus_of(17).empty()) << "no answer";
    answers.job = std::vector<Component>{
        {.nodes = "n[1-2]", .gres = {"gpu:k80:1(IDX:0)", "gpu:a100:2(IDX:0-1)"}},
        {.nodes = "n3", .gres = {""}},
        {.nodes = "n[4-5]", .gres = {"gpu:k80:1(IDX:0)"}},
        {.nodes = "", .gres = {}}};
    EXPECT_EQ(gpus_of(17),
              (std::vector<NodeGpus>{{"n1", {"k80"}}, {"n2", {"a100", "a100"}}, {"n3", {}}}))
        << "where Slurm does not tell of each node, none is guessed";
}

TEST_F(ClusterFacts, AJobHasTheNodesOfAllItsComponents) {
    EXPECT_FALSE(has_nodes(17, {"n1"})) << "no answer";
    EXPECT_FALSE(has_nodes(17, {})) << "no answer";
    answers.job =
        std::vector<Component>{{.nodes = "n[1-2]", .gres = {}}, {.nodes = "n4", .gres = {}}};
    EXPECT_TRUE(has_nodes(17, {"n4", "n1"}));
    EXPECT_FALSE(has_nodes(17, {"n1", "n3"})) << "it has lost one";
    answers.job = std::vector<Component>{{.nodes = "", .gres = {}}};
    EXPECT_FALSE(has_nodes(17, {"n1"})) << "it has none any more";
}

TEST_F(ClusterFacts, NodesGoByTheirLowestRank) {
    const struct {
        const char* sentence;
        std::optional<Layout> layout;
        Names order;
    } cases[] = {
        {"no answer", {}, {}},
        {"blocks", Layout{"n[1-2]", {{0, 1}, {2, 3}}}, {"n1", "n2"}},
        {"by a host file", Layout{"n[1-3]", {{4}, {0, 3}, {1, 2}}}, {"n2", "n3", "n1"}},
        {"ranks in any order", Layout{"n[1-2]", {{5, 0}, {4, 1}}}, {"n1", "n2"}},
        {"a node without tasks", Layout{"n[1-2]", {{0}, {}}}, {}},
        {"more nodes than names", Layout{"n1", {{0}, {1}}}, {}},
        {"no list of names", Layout{"n[", {{0}}}, {}},
    };
    for (const auto& row : cases) {
        answers.layout = row.layout;
        EXPECT_EQ(nodes_by_rank(17, 0), row.order) << row.sentence;
    }
}

TEST_F(ClusterFacts, AnAddressIsTheNameWhereNoneIsKnown) {
    EXPECT_EQ(address_of("n1"), "n1") << "no answer";
    answers.address = std::optional<std::string>();
    EXPECT_EQ(address_of("n1"), "n1") << "an answer without one";
    answers.address = std::optional<std::string>("");
    EXPECT_EQ(address_of("n1"), "n1") << "an answer without a node";
    answers.address = std::optional<std::string>("10.0.0.1");
    EXPECT_EQ(address_of("n1"), "10.0.0.1");
}

TEST_F(ClusterFacts, AnAnswerThatIsEmptyTellsNothing) {
    answers.job = std::vector<Component>();
    EXPECT_TRUE(gpus_of(17).empty());
    EXPECT_FALSE(has_nodes(17, {"n1"}));
    answers.have_messages = false;
    EXPECT_TRUE(gpus_of(17).empty());
    EXPECT_FALSE(has_nodes(17, {"n1"}));
    EXPECT_EQ(address_of("n1"), "n1");
}

TEST_F(ClusterFacts, ARingIsThatOfTheFabric) {
    const Names nodes{"n1", "n2", "n3", "n4"};
    EXPECT_EQ(ring_of(nodes), Names()) << "no answer";
    answers.topology = "";
    EXPECT_EQ(ring_of(nodes), Names()) << "no switches";
    answers.topology =
        "SwitchName=leaf1 Nodes=n[1,3]\nSwitchName=leaf2 Nodes=n[2,4]\n"
        "SwitchName=core Switches=leaf[1-2]\n";
    EXPECT_EQ(ring_of(nodes), (Names{"n1", "n3", "n2", "n4"}));
}

}  // namespace
}  // namespace hora::spank
