// Are the lines for Slurm in its order, and do Links stand there only where they do no harm?
#include "libplanner/report/machine/gres_conf.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <functional>

namespace hora::report {
namespace {

// Two GPUs on each of two sockets of four cores: 12 GB/s inside, 6 between them.
struct Machine {
    domain::Topology topology;
    plan::SocketSplit split;
    std::vector<std::string> files;
    SlurmNames names;

    Machine() {
        topology.objects.resize(4);
        topology.gpus.resize(4);
        for (std::uint32_t gpu = 0; gpu < 4; ++gpu) {
            topology.objects[gpu].address.bus = static_cast<std::uint8_t>(gpu + 1);
            topology.gpus[gpu].object = gpu;
            split.socket_of.push_back(gpu / 2);
            split.cores.push_back(gpu < 2 ? std::vector<std::uint32_t>{0, 1, 2, 3}
                                          : std::vector<std::uint32_t>{4, 5, 6, 7});
            files.push_back(fmt::format("/dev/nvidia{}", gpu));
            for (std::uint32_t other = 0; other < 4; ++other) {
                topology.paths.push_back(
                    {domain::PathKind::pix, Bandwidth(gpu / 2 == other / 2 ? 12e9 : 6e9), false});
            }
        }
        split.sockets = 2;
        split.cores_per_socket = 4;
        split.threads_per_core = 2;
    }
    void set_speeds(double bandwidth) {
        for (domain::GpuPath& path : topology.paths) {
            path.bandwidth = Bandwidth(bandwidth);
        }
    }
    // Without the notes of device files.
    std::string lines() const {
        std::string text = gres_conf(topology, split, files, names).value();
        const std::string_view note = "# nvidia";
        std::string kept;
        for (std::size_t at = text.find('\n') + 1; at < text.size();) {
            const std::size_t end = text.find('\n', at) + 1;
            const std::string line = text.substr(at, end - at);
            const bool is_note = line.starts_with(note) && line.find("Links") == std::string::npos;
            kept += is_note ? "" : line;
            at = end;
        }
        return kept;
    }
};

struct Case {
    const char* sentence;
    std::function<void(Machine&)> change;
    const char* lines;
};

const Case cases[] = {
    {"links that cores tell apart", [](Machine&) {},
     "Name=gpu File=/dev/nvidia0 Cores=0-3 Links=-1,12,6,6\n"
     "Name=gpu File=/dev/nvidia1 Cores=0-3 Links=12,-1,6,6\n"
     "Name=gpu File=/dev/nvidia2 Cores=4-7 Links=6,6,-1,12\n"
     "Name=gpu File=/dev/nvidia3 Cores=4-7 Links=6,6,12,-1\n"},
    {"links that are all alike", [](Machine& machine) { machine.set_speeds(12e9); },
     "Name=gpu File=/dev/nvidia[0-1] Cores=0-3\nName=gpu File=/dev/nvidia[2-3] Cores=4-7\n"},
    {"or nearly: they are given in GB/s",
     [](Machine& machine) {
         machine.set_speeds(12e9);
         machine.topology.paths[1].bandwidth = Bandwidth(12.4e9);
     },
     "Name=gpu File=/dev/nvidia[0-1] Cores=0-3\nName=gpu File=/dev/nvidia[2-3] Cores=4-7\n"},
    {"one socket has two kinds: then they do harm",
     [](Machine& machine) {
         machine.split.socket_of = {0, 0, 0, 1};
     },
     "Name=gpu File=/dev/nvidia[0-1] Cores=0-3\nName=gpu File=/dev/nvidia[2-3] Cores=4-7\n"
     "# Up to Slurm 23.11 add these; from 24.05 on they make jobs take the worst GPUs:\n"
     "# nvidia0: Links=-1,12,6,6\n# nvidia1: Links=12,-1,6,6\n# nvidia2: Links=6,6,-1,12\n"
     "# nvidia3: Links=6,6,12,-1\n"},
    {"a GPU without cores", [](Machine& machine) { machine.split.cores[3].clear(); },
     "Name=gpu File=/dev/nvidia[0-1] Cores=0-3\nName=gpu File=/dev/nvidia2 Cores=4-7\n"
     "Name=gpu File=/dev/nvidia3\n"
     "# Up to Slurm 23.11 add these; from 24.05 on they make jobs take the worst GPUs:\n"
     "# nvidia0: Links=-1,12,6,6\n# nvidia1: Links=12,-1,6,6\n# nvidia2: Links=6,6,-1,12\n"
     "# nvidia3: Links=6,6,12,-1\n"},
    {"in the order of the files, by their numbers",
     [](Machine& machine) {
         machine.set_speeds(12e9);
         machine.files = {"/dev/nvidia10", "/dev/nvidia9", "/dev/nvidia8", "/dev/nvidia11"};
         machine.split.cores.assign(4, {0, 1});
     },
     "Name=gpu File=/dev/nvidia[8-11] Cores=0-1\n"},
    {"with gaps",
     [](Machine& machine) {
         machine.set_speeds(12e9);
         machine.files = {"/dev/nvidia0", "/dev/nvidia1", "/dev/nvidia3", "/dev/nvidia4"};
         machine.split.cores.assign(4, {});
         machine.names = {"n[1-2]", "a100"};
     },
     "NodeName=n[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-1]\n"
     "NodeName=n[1-2] Name=gpu Type=a100 File=/dev/nvidia[3-4]\n"},
};

TEST(GresConf, HasALineForGpusThatAreAlike) {
    for (const Case& test : cases) {
        Machine machine;
        test.change(machine);
        EXPECT_EQ(machine.lines(), test.lines) << test.sentence;
    }
    EXPECT_FALSE(gres_conf({}, {}, {}, {}));
}

TEST(GresConf, SaysWhatANodeHas) {
    Machine machine;
    const auto line = [&] {
        const auto made = slurm_node(machine.topology, machine.split, machine.names);
        return made ? *made : made.error().message;
    };
    EXPECT_EQ(line(), "the topology does not say whose it is; name the node with --node");
    machine.topology.host = "n1";
    EXPECT_EQ(line(),
              "NodeName=n1 CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=4 ThreadsPerCore=2 "
              "Gres=gpu:4\n");
    machine.names = {"n[1-4]", "a100"};
    EXPECT_TRUE(line().starts_with("NodeName=n[1-4] "));
    EXPECT_TRUE(line().ends_with(" Gres=gpu:a100:4\n"));
    machine.topology.gpus.clear();
    EXPECT_TRUE(line().ends_with("ThreadsPerCore=2\n"));
    machine.split.threads_per_core = 0;
    EXPECT_TRUE(line().starts_with("the threads of the cores of \"n[1-4]\" are not equally many"));
    machine.split.cores_per_socket = 0;
    EXPECT_TRUE(line().starts_with("the cores of the sockets of \"n[1-4]\" are not equally many"));
}

struct Remark {
    const char* sentence;
    std::function<void(plan::SocketSplit&)> change;
    std::vector<const char*> begin;  // of each remark
};

const Remark remarks[] = {
    {"the machine's own sockets need none", [](plan::SocketSplit&) {}, {}},
    {"NUMA nodes",
     [](plan::SocketSplit& split) { split.kind = plan::SplitKind::numa_nodes; },
     {"each PCIe switch counts as a socket"}},
    {"a socket without a GPU",
     [](plan::SocketSplit& split) {
         split.kind = plan::SplitKind::caches;
         split.idle_sockets = 1;
     },
     {"each PCIe switch counts as a socket", "1 of the 2 sockets gets no GPU"}},
    {"which the machine's own may be",
     [](plan::SocketSplit& split) { split.idle_sockets = 1; },
     {}},
    {"GPUs without cores",
     [](plan::SocketSplit& split) { split.cores[0].clear(); },
     {"1 of the 4 GPUs get no Cores=: which cores they are near"}},
    {"GPUs near a part",
     [](plan::SocketSplit& split) { split.widened = 2; },
     {"2 of the 4 GPUs are near a part"}},
    {"it cannot be: cores",
     [](plan::SocketSplit& split) {
         split.kind = plan::SplitKind::not_possible;
         split.cores_per_socket = 0;
     },
     {"the cores of the sockets are not equally many"}},
    {"it cannot be: which socket",
     [](plan::SocketSplit& split) {
         split.kind = plan::SplitKind::not_possible;
         split.socket_of[2] = domain::not_known;
     },
     {"which socket the GPUs are near is not known"}},
    {"it cannot be: groups",
     [](plan::SocketSplit& split) {
         split.kind = plan::SplitKind::not_possible;
         split.most_groups = 3;
     },
     {"the 4 cores of a socket of the machine do not divide evenly among the 3 groups"}},
};

TEST(GresConf, RemarksOnWhatSlurmNeeds) {
    for (const Remark& test : remarks) {
        Machine machine;
        test.change(machine.split);
        const auto made = split_remarks(machine.topology, machine.split);
        ASSERT_EQ(made.size(), test.begin.size())
            << test.sentence << ": " << fmt::format("{}", fmt::join(made, " | "));
        for (std::size_t i = 0; i < made.size(); ++i) {
            EXPECT_TRUE(made[i].starts_with(test.begin[i])) << test.sentence << ": " << made[i];
        }
    }
}

}  // namespace
}  // namespace hora::report
