#include "plugins/spank/srun/srun_words.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hora::spank {
namespace {

struct Case {
    const char* sentence;
    std::vector<std::string> words;  // after "srun"
    std::optional<SrunWords> expected;
};

std::optional<SrunWords> read(const std::vector<std::string>& words) {
    std::vector<std::string> all{"srun"};
    all.insert(all.end(), words.begin(), words.end());
    return read_srun_words(all);
}

TEST(SrunWords, AreReadAsGetoptDoes) {
    const Case cases[] = {
        {"a program alone", {"./train"}, SrunWords{}},
        {"the program's own options are its own", {"./train", "-m", "-n9"}, SrunWords{}},
        {"a letter and its value apart", {"-N", "4", "./train"}, SrunWords{.nodes = "4"}},
        {"a letter and its value together", {"-n8", "./train"}, SrunWords{.tasks = "8"}},
        {"letters in one word", {"-lun", "8", "./train"}, SrunWords{.tasks = "8"}},
        {"a long option with '='", {"--ntasks=8", "./train"}, SrunWords{.tasks = "8"}},
        {"a long option and its value apart",
         {"--ntasks-per-node", "2", "./train"},
         SrunWords{.tasks_per_node = "2"}},
        {"the last one holds", {"-N2", "--nodes=3", "./train"}, SrunWords{.nodes = "3"}},
        {"two dashes end the options", {"-c2", "--", "-x"}, SrunWords{.cpus_per_task = "2"}},
        {"a kill switch with a number", {"-K0", "./train"}, SrunWords{}},
        {"GPUs", {"--gres=gpu:2", "-G", "4", "./train"}, SrunWords{}},
        {"a container of pyxis's",
         {"--container-image=nvcr.io#nvidia/pytorch:24.01-py3", "--no-container-mount-home",
          "--container-mounts", "/data:/data", "python"},
         SrunWords{}},
        {"an option of Hora's",
         {"--hora-batch", "4", "./train"},
         SrunWords{.has_hora_option = true}},
        {"one of the program's that is called like it",
         {"./train", "--hora-batch", "4"},
         SrunWords{}},
        {"a value that is called like it", {"-J", "--hora-batch=4", "./train"}, SrunWords{}},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(read(c.words), c.expected) << c.sentence;
    }
}

TEST(SrunWords, TellWhatTheUserShapes) {
    const Case cases[] = {
        {"a list of nodes", {"-w", "n[1-2]", "./train"}, SrunWords{.shapes_layout = true}},
        {"a distribution",
         {"-lm", "block", "./train"},
         SrunWords{.shapes_layout = true, .binds_cpus = true}},
        {"a binding", {"--cpu-bind=cores", "./train"}, SrunWords{.binds_cpus = true}},
        {"without Hora",
         {"--hora-off", "./train"},
         SrunWords{.shapes_layout = true, .binds_cpus = true, .has_hora_option = true}},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(read(c.words), c.expected) << c.sentence;
    }
    for (const char* const option :
         {"--distribution=block", "--nodelist=n1", "-xn1", "-r1", "--het-group=0,1", "--multi-prog",
          "--overcommit", "-O", "--nodefile=f", "-Cgpu", "--ntasks-per-gpu=1",
          "--hint=nomultithread"}) {
        EXPECT_TRUE(read({option, "./train"})->shapes_layout) << option;
    }
}

TEST(SrunWords, AreLeftWhereOneIsNotKnown) {
    const std::vector<std::string> cases[] = {
        {"--distrib=block", "./train"},
        {"--nod", "n1", "./train"},
        {"--label=yes", "./train"},
        {"--what", "./train"},
        {"-Ifn9", "./train"},
        {"-Z", "./train"},
        {"-n"},
        {"--ntasks"},
        {"-n2"},
        {"-n2", "--"},
        {"-n1", "./server", ":", "-n2", "./train"},
        {},
    };
    for (const auto& words : cases) {
        EXPECT_EQ(read(words), std::nullopt) << (words.empty() ? "" : words.front());
    }
    EXPECT_EQ(read_srun_words({}), std::nullopt);
}

TEST(SrunWords, TheOwnOnesStartWithTheProgram) {
    const auto words = own_words();
    ASSERT_TRUE(words);
    ASSERT_FALSE(words->empty());
    EXPECT_TRUE(words->front().ends_with("spank")) << words->front();
}

}  // namespace
}  // namespace hora::spank
