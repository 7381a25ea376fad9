// Is every task of a job told what the plan, the owner and the site said, in that order?
#include "plugins/spank/job/job_variables.hpp"

#include <gtest/gtest.h>

namespace hora::spank {
namespace {

TaskFacts with_options(std::vector<std::pair<std::string, std::string>> options) {
    TaskFacts facts;
    facts.options = std::move(options);
    facts.uid = 1001;
    facts.user = "ada";
    facts.work_directory = "/home/ada/run";
    return facts;
}

TEST(JobVariables, are_the_plans_before_the_owners) {
    const TaskFacts facts = with_options({{"hora-mode", "balanced"}, {"hora-batch", "64"}});
    EXPECT_EQ(job_variables(Environment({}), facts, {}),
              (Variables{{"HORA_MODE", "balanced"}, {"HORA_BATCH", "64"}}));
    const Environment planned({{"SLURM_SPANK_HORA_MODE", "sync"},
                               {"SLURM_SPANK_HORA_BATCH", "60"},
                               {"HORA_SAMPLE_RATE", "0.1"},
                               {"SLURM_SPANK_HORA_SAMPLE_RATE", "0.2"},
                               {"SLURM_SPANK_HORA_EXCHANGE", "hierarchy"}});
    EXPECT_EQ(job_variables(planned, facts, {}), (Variables{{"HORA_MODE", "sync"},
                                                            {"HORA_BATCH", "60"},
                                                            {"HORA_SAMPLE_RATE", "0.1"},
                                                            {"HORA_EXCHANGE", "hierarchy"}}));
    EXPECT_EQ(job_variables(Environment({}), with_options({}), {}), Variables());
    EXPECT_EQ(job_variables(Environment({}), with_options({{"hora-mode", "auto"}}), {}),
              Variables())
        << "nothing is chosen yet";
}

// Its first start has the smallest batch, and each start has HORA_BATCH_MIN to scale from.
TEST(JobVariables, tell_the_smallest_of_a_range_of_batches) {
    const TaskFacts facts = with_options({{"hora-batch", "64-1024"}, {"hora-elastic", ""}});
    EXPECT_EQ(job_variables(Environment({}), facts, {}),
              (Variables{{"HORA_BATCH", "64"}, {"HORA_BATCH_MIN", "64"}}));
    EXPECT_EQ(job_variables(Environment(Variables{{"SLURM_SPANK_HORA_BATCH", "64"}}), facts, {}),
              (Variables{{"HORA_BATCH", "64"}, {"HORA_BATCH_MIN", "64"}}));
    TaskFacts larger = facts;
    larger.batch = 512;
    EXPECT_EQ(job_variables(Environment(Variables{{"SLURM_SPANK_HORA_BATCH", "64"}}), larger, {}),
              (Variables{{"HORA_BATCH", "512"}, {"HORA_BATCH_MIN", "64"}}))
        << "a later start may have another one than the plan";
    EXPECT_FALSE(job_variables(Environment({}), with_options({{"hora-batch", "64-64"}}), {})
                     .contains("HORA_BATCH_MIN"));
}

// It comes back with another number of GPUs.
TEST(JobVariables, leave_an_elastic_job_no_mode_that_depends_on_its_size) {
    for (const char* const mode : {"independent", "sync", "async", "balanced"}) {
        const Environment planned(Variables{{"SLURM_SPANK_HORA_MODE", mode}});
        const bool depends = std::string(mode) == "independent" || std::string(mode) == "sync";
        EXPECT_EQ(
            job_variables(planned, with_options({{"hora-elastic", ""}}), {}).contains("HORA_MODE"),
            !depends)
            << mode;
        EXPECT_TRUE(job_variables(planned, with_options({}), {}).contains("HORA_MODE")) << mode;
    }
}

TEST(JobVariables, have_what_the_site_set_for_nccl) {
    ComputeSettings settings;
    settings.socket_interface = "ib0";
    EXPECT_EQ(job_variables(Environment({}), with_options({}), settings),
              (Variables{{"NCCL_SOCKET_IFNAME", "ib0"}}));
    settings.ib_hca = "mlx5";
    EXPECT_EQ(job_variables(Environment({}), with_options({}), settings),
              (Variables{{"NCCL_SOCKET_IFNAME", "ib0"}, {"NCCL_IB_HCA", "mlx5"}}));
}

TEST(JobVariables, of_options_are_found_as_slurm_passes_them) {
    EXPECT_EQ(option_variable("hora-gpus"), "SLURM_SPANK__SLURM_SPANK_OPTION_hora_hora_gpus");
    const Environment environment({{option_variable("hora-gpus"), "1-4"},
                                   {option_variable("hora-model"), ""},
                                   {option_variable("hora-unknown"), "x"}});
    const auto options = passed_options(environment);
    ASSERT_EQ(options.size(), 2U);
    for (const auto& [name, value] : options) {
        EXPECT_EQ(value, name == "hora-gpus" ? "1-4" : "") << name;
    }
}

TEST(JobVariables, take_the_other_options_where_one_is_wrong) {
    const domain::JobOptions options = read_options(with_options(
        {{"hora-batch", "x"}, {"hora-gpus", "1-4"}, {"hora-nothing", "1"}, {"hora-epochs", "-1"}}));
    EXPECT_EQ(options.batch, std::nullopt);
    EXPECT_EQ(options.epochs, std::nullopt);
    ASSERT_TRUE(options.gpus);
    EXPECT_EQ(options.gpus->max, 4U);
}

TEST(JobVariables, name_the_modes_as_the_option_does) {
    for (const auto mode : {domain::Mode::sync, domain::Mode::async, domain::Mode::balanced}) {
        const std::string name(mode_name(mode));
        EXPECT_EQ(read_options(with_options({{"hora-mode", name}})).mode, mode) << name;
    }
    EXPECT_EQ(mode_name(domain::Mode::independent), "independent") << "which only a plan says";
}

TEST(CheckpointFolder, is_known_by_cluster_job_and_time_of_submission) {
    struct Case {
        const char* name;
        Variables variables;
        bool is_batch;
        const char* folder;  // "": none
    };
    const Case cases[] = {
        {"a script's",
         {{"SLURM_JOB_ID", "17"},
          {"HORA_SUBMIT", "1700000000"},
          {"SLURM_CLUSTER_NAME", "blue"},
          {"SLURM_SUBMIT_DIR", "/home/ada"}},
         true,
         "/home/ada/run/.hora-1001/blue-17-1700000000"},
        {"a step's, wherever it runs",
         {{"SLURM_JOB_ID", "17"},
          {"SLURM_SPANK_HORA_SUBMIT", "1700000000"},
          {"SLURM_CLUSTER_NAME", "blue"},
          {"SLURM_SUBMIT_DIR", "/home/ada"}},
         false,
         "/home/ada/.hora-1001/blue-17-1700000000"},
        {"no time", {{"SLURM_JOB_ID", "17"}, {"SLURM_CLUSTER_NAME", "blue"}}, true, ""},
        {"no job", {{"HORA_SUBMIT", "1"}, {"SLURM_CLUSTER_NAME", "blue"}}, true, ""},
        {"a job that is none",
         {{"SLURM_JOB_ID", "17x"}, {"HORA_SUBMIT", "1"}, {"SLURM_CLUSTER_NAME", "blue"}},
         true,
         ""},
        {"a number beyond all jobs",
         {{"SLURM_JOB_ID", "4294967296"}, {"HORA_SUBMIT", "1"}, {"SLURM_CLUSTER_NAME", "blue"}},
         true,
         ""},
        {"a time that is none",
         {{"SLURM_JOB_ID", "17"}, {"HORA_SUBMIT", "-1"}, {"SLURM_CLUSTER_NAME", "blue"}},
         true,
         ""},
    };
    for (const Case& each : cases) {
        TaskFacts facts = with_options({});
        facts.is_batch = each.is_batch;
        const auto folder = checkpoint_folder(Environment(each.variables), facts, {});
        ASSERT_TRUE(folder) << each.name << ": " << folder.error().message;
        EXPECT_EQ(*folder, each.folder) << each.name;
    }
}

}  // namespace
}  // namespace hora::spank
