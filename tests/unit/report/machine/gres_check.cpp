#include "libplanner/report/machine/gres_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "libplanner/plan/socket_split.hpp"
#include "libplanner/read/cluster/topology.hpp"
#include "libplanner/report/machine/gres_conf.hpp"

namespace hora::report {
namespace {

std::string machine_file(const std::string& name) {
    const char* const srcdir = std::getenv("srcdir");
    return std::string(srcdir == nullptr ? "." : srcdir) + "/tests/topologies/" + name + ".xml";
}

std::string told(const domain::Topology& machine, const std::string& text,
                 bool are_assumed = true) {
    read::DeviceFiles files = read::usual_device_files(machine);
    files.are_assumed = are_assumed;
    return fmt::format(
        "{}", fmt::join(gres_differences(machine, read::parse_gres_conf(text).gpus_of("n1"), files),
                        "\n"));
}

TEST(GresCheck, AgreesWithWhatWePrint) {
    for (const char* const name :
         {"amd", "four-switches", "management-graphics", "nvswitch", "one-socket-four-switches",
          "two-switches-one-socket", "two-switches-two-sockets", "virtual"}) {
        const auto machine = read::read_topology(machine_file(name));
        ASSERT_TRUE(machine.has_value()) << machine.error().message;
        const auto text = gres_conf(*machine, plan::split_sockets(*machine),
                                    read::usual_device_files(*machine).paths, {});
        ASSERT_TRUE(text.has_value()) << text.error().message;
        EXPECT_EQ(told(*machine, *text), "") << name;
    }
}

struct Case {
    const char* sentence;
    const char* text;
    const char* differences;
};

// Of four GPUs on two switches in two sockets of eight cores.
const Case cases[] = {
    {"nothing but files", "Name=gpu File=/dev/nvidia[0-3]\n", ""},
    {"only a count", "Name=gpu Count=4\n", ""},
    {"too few", "Name=gpu File=/dev/nvidia[0-2]\n",
     "gres.conf gives the node 3 GPUs, the machine has 4"},
    {"cores of the other socket",
     "Name=gpu File=/dev/nvidia[0-1] Cores=0-7\nName=gpu File=/dev/nvidia2 Cores=8-15\n"
     "Name=gpu File=/dev/nvidia3 Cores=0,8-9\n",
     "line 3: nvidia3 has Cores=0,8-9, but GPU3 at 0000:84:00.0 is near cores 8-15, of NUMA node "
     "1"},
    {"CPUs of the kernel for cores",
     "Name=gpu File=/dev/nvidia[0-1] Cores=0-7,16-23\nName=gpu File=/dev/nvidia[2-3] Cores=8-15\n",
     "line 1: nvidia0 has Cores=0-7,16-23, but the machine has 16 cores; Cores= counts cores as "
     "Slurm does, socket by socket, and not the kernel's CPUs\n"
     "line 1: nvidia1 has Cores=0-7,16-23, but the machine has 16 cores; Cores= counts cores as "
     "Slurm does, socket by socket, and not the kernel's CPUs"},
    {"a switch whose GPUs have cores apart",
     "Name=gpu File=/dev/nvidia0 Cores=0-3\nName=gpu File=/dev/nvidia1 Cores=4-7\n"
     "Name=gpu File=/dev/nvidia[2-3] Cores=8-15\n",
     "line 1: nvidia0 and nvidia1 (line 2) are joined by one switch, but have no core of Cores= in "
     "common"},
    {"bus ids of another machine",
     "# nvidia0 0000:03:00.0\n# nvidia1 0000:05:00.0\n# nvidia2 0000:83:00.0\n"
     "# nvidia3 0000:83:00.0\nName=gpu File=/dev/nvidia[0-3]\n",
     "line 5: nvidia1 is noted at 0000:05:00.0, where the machine has no GPU\n"
     "line 5: nvidia3 is noted at 0000:83:00.0, and so is nvidia2\n"
     "no line is noted for GPU1 at 0000:04:00.0\nno line is noted for GPU3 at 0000:84:00.0"},
    {"files in another order than bus ids, as noted",
     "# nvidia0 0000:83:00.0\n# nvidia1 0000:84:00.0\n# nvidia2 0000:03:00.0\n"
     "# nvidia3 0000:04:00.0\nName=gpu File=/dev/nvidia[0-1] Cores=8-15\n"
     "Name=gpu File=/dev/nvidia[2-3] Cores=0-7\n",
     ""},
    {"links of fewer GPUs",
     "Name=gpu File=/dev/nvidia0 Links=-1,1,1\nName=gpu File=/dev/nvidia[1-3]\n",
     "line 1: nvidia0 has 3 numbers in Links=, and there are 4 GPUs"},
};

TEST(GresCheck, SaysWhereTheyDisagree) {
    const auto machine = read::read_topology(machine_file("two-switches-two-sockets"));
    ASSERT_TRUE(machine.has_value()) << machine.error().message;
    for (const Case& test : cases) {
        EXPECT_EQ(told(*machine, test.text), test.differences) << test.sentence;
    }
    EXPECT_EQ(told(*machine,
                   "# nvidia0 0000:04:00.0\nName=gpu File=/dev/nvidia0\n"
                   "Name=gpu File=/dev/nvidia[1-3]\n",
                   false),
              "line 2: nvidia0 is noted at 0000:04:00.0, but the driver has it at 0000:03:00.0");
}

}  // namespace
}  // namespace hora::report
