// Of which nodes does a gres.conf say something to compare a machine with?
#include "scripts/hora/machine/check_gres.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/scratch_folder.hpp"

namespace hora::scripts {
namespace {

struct Case {
    const char* sentence;
    const char* conf;
    const char* host;  // what the machine calls itself
    const char* node;  // of --node; empty: not given
    bool is_known;
};

const Case cases[] = {
    {"a node that it names", "NodeName=n1 Name=gpu File=/dev/nvidia0\n", "n1", "", true},
    {"by what Slurm calls it", "NodeName=n1 Name=gpu File=/dev/nvidia0\n", "host", "n1", true},
    {"a node that it does not name", "NodeName=n1 Name=gpu File=/dev/nvidia0\n", "n2", "", false},
    {"lines of all nodes", "Name=gpu File=/dev/nvidia0\n", "host", "", true},
    {"lines of all nodes, and of a named one",
     "Name=gpu File=/dev/nvidia0\nNodeName=n1 Name=gpu File=/dev/nvidia1\n", "host", "", true},
    {"found on every node", "AutoDetect=nvml\n", "host", "n2", true},
    {"found on every node, and lines of another one",
     "AutoDetect=nvml\nNodeName=n1 Name=gpu File=/dev/nvidia0\n", "n2", "", true},
    {"found on every node but one", "AutoDetect=nvml\nNodeName=n1 AutoDetect=off\n", "n1", "",
     true},
    {"found on a named node", "NodeName=n1 AutoDetect=nvml\n", "host", "n1", true},
    {"found on a named node alone", "NodeName=n1 AutoDetect=nvml\n", "n2", "", false},
};

TEST(CheckGres, RefusesANodeOfWhichTheFileSaysNothing) {
    const tests::ScratchFolder folder;
    for (const Case& row : cases) {
        folder.write("gres.conf", row.conf);
        domain::Topology topology;
        topology.host = row.host;
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        const auto checked = check_gres(topology, {.path = "machine.xml",
                                                   .value = folder.file("gres.conf"),
                                                   .node = row.node,
                                                   .type = {}});
        testing::internal::GetCapturedStdout();
        testing::internal::GetCapturedStderr();
        const bool is_refused = !checked && checked.error().kind == ErrorKind::wrong_use;
        EXPECT_EQ(!is_refused, row.is_known) << row.sentence;
        if (is_refused) {
            EXPECT_NE(checked.error().message.find("names no node"), std::string::npos)
                << row.sentence << ": " << checked.error().message;
        }
    }
}

}  // namespace
}  // namespace hora::scripts
