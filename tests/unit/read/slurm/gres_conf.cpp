#include "libplanner/read/slurm/gres_conf.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "libplanner/read/pci_address.hpp"

namespace hora::read {
namespace {

// "titanx nvidia0 0-3 -" : type, file, cores and what a comment notes.
std::vector<std::string> words_of(const std::vector<GresGpu>& gpus) {
    std::vector<std::string> words;
    for (const GresGpu& gpu : gpus) {
        words.push_back(fmt::format("{} {} [{}] {:x}", gpu.type, gpu.file,
                                    fmt::join(gpu.cores, ","), gpu.address ? gpu.address->bus : 0));
    }
    return words;
}

struct Case {
    const char* sentence;
    const char* text;
    std::vector<std::string> gpus;  // of node n2
    std::vector<std::string> remarks;
};

const Case cases[] = {
    {"a range of files with its cores",
     "NodeName=n[1-3] Name=gpu Type=titanx File=/dev/nvidia[0-1] Cores=0-2\n",
     {"titanx /dev/nvidia0 [0,1,2] 0", "titanx /dev/nvidia1 [0,1,2] 0"},
     {}},
    {"keys in any case, values in quotes, several lines of one node",
     "nodename=n2 NAME=GPU file=\"/dev/nvidia0\" cores=0,2\nNodeName=n2 Name=gpu "
     "File=/dev/nvidia1\n",
     {" /dev/nvidia0 [0,2] 0", " /dev/nvidia1 [] 0"},
     {}},
    {"lines without a node hold for each, other nodes' lines do not",
     "Name=gpu File=/dev/nvidia0\nNodeName=n1 Name=gpu File=/dev/nvidia1\n",
     {" /dev/nvidia0 [] 0"},
     {}},
    {"files count as people count",
     "Name=gpu File=/dev/nvidia10\nName=gpu File=/dev/nvidia9\n",
     {" /dev/nvidia9 [] 0", " /dev/nvidia10 [] 0"},
     {}},
    {"the place of -1 in Links says which GPU comes first",
     "Name=gpu File=/dev/b Links=-1,4\nName=gpu File=/dev/a Links=4,-1\n",
     {" /dev/b [] 0", " /dev/a [] 0"},
     {}},
    {"other things than GPUs are passed over",
     "Name=nic File=/dev/mlx0\nName=gpu File=/dev/nvidia0 Flags=x\n",
     {" /dev/nvidia0 [] 0"},
     {}},
    {"bus ids noted in comments hold until the next such notes",
     "# nvidia0 0000:34:00.0\n# nvidia1 0000:36:00.0 a GPU\nNodeName=n2 Name=gpu "
     "File=/dev/nvidia[0-1]\n# nvidia0 0000:99:00.0\nNodeName=n3 Name=gpu File=/dev/nvidia0\n",
     {" /dev/nvidia0 [] 34", " /dev/nvidia1 [] 36"},
     {}},
    {"a line goes on after a backslash, and ends at a comment",
     "NodeName=n2 Name=gpu \\\n  File=/dev/nvidia0 # Cores=0\n",
     {" /dev/nvidia0 [] 0"},
     {}},
    {"a count stands for files that are not said", "Name=gpu Count=2\n", {"  [] 0", "  [] 0"}, {}},
    {"a part of a GPU has several files",
     "Name=gpu MultipleFiles=/dev/nvidia0,/dev/cap1 Cores=1\n",
     {" /dev/nvidia0,/dev/cap1 [1] 0"},
     {}},
    {"a key that Slurm has not is named, and the nearest one",
     "Name=gpu File=/dev/nvidia0 Coers=0-3 Flags=one_sharing\nName=nic Colour=red\n",
     {" /dev/nvidia0 [] 0"},
     {"gres.conf:1: unknown key \"Coers\"; did you mean \"Cores\"?",
      "gres.conf:2: unknown key \"Colour\""}},
    {"what is included is remarked on",
     "Name=gpu File=/dev/nvidia0\nInclude more.conf\n",
     {" /dev/nvidia0 [] 0"},
     {"gres.conf:2: what \"more.conf\" says is not read"}},
    {"a line that is none",
     "Name=gpu File\n",
     {},
     {"gres.conf:1: \"File\" is no KEY=VALUE; the line is passed over"}},
    {"a bad range",
     "Name=gpu File=/dev/nvidia[3-1]\n",
     {},
     {"gres.conf:1: File=host list \"/dev/nvidia[3-1]\" has the bad range \"3-1\"; the line is "
      "passed over"}},
    {"bad cores",
     "\nName=gpu File=/dev/nvidia0 Cores=x\n",
     {" /dev/nvidia0 [] 0"},
     {"gres.conf:2: Cores=\"x\" is no list of numbers; it counts as not said"}},
    {"a million cores",
     "Name=gpu File=/dev/nvidia0 Cores=0-999999999\n",
     {" /dev/nvidia0 [] 0"},
     {"gres.conf:1: Cores=\"0-999999999\" is no list of numbers; it counts as not said"}},
    {"a count beyond all bounds",
     "Name=gpu Count=9999999\n",
     {},
     {"gres.conf:1: Count=\"9999999\" is no number of GPUs; the line is passed over"}},
    {"nothing at all", "", {}, {}},
};

TEST(GresConf, GivesTheGpusOfANode) {
    for (const Case& test : cases) {
        const GresConf conf = parse_gres_conf(test.text);
        EXPECT_EQ(words_of(conf.gpus_of("n2")), test.gpus) << test.sentence;
        EXPECT_EQ(conf.remarks, test.remarks) << test.sentence;
    }
}

TEST(GresConf, KnowsOnWhichNodesSlurmDetectsGpus) {
    const struct {
        const char* sentence;
        const char* text;
        bool on_first;
        bool on_second;
    } rows[] = {
        {"nothing is said", "Name=gpu File=/dev/nvidia0\n", false, false},
        {"on all nodes", "AutoDetect=nvml\nName=gpu File=/dev/nvidia0\n", true, true},
        {"on all nodes, said last", "NodeName=n1 Name=gpu File=/dev/nvidia0\nAutoDetect=nvml\n",
         true, true},
        {"by a line that names no node", "Name=gpu AutoDetect=nvml\n", true, true},
        {"but not on one",
         "AutoDetect=nvml\nNodeName=n1 AutoDetect=off Name=gpu File=/dev/nvidia1\n", false, true},
        {"on one alone", "NodeName=n1 AutoDetect=nvml\nName=gpu File=/dev/nvidia0\n", true, false},
        {"but not on one, without a GPU", "NodeName=n1 AutoDetect=off\nAutoDetect=nvml\n", false,
         true},
        {"it is off", "AutoDetect=Off\n", false, false},
    };
    for (const auto& row : rows) {
        const GresConf conf = parse_gres_conf(row.text);
        EXPECT_EQ(conf.detects("n1"), row.on_first) << row.sentence;
        EXPECT_EQ(conf.detects("n2"), row.on_second) << row.sentence;
        EXPECT_TRUE(conf.remarks.empty()) << row.sentence;
    }
    EXPECT_TRUE(parse_gres_conf("NodeName=n1 AutoDetect=nvml\n").is_of_gpus());
    EXPECT_FALSE(parse_gres_conf("Name=nic\nAutoDetect=off\n").is_of_gpus());
}

TEST(GresConf, ReadsAnyText) {
    EXPECT_TRUE(rc::check([] {
        const auto pieces = *rc::gen::container<std::vector<std::string>>(
            rc::gen::elementOf(std::vector<std::string>{"Name=gpu",
                                                        "NodeName=",
                                                        "n[1-2]",
                                                        "File=",
                                                        "/dev/nvidia[0-3]",
                                                        "Cores=",
                                                        "0-3",
                                                        ",",
                                                        " ",
                                                        "\n",
                                                        "#",
                                                        "\\",
                                                        "\"",
                                                        "Include ",
                                                        "Links=-1",
                                                        "AutoDetect=nvml",
                                                        "[",
                                                        "]",
                                                        "-",
                                                        "0000:34:00.0"}));
        static_cast<void>(parse_gres_conf(fmt::format("{}", fmt::join(pieces, ""))).gpus_of("n1"));
        static_cast<void>(parse_gres_conf(*rc::gen::arbitrary<std::string>()).gpus_of("n1"));
    }));
}

TEST(SocketsOf, AreThoseThatHoldAllCores) {
    const struct {
        const char* sentence;
        std::vector<std::vector<std::uint32_t>> cores;
        std::vector<std::uint32_t> sockets;
    } rows[] = {
        {"one GPU a socket", {{0, 1, 2, 3}, {4, 5}}, {0, 1}},
        {"a GPU near all cores belongs nowhere", {{0, 1}, {0, 1, 2, 3, 4}}, {}},
        {"a GPU that says nothing", {{0}, {}}, {}},
        {"a core that the node has not", {{8}}, {}},
        {"no GPU", {}, {}},
    };
    for (const auto& row : rows) {
        std::vector<GresGpu> gpus(row.cores.size());
        for (std::size_t i = 0; i < gpus.size(); ++i) {
            gpus[i].cores = row.cores[i];
        }
        EXPECT_EQ(sockets_of(gpus, 2, 4), row.sockets) << row.sentence;
    }
}

TEST(PciAddress, IsReadWithAndWithoutDomain) {
    using Address = domain::PciAddress;
    EXPECT_EQ(parse_pci_address("0000:34:00.0"), (Address{0, 0x34, 0, 0}));
    EXPECT_EQ(parse_pci_address("10000:e1:1f.7"), (Address{0x10000, 0xe1, 0x1f, 7}));
    EXPECT_EQ(parse_pci_address("34:00.1"), (Address{0, 0x34, 0, 1}));
    for (const char* const wrong : {"", "34", "34:00", "0:34:00.8", "0:134:00.0", "0:34:20.0",
                                    "0:34:00.0x", "gpu", "::.", "1:2:3:4.5"}) {
        EXPECT_FALSE(parse_pci_address(wrong)) << wrong;
    }
}

}  // namespace
}  // namespace hora::read
