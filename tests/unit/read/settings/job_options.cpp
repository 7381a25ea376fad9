#include "libplanner/read/settings/job_options.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <string>

namespace hora::read {
namespace {

using domain::JobOptions;

struct Refusal {
    const char* sentence;
    std::string_view name;
    std::string value;
    std::string_view message;
};

const Refusal refusals[] = {
    {"a batch with a unit", "hora-batch", "12k",
     "--hora-batch: \"12k\" is not a whole number; give 1 to 1000000000, e.g. --hora-batch=256"},
    {"a batch of nothing", "hora-batch", "0",
     "--hora-batch: \"0\" is out of range; give 1 to 1000000000, e.g. --hora-batch=256"},
    {"a negative batch", "hora-batch", "-1",
     "--hora-batch: \"-1\" is not a whole number; give 1 to 1000000000, e.g. --hora-batch=256"},
    {"a range of batches that runs backwards", "hora-batch", "1024-64",
     "--hora-batch: \"1024-64\" ends below its start; give the smaller number first, "
     "e.g. --hora-batch=256"},
    {"a range of batches from nothing", "hora-batch", "0-64",
     "--hora-batch: \"0\" is out of range; give 1 to 1000000000, e.g. --hora-batch=256"},
    {"a range of batches without an end", "hora-batch", "64-",
     "--hora-batch: \"\" is not a whole number; give 1 to 1000000000, e.g. --hora-batch=256"},
    {"a range of batches beyond a billion", "hora-batch", "64-1000000001",
     "--hora-batch: \"1000000001\" is out of range; give 1 to 1000000000, e.g. --hora-batch=256"},
    {"a range of three batches", "hora-batch", "1-2-3",
     "--hora-batch: \"2-3\" is not a whole number; give 1 to 1000000000, e.g. --hora-batch=256"},
    {"a noise scale of nothing", "hora-noise-scale", "0",
     "--hora-noise-scale: \"0\" is out of range; give 1 to 1000000000, "
     "e.g. --hora-noise-scale=2000"},
    {"a fraction of a noise scale", "hora-noise-scale", "1e3",
     "--hora-noise-scale: \"1e3\" is not a whole number; give 1 to 1000000000, "
     "e.g. --hora-noise-scale=2000"},
    {"a number beyond 64 bits", "hora-samples", "99999999999999999999",
     "--hora-samples: \"99999999999999999999\" is out of range; give 1 to 1000000000000, "
     "e.g. --hora-samples=1281167"},
    {"an empty number", "hora-epochs", "",
     "--hora-epochs: \"\" is not a whole number; give 1 to 1000000, e.g. --hora-epochs=90"},
    {"a fraction", "hora-epochs", "1.5",
     "--hora-epochs: \"1.5\" is not a whole number; give 1 to 1000000, e.g. --hora-epochs=90"},
    {"a range that runs backwards", "hora-gpus", "8-1",
     "--hora-gpus: \"8-1\" ends below its start; give the smaller number first, "
     "e.g. --hora-gpus=1-8"},
    {"a range without an end", "hora-gpus", "4-",
     "--hora-gpus: \"\" is not a whole number; give 1 to 1000000, e.g. --hora-gpus=1-8"},
    {"a range of three numbers", "hora-gpus", "1-2-3",
     "--hora-gpus: \"2-3\" is not a whole number; give 1 to 1000000, e.g. --hora-gpus=1-8"},
    {"a slip in a rule for sizes", "hora-sizes", "power",
     "--hora-sizes: \"power\" is none of any, powers, nodes; did you mean \"powers\"?"},
    {"no rule for sizes at all", "hora-sizes", "2^n",
     "--hora-sizes: \"2^n\" is none of any, powers, nodes, nor a list of numbers of GPUs, "
     "e.g. --hora-sizes=1,2,4,8"},
    {"an empty rule for sizes", "hora-sizes", "",
     "--hora-sizes: \"\" is none of any, powers, nodes, nor a list of numbers of GPUs, "
     "e.g. --hora-sizes=1,2,4,8"},
    {"a list of sizes with a gap", "hora-sizes", "1,,4",
     "--hora-sizes: \"\" is not a whole number; give 1 to 1000000, e.g. --hora-sizes=1,2,4,8"},
    {"a list of sizes with a word", "hora-sizes", "1,two",
     "--hora-sizes: \"two\" is not a whole number; give 1 to 1000000, "
     "e.g. --hora-sizes=1,2,4,8"},
    {"a size of no GPUs", "hora-sizes", "0,1",
     "--hora-sizes: \"0\" is out of range; give 1 to 1000000, e.g. --hora-sizes=1,2,4,8"},
    {"a range of sizes", "hora-sizes", "1-8",
     "--hora-sizes: \"1-8\" is none of any, powers, nodes, nor a list of numbers of GPUs, "
     "e.g. --hora-sizes=1,2,4,8"},
    {"more sizes than are kept", "hora-sizes", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
     "--hora-sizes: names 17 sizes; give at most 16, e.g. --hora-sizes=1,2,4,8"},
    {"a slip in a mode", "hora-mode", "asinc",
     "--hora-mode: \"asinc\" is none of auto, sync, async, balanced; did you mean \"async\"?"},
    {"an empty word in a list", "hora-accepts", "balanced,",
     "--hora-accepts: \"\" is none of balanced, async, sampling, hierarchy, "
     "e.g. --hora-accepts=balanced,sampling"},
    {"a slip in what a program accepts", "hora-accepts", "hierarchical",
     "--hora-accepts: \"hierarchical\" is none of balanced, async, sampling, hierarchy; "
     "did you mean \"hierarchy\"?"},
    {"an unknown number format", "hora-dtype", "float",
     "--hora-dtype: \"float\" is none of fp32, tf32, fp16, bf16, fp8, e.g. --hora-dtype=bf16"},
    {"an unknown objective", "hora-objective", "money",
     "--hora-objective: \"money\" is none of time, efficiency, e.g. --hora-objective=efficiency"},
    {"a model without a name", "hora-model", "",
     "--hora-model: is empty; give a name from 'hora models', an .onnx or a .toml file, "
     "e.g. --hora-model=resnet50"},
    {"a model with an escape sequence", "hora-model", "a\x1b[2Jb",
     "--hora-model: \"a?[2Jb\" holds a control character; rename the file, "
     "e.g. --hora-model=resnet50"},
    {"a model with a control character of Unicode", "hora-model", "a\xc2\x9b\x32Jb",
     "--hora-model: \"a?2Jb\" holds a control character; rename the file, "
     "e.g. --hora-model=resnet50"},
    {"a launcher's own name", "hora-launch", "torchrun",
     "--hora-launch: \"torchrun\" is none of task, node, e.g. --hora-launch=node"},
    {"a signal that asks for no checkpoint", "hora-signal", "KILL",
     "--hora-signal: \"KILL\" is none of USR1, USR2, TERM, e.g. --hora-signal=USR2"},
    {"a signal with its prefix", "hora-signal", "SIGUSR2",
     "--hora-signal: \"SIGUSR2\" is none of USR1, USR2, TERM, e.g. --hora-signal=USR2"},
    {"a slip in an all-reduce", "hora-allreduce", "rings",
     "--hora-allreduce: \"rings\" is none of mpi, ring, bypass, bypass=owner, bypass=successor; "
     "did you mean \"ring\"?"},
    {"a wait in words", "hora-wait", "soon",
     "--hora-wait: \"soon\" is no time; give minutes, hours:minutes:seconds or days-hours, "
     "e.g. --hora-wait=30"},
    {"a switch with a value", "hora-off", "yes", "--hora-off: takes no value, got \"yes\""},
    {"an unknown option", "hora-bacth", "x",
     "unknown option \"hora-bacth\"; did you mean \"hora-batch\"?"},
};

TEST(JobOptions, RefusesWithAMessageThatHelps) {
    for (const Refusal& test : refusals) {
        JobOptions options;
        const auto done = set_job_option(options, test.name, test.value);
        ASSERT_FALSE(done.has_value()) << test.sentence;
        EXPECT_EQ(done.error().message, test.message) << test.sentence;
        EXPECT_EQ(done.error().kind, ErrorKind::wrong_use) << test.sentence;
    }
}

JobOptions options_of(
    std::initializer_list<std::pair<std::string_view, std::string_view>> settings) {
    JobOptions options;
    for (const auto& [name, value] : settings) {
        const auto done = set_job_option(options, name, value);
        EXPECT_TRUE(done.has_value()) << name << '=' << value;
    }
    return options;
}

TEST(JobOptions, ReadsWhatSlurmPassesOn) {
    const JobOptions options = options_of({{"hora_model", "./my net.onnx"},
                                           {"hora_batch", "256"},
                                           {"hora_samples", "1281167"},
                                           {"hora_epochs", "90"},
                                           {"hora_gpus", "1-8"},
                                           {"hora_dtype", "bf16"},
                                           {"hora_mode", "balanced"},
                                           {"hora_accepts", "async,sampling,hierarchy,balanced"},
                                           {"hora_objective", "efficiency"},
                                           {"hora_wait", "1-0"}});
    EXPECT_EQ(options.model, "./my net.onnx");
    EXPECT_EQ(options.batch, 256U);
    EXPECT_EQ(options.samples, 1281167U);
    EXPECT_EQ(options.epochs, 90U);
    EXPECT_EQ(options.gpus->min, 1U);
    EXPECT_EQ(options.gpus->max, 8U);
    EXPECT_EQ(options.data_type, domain::DataType::bf16);
    EXPECT_EQ(options.mode, domain::Mode::balanced);
    EXPECT_EQ(options.wait, Seconds(86400));
    EXPECT_TRUE(options.accepts_async && options.accepts_balanced && options.accepts_sampling &&
                options.accepts_hierarchy);
    EXPECT_EQ(options.objective, domain::Objective::efficiency);
    EXPECT_TRUE(options.wants_plan());
}

TEST(JobOptions, ALaterValueReplacesAnEarlierOne) {
    EXPECT_EQ(options_of({{"hora-mode", "sync"}, {"hora-mode", "auto"}}).mode, std::nullopt);
    const JobOptions accepts =
        options_of({{"hora-accepts", "async"}, {"hora-accepts", "balanced"}});
    EXPECT_FALSE(accepts.accepts_async);
    EXPECT_TRUE(accepts.accepts_balanced);
}

TEST(JobOptions, OneNumberOfGpusMeansExactlyThatMany) {
    const JobOptions options = options_of({{"hora-gpus", "8"}});
    EXPECT_EQ(options.gpus->min, 8U);
    EXPECT_EQ(options.gpus->max, 8U);
}

TEST(JobOptions, ARangeOfBatchesIsPlannedWithItsSmallest) {
    const JobOptions range = options_of({{"hora_batch", "64-1024"}, {"hora_noise_scale", "2000"}});
    EXPECT_EQ(range.batch, 64U);
    EXPECT_EQ(range.max_batch, 1024U);
    EXPECT_EQ(range.noise_scale, 2000U);
    const JobOptions single = options_of({{"hora-batch", "64-1024"}, {"hora-batch", "32-32"}});
    EXPECT_EQ(single.batch, 32U);
    EXPECT_EQ(single.max_batch, std::nullopt) << "a range of one is that one";
}

TEST(JobOptions, ARangeOfBatchesIsForAnElasticJob) {
    const auto said = [](const JobOptions& options) {
        const auto checked = check_job_options(options);
        return checked ? "" : checked.error().message;
    };
    EXPECT_EQ(said(options_of(
                  {{"hora-batch", "64-1024"}, {"hora-noise-scale", "2000"}, {"hora-elastic", ""}})),
              "");
    EXPECT_EQ(said(options_of({{"hora-batch", "64-1024"}})),
              "--hora-batch=64-1024: the batch of a job changes only where it may be resized; add "
              "--hora-elastic, or give one number");
    EXPECT_EQ(said(options_of(
                  {{"hora-batch", "64"}, {"hora-noise-scale", "2000"}, {"hora-elastic", ""}})),
              "--hora-noise-scale is for a batch that may change; give a range of them, "
              "--hora-batch=MIN-MAX");
    EXPECT_EQ(said(options_of({{"hora-batch", "64-64"}})), "");
}

TEST(JobOptions, SizesAreARuleOrAListInAnyOrder) {
    using Kind = domain::SizeRule::Kind;
    EXPECT_EQ(options_of({}).sizes.kind, Kind::any);
    EXPECT_EQ(options_of({{"hora-sizes", "powers"}}).sizes.kind, Kind::powers);
    EXPECT_EQ(options_of({{"hora_sizes", "nodes"}}).sizes.kind, Kind::nodes);
    EXPECT_EQ(options_of({{"hora_sizes", "8"}}).sizes, (domain::SizeRule{Kind::listed, {8}}));
    EXPECT_EQ(options_of({{"hora-sizes", "powers"}, {"hora-sizes", "8,1,4,1"}}).sizes,
              (domain::SizeRule{Kind::listed, {1, 4, 8}}));
}

TEST(JobOptions, SizesAndGpusMustLeaveOne) {
    struct Pair {
        const char* sentence;
        std::string_view gpus;
        std::string_view sizes;
        std::string_view message;  // empty: fine
    };
    const Pair pairs[] = {
        {"a power between", "3-5", "powers", ""},
        {"no power between", "5-7", "powers",
         "--hora-sizes=powers allows no number of GPUs from 5 to 7 (--hora-gpus); widen one of "
         "them"},
        {"the only size at the end", "2-8", "8,16", ""},
        {"all sizes beyond", "2-7", "8,16",
         "--hora-sizes=8,16 allows no number of GPUs from 2 to 7 (--hora-gpus); widen one of "
         "them"},
        {"whole nodes are the cluster's matter", "3", "nodes", ""},
    };
    for (const Pair& pair : pairs) {
        const auto checked =
            check_job_options(options_of({{"hora-gpus", pair.gpus}, {"hora-sizes", pair.sizes}}));
        EXPECT_EQ(checked ? "" : checked.error().message, pair.message) << pair.sentence;
    }
    EXPECT_TRUE(check_job_options(options_of({{"hora-sizes", "999999"}})).has_value())
        << "without --hora-gpus the site's maximum decides";
}

TEST(JobOptions, AnAllreduceIsChosenByItsName) {
    EXPECT_FALSE(options_of({}).allreduce);
    EXPECT_EQ(options_of({{"hora-allreduce", "mpi"}}).allreduce, domain::Allreduce::mpi);
    EXPECT_EQ(options_of({{"hora_allreduce", "ring"}}).allreduce, domain::Allreduce::ring);
    EXPECT_EQ(options_of({{"hora-allreduce", "bypass"}}).allreduce, domain::Allreduce::bypass);
    EXPECT_EQ(options_of({{"hora-allreduce", "bypass=successor"}}).allreduce,
              domain::Allreduce::bypass_to_successor);
}

TEST(JobOptions, OffWins) {
    EXPECT_FALSE(options_of({{"hora-model", "vgg16"}, {"hora-off", ""}}).wants_plan());
    EXPECT_TRUE(options_of({{"hora_off", "(null)"}}).is_off);
}

TEST(JobOptions, ASwitchIsSetByItsName) {
    EXPECT_TRUE(options_of({{"hora-elastic", ""}}).is_elastic);
    EXPECT_TRUE(options_of({{"hora-requeue", "(null)"}}).requeues);
    EXPECT_TRUE(options_of({{"hora-yield", ""}}).yields);
    EXPECT_TRUE(options_of({{"hora-suspend", ""}}).may_be_suspended);
    EXPECT_TRUE(options_of({{"hora_timeline", ""}}).wants_timeline);
}

TEST(JobOptions, EachHasHelpThatFitsALine) {
    for (const JobOption& option : job_options()) {
        EXPECT_EQ(option.name.substr(0, 5), "hora-");
        EXPECT_FALSE(option.help.empty()) << option.name;
        EXPECT_LE(option.help.size(), 72U) << option.name;
    }
}

TEST(JobOptions, AreKnownAsSlurmsEnvironmentSpellsThem) {
    for (const JobOption& option : job_options()) {
        std::string spelt(option.name);
        std::replace(spelt.begin(), spelt.end(), '-', '_');
        JobOptions typed;
        JobOptions passed;
        const auto as_typed = set_job_option(typed, option.name, "no such value");
        const auto as_passed = set_job_option(passed, spelt, "no such value");
        ASSERT_EQ(as_typed.has_value(), as_passed.has_value()) << spelt;
        if (!as_passed) {
            EXPECT_EQ(as_typed.error().message, as_passed.error().message);
        }
    }
}

// Any bytes: no crash, and what is refused leaves the options alone.
RC_GTEST_PROP(JobOptions, SurviveAnyValue, (const std::string& value)) {
    for (const JobOption& option : job_options()) {
        JobOptions options;
        options.batch = 7;
        const auto done = set_job_option(options, option.name, value);
        if (!done) {
            RC_ASSERT(options.batch == 7U);
            RC_ASSERT(done.error().message.find(option.name) != std::string::npos);
        }
    }
}

}  // namespace
}  // namespace hora::read
