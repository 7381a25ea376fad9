#include "plugins/slurm/version.hpp"

#include <gtest/gtest.h>

namespace hora::slurm {
namespace {

struct Row {
    const char* sentence;
    std::uint32_t version;
    bool message;
    bool concurrent;
    std::string_view prefix;
    bool job_step_id;
    bool step_id;
    bool none_plugins;
    bool drains;
    bool refuses_nodes;
};

const Row rows[] = {
    {"22.05 as Debian 12 has it", version_number(22, 5, 8), false, false, "gres:", false, false,
     true, false, false},
    {"23.02 tells a modifying user", version_number(23, 2, 0), true, true, "gres:", false, false,
     true, false, false},
    {"23.11 writes gres with a slash", version_number(23, 11, 10), true, true, "gres/", false,
     false, false, false, true},
    {"24.05 is as 23.11", version_number(24, 5, 4), true, true, "gres/", false, false, false, false,
     true},
    {"24.11 is as 24.05", version_number(24, 11, 7), true, true, "gres/", false, false, false,
     false, true},
    {"25.05 drains on a failing SPANK plugin", version_number(25, 5, 1), true, true, "gres/", false,
     false, false, true, true},
    {"25.11 moves the job id", version_number(25, 11, 0), true, true, "gres/", true, false, false,
     true, true},
    {"26.05 loads jobs by step id", version_number(26, 5, 3), true, true, "gres/", true, true,
     false, true, true},
};

TEST(Version, KnowsWhatEachReleaseDoesDifferently) {
    for (const Row& row : rows) {
        EXPECT_EQ(modify_has_message(row.version), row.message) << row.sentence;
        EXPECT_EQ(submits_concurrently(row.version), row.concurrent) << row.sentence;
        EXPECT_EQ(leaves_tasks_open(row.version), row.message) << row.sentence;
        EXPECT_EQ(gres_prefix(row.version), row.prefix) << row.sentence;
        EXPECT_EQ(has_job_step_id(row.version), row.job_step_id) << row.sentence;
        EXPECT_EQ(takes_step_id(row.version), row.step_id) << row.sentence;
        EXPECT_EQ(knows_none_plugins(row.version), row.none_plugins) << row.sentence;
        EXPECT_EQ(drains_on_spank_failure(row.version), row.drains) << row.sentence;
        EXPECT_EQ(refuses_nodes_with_host_file(row.version), row.refuses_nodes) << row.sentence;
    }
}

TEST(Version, PacksAsSlurmDoes) {
    EXPECT_EQ(version_number(22, 5, 8), 0x160508u);
}

}  // namespace
}  // namespace hora::slurm
