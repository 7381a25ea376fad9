#include "plugins/job_submit/apply.hpp"

#include <gtest/gtest.h>

#include "tests/unit/job_submit/job.hpp"

namespace hora::submit {
namespace {

using Lines = std::vector<std::string>;

TEST(Apply, LeavesEachFieldThatIsNotNamed) {
    Job job;
    job->min_nodes = 3;
    job->features = daemon_string("a");
    job.environment({"A=1"});
    apply({}, *job);
    EXPECT_EQ(job->min_nodes, 3U);
    EXPECT_EQ(job->num_tasks, NO_VAL);
    EXPECT_STREQ(job->features, "a");
    EXPECT_EQ(job.environment(), Lines{"A=1"});
}

TEST(Apply, SetsFieldsAndClearsWithAnEmptyText) {
    Job job;
    job->tres_per_job = daemon_string("gres:gpu:4");
    request::Rewrite rewrite;
    rewrite.min_nodes = 2;
    rewrite.max_nodes = 2;
    rewrite.num_tasks = 4;
    rewrite.ntasks_per_node = std::uint16_t{2};
    rewrite.tres_per_node = "gres:gpu:2";
    rewrite.tres_per_job = "";
    rewrite.tres_per_socket = "gres:gpu:2";
    rewrite.sockets_per_node = std::uint16_t{1};
    rewrite.cores_per_socket = std::uint16_t{4};
    rewrite.features = "titanx";
    apply(rewrite, *job);
    EXPECT_STREQ(job->tres_per_socket, "gres:gpu:2");
    EXPECT_EQ(job->sockets_per_node, 1U);
    EXPECT_EQ(job->cores_per_socket, 4U);
    EXPECT_EQ(job->min_nodes, 2U);
    EXPECT_EQ(job->max_nodes, 2U);
    EXPECT_EQ(job->num_tasks, 4U);
    EXPECT_EQ(job->ntasks_per_node, 2U);
    EXPECT_STREQ(job->tres_per_node, "gres:gpu:2");
    EXPECT_EQ(job->tres_per_job, nullptr);
    EXPECT_STREQ(job->features, "titanx");
}

TEST(Apply, DeletesAndReplacesVariables) {
    const std::size_t before = living_blocks();
    {
        Job job;
        job.environment({"SLURM_NTASKS=1", "A=1", "SLURM_NTASKS_PER_NODE=1", "HORA_MODE=old"});
        request::Rewrite rewrite;
        rewrite.unset = {"SLURM_NTASKS", "SLURM_NPROCS", "SLURM_NTASKS_PER_NODE"};
        rewrite.set = {{"HORA_MODE", "sync"}, {"HORA_BATCH", "64"}};
        rewrite.tell = {{"HORA_MODE", "sync"}};
        apply(rewrite, *job);
        EXPECT_EQ(job.environment(), (Lines{"A=1", "HORA_MODE=sync", "HORA_BATCH=64"}));
        EXPECT_EQ(job->environment[job->env_size], nullptr) << "still ends with a null";
        EXPECT_EQ(job.spank(), Lines{"HORA_MODE=sync"});
    }
    EXPECT_EQ(living_blocks(), before) << "nothing leaks, nothing is freed twice";
}

struct Comment {
    const char* sentence;
    const char* before;
    const char* after;
};

TEST(Apply, KeepsTheTokenBesideWhatOthersKeep) {
    const Comment cases[] = {
        {"into an empty comment", nullptr, "hora={1}"},
        {"beside another's words", "site=x note", "site=x note hora={1}"},
        {"in the place of an older one", "a hora={\"old\":0} b", "a b hora={1}"},
        {"a word that only looks alike stays", "xhora={0}", "xhora={0} hora={1}"},
    };
    for (const Comment& test : cases) {
        Job job;
        job->admin_comment = daemon_string(test.before);
        keep_token("hora={1}", *job);
        EXPECT_STREQ(job->admin_comment, test.after) << test.sentence;
    }
}

}  // namespace
}  // namespace hora::submit
