// Which words has srun for its step and its tasks, whatever it was called with?
//
// srun reads its own command line, so this program runs itself as srun: with the words as its own,
// with the variables of the job, and with slurmctld's answers in ANSWER_….
#include "plugins/spank/rank_order.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libplanner/read/slurm/hostlist.hpp"
#include "plugins/spank/cluster_facts.hpp"
#include "plugins/spank/job/environment.hpp"
#include "plugins/spank/job/job_record.hpp"
#include "plugins/spank/job/job_variables.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/spank/some_variables.hpp"

extern "C" void slurm_error(const char* /*format*/, ...) {}

namespace hora::spank {
namespace {

using Names = std::vector<std::string>;

// A long list is in a file of that name.
Names answer(const char* name) {
    const char* const given = std::getenv(name);
    std::string text = given == nullptr ? "" : given;
    if (text.starts_with('/')) {
        std::ifstream file(text);
        text.assign(std::istreambuf_iterator<char>(file), {});
    }
    return read::expand_hostlist(text).value_or(Names());
}

}  // namespace

std::string address_of(const std::string& node) {
    return "address-of-" + node;
}

std::vector<NodeGpus> gpus_of(std::uint32_t job) {
    std::vector<NodeGpus> gpus;
    for (const std::string& node : answer("ANSWER_GPUS")) {
        gpus.push_back({node, {"of-job-" + std::to_string(job)}});
    }
    return gpus;
}

bool has_nodes(std::uint32_t /*job*/, const std::vector<std::string>& nodes) {
    const Names lost = answer("ANSWER_LOST");
    return std::find_first_of(nodes.begin(), nodes.end(), lost.begin(), lost.end()) == nodes.end();
}

std::vector<std::string> ring_of(const std::vector<std::string>& /*nodes*/) {
    return answer("ANSWER_RING");
}

std::vector<std::string> nodes_by_rank(std::uint32_t /*job*/, std::uint32_t /*step*/) {
    return answer("ANSWER_LAYOUT");
}

namespace {

// What srun does when it starts, or, "ACT=tell", when its step is laid out. Writes the variables
// that it then has to the file RESULT, and as HOSTS what is in its host file.
int act_as_srun() {
    SettingsSource source;
    source.file = std::getenv("SETTINGS");
    const std::string act = std::getenv("ACT");
    if (act == "tell") {
        tell_layout(17, 0, std::getenv("OWN_OPTIONS") != nullptr);
    } else {
        if (act == "without input") {
            close(STDIN_FILENO);
        }
        prepare_srun(source, std::getenv("SLURM_JOB_ID") != nullptr);
    }
    if (const char* const hosts = std::getenv("SLURM_HOSTFILE"); hosts != nullptr) {
        std::ifstream file(hosts);
        const std::string text(std::istreambuf_iterator<char>(file), {});
        setenv("HOSTS", text.c_str(), 1);
    }
    std::ofstream result(std::getenv("RESULT"), std::ios::binary);
    for (char** entry = environ; *entry != nullptr; ++entry) {
        result << *entry << '\0';
    }
    return result.flush() ? 0 : 1;
}

std::vector<char*> pointers(Names& words) {
    std::vector<char*> all;
    for (std::string& word : words) {
        all.push_back(word.data());
    }
    all.push_back(nullptr);
    return all;
}

class RankOrder : public testing::Test {
  protected:
    RankOrder() { folder_.write("hora.toml", "mode = \"act\"\n"); }

    // The variables of srun afterwards.
    Variables run(Names words, const Variables& variables, const std::string& act) const {
        words.insert(words.begin(), "srun");
        Names entries{"ACT=" + act, "RESULT=" + folder_.file("result"),
                      "SETTINGS=" + folder_.file("hora.toml")};
        for (const auto& [name, value] : variables) {
            entries.push_back(name + "=" + value);
        }
        std::vector<char*> arguments = pointers(words);
        std::vector<char*> environment = pointers(entries);
        const pid_t child = fork();
        if (child == 0) {
            execve("/proc/self/exe", arguments.data(), environment.data());
            _exit(127);
        }
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
        std::string text = folder_.read("result");
        std::vector<const char*> after;
        for (std::size_t start = 0; start < text.size(); start = text.find('\0', start) + 1) {
            after.push_back(text.c_str() + start);
        }
        after.push_back(nullptr);
        return read_variables(after.data());
    }
    Variables prepare(Names words, const Variables& variables,
                      const std::string& act = "prepare") const {
        return run(std::move(words), variables, act);
    }
    Variables tell(Names words, const Variables& variables) const {
        return run(std::move(words), variables, "tell");
    }

    const tests::ScratchFolder folder_;
};

Variables without(Variables variables, const std::string& name) {
    variables.erase(name);
    return variables;
}

JobRecord record_of(std::uint32_t job, bool is_placed) {
    JobRecord record;
    record.job = job;
    record.is_placed = is_placed;
    return record;
}

// A job of salloc's with an option of ours, on four nodes of two leaves.
const Variables job{{"SLURM_JOB_ID", "17"},
                    {"SLURM_JOB_NODELIST", "n[1-4]"},
                    {"SLURM_NNODES", "4"},
                    {"SLURM_JOB_CPUS_PER_NODE", "8(x4)"},
                    {"SLURM_TASKS_PER_NODE", "1(x4)"},
                    {option_variable("hora-batch"), "64"},
                    {"ANSWER_RING", "n[1,3,2,4]"},
                    {"ANSWER_LAYOUT", "n[1,3,2,4]"}};
constexpr const char* in_ring = "n1\nn3\nn2\nn4\n";
constexpr const char* unset = "(not set)";

TEST_F(RankOrder, RanksFollowTheRingWhereTheUserLeavesThemOpen) {
    const Names plain{"train"};
    struct Case {
        const char* sentence;
        Names words;
        Variables variables;
        const char* hosts;
        const char* binding;
    };
    const Case cases[] = {
        {"a step of a job of ours", plain, job, in_ring, "auto"},
        {"CPUs that are bound", {"--cpu-bind=cores", "train"}, job, in_ring, unset},
        {"nodes that are named", {"-w", "n1", "train"}, job, unset, "auto"},
        {"an option that no Slurm has", {"--by-magic", "train"}, job, unset, unset},
        {"no program", {}, job, unset, unset},
        {"two components", {"train", ":", "serve"}, job, unset, unset},
        {"a job that is none of ours", plain, without(job, option_variable("hora-batch")), unset,
         unset},
        {"our own option in one that is none of ours",
         {"--hora-batch=8", "train"},
         without(job, option_variable("hora-batch")),
         unset,
         "auto"},
        {"a job that is to be without Hora", plain, with(job, {{option_variable("hora-off"), ""}}),
         unset, unset},
        {"a step without a job",
         {"--hora-batch=8", "train"},
         without(job, "SLURM_JOB_ID"),
         unset,
         "auto"},
        {"its script says that it is not placed", plain,
         with(job, {{std::string(record_variable), to_text(record_of(17, false))}}), unset, unset},
        {"another job's script says so", plain,
         with(job, {{std::string(record_variable), to_text(record_of(16, false))}}), in_ring,
         "auto"},
        {"a note that is none", plain,
         with(job, {{std::string(record_variable), "{\"job\": \"\x1b[2J"}}), in_ring, "auto"},
        {"no switches", plain, with(job, {{"ANSWER_RING", ""}}), unset, "auto"},
        {"the order of Slurm", plain, with(job, {{"ANSWER_RING", "n[1-4]"}}), unset, "auto"},
        {"a node that is lost", plain, with(job, {{"ANSWER_LOST", "n3"}}), unset, "auto"},
        {"a host file of the user's", plain, with(job, {{"SLURM_HOSTFILE", "/none"}}), "", "auto"},
    };
    for (const Case& row : cases) {
        const Variables after = prepare(row.words, row.variables);
        EXPECT_EQ(value(after, "HOSTS"), row.hosts) << row.sentence;
        EXPECT_EQ(value(after, "SLURM_SPANK_HORA_BIND"), row.binding) << row.sentence;
        EXPECT_EQ(value(after, "SLURM_DISTRIBUTION") == "arbitrary", row.hosts == in_ring)
            << row.sentence;
    }
}

TEST_F(RankOrder, VariablesThatNoSlurmWritesOrderNothing) {
    const std::pair<const char*, std::string> cases[] = {
        {"SLURM_JOB_ID", ""},
        {"SLURM_JOB_ID", "0"},
        {"SLURM_JOB_ID", "-17"},
        {"SLURM_JOB_ID", "17 "},
        {"SLURM_JOB_ID", "99999999999999999999"},
        {"SLURM_JOB_NODELIST", ""},
        {"SLURM_JOB_NODELIST", "n[1-"},
        {"SLURM_JOB_NODELIST", "n[1-4294967295]"},
        {"SLURM_JOB_NODELIST", "n1,n1,n2,n2"},
        {"SLURM_JOB_NODELIST", "n[1-3],\x1b[2J"},
        {"SLURM_JOB_NODELIST", std::string(10'000, 'n')},
        {"SLURM_NNODES", "0"},
        {"SLURM_NNODES", "1e9"},
        {"SLURM_JOB_CPUS_PER_NODE", "8(x4294967295)"},
        {"SLURM_JOB_CPUS_PER_NODE", "0(x4)"},
        {"SLURM_NTASKS", "nan"},
    };
    for (const auto& [name, text] : cases) {
        const Variables after = prepare({"train"}, with(job, {{name, text}}));
        EXPECT_EQ(value(after, "SLURM_HOSTFILE"), unset) << name << "=" << text.substr(0, 40);
    }
}

// srun would take the list for its own input, and an output would grow in its memory.
TEST_F(RankOrder, TheHostFileIsNoStandardDescriptor) {
    const Variables after = prepare({"train"}, job, "without input");
    EXPECT_EQ(value(after, "HOSTS"), in_ring);
    EXPECT_NE(value(after, "SLURM_HOSTFILE"), "/proc/self/fd/0");
}

TEST_F(RankOrder, TheWordsOfAnOuterStepAreForgotten) {
    const Variables inner = {{"SLURM_JOB_ID", "17"},
                             {"SLURM_SPANK_HORA_RANKS", "n1"},
                             {"SLURM_SPANK_HORA_MASTER", "n1"},
                             {"SLURM_SPANK_HORA_BIND", "auto"},
                             {"SLURM_SPANK_HORA_GPUS", "{}"}};
    const Variables after = prepare({"train"}, inner);
    for (const auto& [name, text] : inner) {
        EXPECT_EQ(value(after, name), name == "SLURM_JOB_ID" ? "17" : unset) << name;
    }
}

TEST_F(RankOrder, TasksAreToldTheNodesByRank) {
    struct Case {
        const char* sentence;
        Names words;
        Variables variables;
        const char* ranks;
        const char* master;
    };
    const Variables foreign = without(job, option_variable("hora-batch"));
    const Variables here = with(job, {{"ANSWER_LAYOUT", "localhost"}});
    const Case cases[] = {
        {"a name that resolves", {"train"}, here, "localhost", unset},
        {"one that does not",
         {"train"},
         with(job, {{"ANSWER_LAYOUT", "a..b,a..a"}}),
         "a..b,a..a",
         "address-of-a..b"},
        {"none", {"train"}, with(job, {{"ANSWER_LAYOUT", ""}}), "", unset},
        {"two components", {"train", ":", "serve"}, here, unset, unset},
        {"a component", {"train"}, with(here, {{"SLURM_HET_SIZE", "2"}}), unset, unset},
        {"a job that is none of ours",
         {"train"},
         without(here, option_variable("hora-batch")),
         unset,
         unset},
        {"with our own option",
         {"train"},
         with(foreign, {{"ANSWER_LAYOUT", "localhost"}, {"OWN_OPTIONS", "1"}}),
         "localhost",
         unset},
    };
    for (const Case& row : cases) {
        const Variables after = tell(row.words, row.variables);
        EXPECT_EQ(value(after, "SLURM_SPANK_HORA_RANKS"), row.ranks) << row.sentence;
        EXPECT_EQ(value(after, "SLURM_SPANK_HORA_MASTER"), row.master) << row.sentence;
    }
}

TEST_F(RankOrder, TypesOfGpusAreToldWhereThePlanGaveSpeeds) {
    JobRecord record = record_of(17, true);
    record.speeds = "a100:2,v100:1";
    const Variables given = with(job, {{"ANSWER_GPUS", "n[1-2]"}, {"ANSWER_LAYOUT", ""}});
    const std::string note(record_variable);
    const auto types_of = [this](const Variables& variables) {
        const std::string text = value(tell({"train"}, variables), "SLURM_SPANK_HORA_GPUS");
        return read_node_gpus(text).value_or(std::vector<NodeGpus>());
    };
    const std::vector<NodeGpus> expected{{"n1", {"of-job-17"}}, {"n2", {"of-job-17"}}};
    EXPECT_TRUE(types_of(given).empty()) << "no speeds";
    EXPECT_EQ(types_of(with(given, {{note, to_text(record)}})), expected);
    EXPECT_EQ(types_of(with(given, {{"SLURM_SPANK_HORA_SPEEDS", "a100:2"}})), expected);
    EXPECT_TRUE(types_of(with(given, {{note, to_text(record_of(17, true))},
                                      {"SLURM_SPANK_HORA_SPEEDS", "a100:2"}}))
                    .empty())
        << "its script knows of none";
}

// Linux starts no program with a variable of more than 128 KiB. These names fold for Slurm, over
// any of their numbers, and not over the last.
TEST_F(RankOrder, VeryLongNamesOfManyNodesKeepNoTaskFromStarting) {
    constexpr std::size_t longest = 128 << 10;
    constexpr int count = 4'000;
    const std::string tail = "-" + std::string(40, 'x') + "1";
    Names ring;
    for (int node = count; node > 0; --node) {
        ring.push_back("n" + std::to_string(node) + tail);
    }
    const std::string list = read::fold_hostlist(ring);
    ASSERT_GT(list.size(), longest);
    folder_.write("ring", list);
    const Variables large = with(job, {{"SLURM_JOB_NODELIST", "n[1-4000]" + tail},
                                       {"SLURM_NNODES", "4000"},
                                       {"SLURM_JOB_CPUS_PER_NODE", "8(x4000)"},
                                       {"SLURM_TASKS_PER_NODE", "1(x4000)"},
                                       {"ANSWER_RING", folder_.file("ring")},
                                       {"ANSWER_LAYOUT", folder_.file("ring")}});
    EXPECT_EQ(value(prepare({"train"}, large), "SLURM_HOSTFILE"), unset)
        << "the tasks could not get the order";
    EXPECT_EQ(value(tell({"train"}, large), "SLURM_SPANK_HORA_RANKS"), "");
}

}  // namespace
}  // namespace hora::spank

int main(int argc, char** argv) {
    if (std::getenv("ACT") != nullptr) {
        return hora::spank::act_as_srun();
    }
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
