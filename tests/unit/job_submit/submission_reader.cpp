#include "plugins/job_submit/submission_reader.hpp"

#include <gtest/gtest.h>

#include "tests/unit/job_submit/job.hpp"

namespace hora::submit {
namespace {

TEST(SubmissionReader, ASubmissionWithoutHorasOptionsIsSeenAtOnce) {
    Job job;
    EXPECT_FALSE(names_hora(*job));
    job.spank({"_SLURM_SPANK_OPTION_other_hora_model=x", "HORA_WORKLOAD=1"});
    EXPECT_FALSE(names_hora(*job));
}

TEST(SubmissionReader, FindsOptionsAndWorkload) {
    Job job;
    job.spank({"A=1", "_SLURM_SPANK_OPTION_hora_hora_model=vgg16",
               "_SLURM_SPANK_OPTION_hora_hora_elastic=", "_SLURM_SPANK_OPTION_hora_hora_requeue",
               "HORA_WORKLOAD=2.fp32.m1.2.3"});
    EXPECT_TRUE(names_hora(*job));
    const auto submission = read_submission(*job, 7);
    ASSERT_TRUE(submission);
    const std::vector<std::pair<std::string, std::string>> options{
        {"hora_model", "vgg16"}, {"hora_elastic", ""}, {"hora_requeue", ""}};
    EXPECT_EQ(submission->options, options);
    EXPECT_EQ(submission->workload, "2.fp32.m1.2.3");
    EXPECT_EQ(submission->uid, 7U);
}

TEST(SubmissionReader, OfAnOptionThatComesAgainTheLastCounts) {
    Job job;
    job.spank({"_SLURM_SPANK_OPTION_hora_hora_gpus=1", "_SLURM_SPANK_OPTION_hora_hora_batch=64",
               "_SLURM_SPANK_OPTION_hora_hora-gpus=2", "HORA_WORKLOAD=1",
               "_SLURM_SPANK_OPTION_hora_hora_gpus=3", "HORA_WORKLOAD=2"});
    const auto submission = read_submission(*job, 7);
    ASSERT_TRUE(submission);
    const std::vector<std::pair<std::string, std::string>> options{{"hora_gpus", "3"},
                                                                   {"hora_batch", "64"}};
    EXPECT_EQ(submission->options, options);
    EXPECT_EQ(submission->workload, "2");
}

TEST(SubmissionReader, MoreEntriesThanAClientSendsAreRefused) {
    const std::string gpus = "_SLURM_SPANK_OPTION_hora_hora_gpus=1";
    const std::string model = "_SLURM_SPANK_OPTION_hora_hora_model=";
    const std::string too_many =
        "the request holds more than 64 entries or 64 KiB of Hora's; give each option once";
    const struct {
        const char* sentence;
        std::vector<std::string> entries;
        std::string refusal;
    } cases[] = {
        {"nothing at all", {}, ""},
        {"as many as there may be", std::vector(64, gpus), ""},
        {"one more", std::vector(65, gpus), too_many},
        {"workloads count", std::vector<std::string>(65, "HORA_WORKLOAD="), too_many},
        {"times of submission count", std::vector<std::string>(65, "HORA_SUBMIT=1"), too_many},
        {"entries of others do not", std::vector<std::string>(1000, "A=" + gpus), ""},
        {"as long as they may be", {model + std::string(65536 - model.size(), 'x')}, ""},
        {"a byte longer", {model + std::string(65537 - model.size(), 'x')}, too_many},
        {"longer together", std::vector(3, model + std::string(30000, 'x')), too_many},
    };
    for (const auto& test : cases) {
        Job job;
        job.spank(test.entries);
        const auto checked = check_entries(*job);
        EXPECT_EQ(checked ? "" : checked.error().message, test.refusal) << test.sentence;
    }
}

TEST(SubmissionReader, LeavesOpenWhatWasNotSaid) {
    Job job;
    job->script = daemon_string("#!/bin/sh");
    const auto submission = read_submission(*job, 7);
    ASSERT_TRUE(submission);
    EXPECT_TRUE(submission->is_batch);
    EXPECT_FALSE(submission->min_nodes || submission->max_nodes || submission->tasks);
    EXPECT_FALSE(submission->tasks_per_node || submission->cpus_per_task || submission->min_cpus);
    EXPECT_FALSE(submission->time_limit || submission->memory_per_node);
    EXPECT_FALSE(submission->is_exclusive);
    EXPECT_FALSE(submission->cpus_per_gpu);
}

TEST(SubmissionReader, ReadsThatAllMemoryOfANodeIsWanted) {
    Job job;
    job->pn_min_memory = 0;
    EXPECT_EQ(read_submission(*job, 0)->memory_per_node, 0U);
}

TEST(SubmissionReader, ReadsCpusByTheGpu) {
    for (const char* const written : {"gres:gpu:3", "gpu:3", "gres/gpu:3", "gres:gpu:titanx:3"}) {
        Job job;
        job->cpus_per_tres = daemon_string(written);
        const auto submission = read_submission(*job, 0);
        ASSERT_TRUE(submission) << written;
        EXPECT_EQ(submission->cpus_per_gpu, 3U) << written;
    }
}

TEST(SubmissionReader, ReadsMemoryByTheGpu) {
    for (const char* const written : {"gres:gpu:8000", "gres/gpu:8000"}) {
        Job job;
        job->mem_per_tres = daemon_string(written);
        const auto submission = read_submission(*job, 0);
        ASSERT_TRUE(submission) << written;
        EXPECT_EQ(submission->memory_per_gpu, 8000U) << written;
        EXPECT_FALSE(submission->memory_per_cpu || submission->memory_per_node) << written;
    }
}

struct Gpus {
    const char* sentence;
    const char* per_job;
    const char* per_node;
    const char* per_task;
    std::optional<std::uint32_t> job;
    std::optional<std::uint32_t> node;
    std::optional<std::uint32_t> task;
    const char* type;
};

TEST(SubmissionReader, ReadsGpusInEachRelease) {
    const Gpus cases[] = {
        {"22.05 writes colons", nullptr, "gres:gpu:2", nullptr, {}, 2, {}, ""},
        {"23.11 writes a slash", nullptr, "gres/gpu:2", nullptr, {}, 2, {}, ""},
        {"a type", nullptr, "gres/gpu:k80:2", nullptr, {}, 2, {}, "k80"},
        {"an equals sign", "gres/gpu=4", nullptr, nullptr, 4, {}, {}, ""},
        {"no count is one", nullptr, "gres:gpu", nullptr, {}, 1, {}, ""},
        {"a type without a count", nullptr, "gres:gpu:k80", nullptr, {}, 1, {}, "k80"},
        {"none is no request", nullptr, "gres:gpu:0", nullptr, {}, {}, {}, ""},
        {"per task", nullptr, nullptr, "gres:gpu:1", {}, {}, 1, ""},
        {"beside something else", nullptr, "gres:nvme:1,gres:gpu:3", nullptr, {}, 3, {}, ""},
    };
    for (const Gpus& test : cases) {
        Job job;
        job->tres_per_job = daemon_string(test.per_job);
        job->tres_per_node = daemon_string(test.per_node);
        job->tres_per_task = daemon_string(test.per_task);
        const auto submission = read_submission(*job, 0);
        ASSERT_TRUE(submission) << test.sentence;
        EXPECT_EQ(submission->gpus.per_job, test.job) << test.sentence;
        EXPECT_EQ(submission->gpus.per_node, test.node) << test.sentence;
        EXPECT_EQ(submission->gpus.per_task, test.task) << test.sentence;
        EXPECT_EQ(submission->gpus.type, test.type) << test.sentence;
    }
}

TEST(SubmissionReader, LeavesTypesSideBySideToTheirOwner) {
    const struct {
        const char* sentence;
        const char* per_job;
        const char* per_node;
        bool has_several_types;
    } cases[] = {
        {"one type", nullptr, "gres:gpu:a100:2", false},
        {"one type, and no GPUs beside it", nullptr, "gres:gpu:a100:2,gres:nvme:fast:1", false},
        {"two on each node", nullptr, "gres:gpu:a100:1,gres:gpu:t4:1", true},
        {"two in the job", "gres/gpu:a100:1,gres/gpu:t4:1", nullptr, true},
        {"one in the job, another on each node", "gres:gpu:a100:1", "gres:gpu:t4:1", true},
        {"the same of both", "gres:gpu:t4:1", "gres:gpu:t4:1", false},
    };
    for (const auto& test : cases) {
        Job job;
        job->tres_per_job = daemon_string(test.per_job);
        job->tres_per_node = daemon_string(test.per_node);
        const auto submission = read_submission(*job, 0);
        ASSERT_TRUE(submission) << test.sentence;
        EXPECT_EQ(submission->gpus.has_several_types, test.has_several_types) << test.sentence;
    }
}

struct Tasks {
    const char* sentence;
    bool is_batch;
    std::uint32_t nodes;
    std::uint32_t tasks;
    std::uint16_t per_node;
    std::optional<std::uint32_t> read;
};

TEST(SubmissionReader, TellsTasksThatWereSaidFromThoseThatFollow) {
    const Tasks cases[] = {
        {"-n", true, NO_VAL, 4, NO_VAL16, 4},
        {"--ntasks-per-node, filled in by 22.05", true, NO_VAL, 2, 2, std::nullopt},
        {"-N and --ntasks-per-node, filled in by 22.05", true, 3, 6, 2, std::nullopt},
        {"--ntasks-per-node from 23.02 on", true, NO_VAL, NO_VAL, 2, std::nullopt},
        {"-n beside another --ntasks-per-node", true, NO_VAL, 4, 2, 4},
        {"srun starts one task", false, NO_VAL, NO_VAL, NO_VAL16, 1},
        {"srun -N2 starts two", false, 2, NO_VAL, NO_VAL16, 2},
        {"and says so with --ntasks-per-node=1", false, 2, 2, 1, 2},
    };
    for (const Tasks& test : cases) {
        Job job;
        job->script = test.is_batch ? daemon_string("#!/bin/sh") : nullptr;
        job->min_nodes = test.nodes;
        job->num_tasks = test.tasks;
        job->ntasks_per_node = test.per_node;
        const auto submission = read_submission(*job, 0);
        ASSERT_TRUE(submission) << test.sentence;
        EXPECT_EQ(submission->tasks, test.read) << test.sentence;
    }
}

TEST(SubmissionReader, TheLaunchOptionIsOneTaskANode) {
    const auto tasks_per_node = [](const char* option, const char* script, std::uint16_t said) {
        Job job;
        job->script = daemon_string(script);
        job->ntasks_per_node = said;
        job.spank({option});
        const auto submission = read_submission(*job, 0);
        return submission ? submission->tasks_per_node.value_or(0) : 99;
    };
    constexpr const char* node = "_SLURM_SPANK_OPTION_hora_hora_launch=node";
    constexpr const char* task = "_SLURM_SPANK_OPTION_hora_hora_launch=task";
    EXPECT_EQ(tasks_per_node(node, "#!/bin/sh", NO_VAL16), 1U);
    EXPECT_EQ(tasks_per_node(node, "#!/bin/sh", 1), 1U);
    EXPECT_EQ(tasks_per_node(node, "#!/bin/sh", 4), 4U) << "what contradicts it stays";
    EXPECT_EQ(tasks_per_node(task, "#!/bin/sh", NO_VAL16), 0U);
    EXPECT_EQ(tasks_per_node(node, nullptr, NO_VAL16), 0U) << "srun starts one a node by itself";
}

TEST(SubmissionReader, TellsNoGpusFromNothingSaid) {
    Job silent;
    EXPECT_FALSE(read_submission(*silent, 0)->gpus.is_named());
    Job none;
    none->tres_per_node = daemon_string("gres:gpu:0");
    EXPECT_TRUE(read_submission(*none, 0)->gpus.is_named());
}

}  // namespace
}  // namespace hora::submit
