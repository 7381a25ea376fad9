#include "plugins/slurm/version.hpp"

#include <gtest/gtest.h>

namespace hora::slurm {
namespace {

struct Row {
    const char* sentence;
    std::uint32_t version;
    bool message;
    std::string_view prefix;
    bool refuses_nodes;
};

const Row rows[] = {
    {"22.05 as Debian 12 has it", version_number(22, 5, 8), false, "gres:", false},
    {"23.02 tells a modifying user", version_number(23, 2, 0), true, "gres:", false},
    {"23.11 writes gres with a slash", version_number(23, 11, 10), true, "gres/", true},
    {"24.11 as Debian 13 has it", version_number(24, 11, 5), true, "gres/", true},
    {"26.05 as Debian sid has it", version_number(26, 5, 5), true, "gres/", true},
};

TEST(Version, KnowsWhatEachReleaseDoesDifferently) {
    for (const Row& row : rows) {
        EXPECT_EQ(modify_has_message(row.version), row.message) << row.sentence;
        EXPECT_EQ(gres_prefix(row.version), row.prefix) << row.sentence;
        EXPECT_EQ(refuses_nodes_with_host_file(row.version), row.refuses_nodes) << row.sentence;
    }
}

TEST(Version, PacksAsSlurmDoes) {
    EXPECT_EQ(version_number(22, 5, 8), 0x160508u);
}

}  // namespace
}  // namespace hora::slurm
