// Is what a client's environment says of the job checked again, and recorded as it was typed?
#include "libplanner/request/stated_options.hpp"

#include <gtest/gtest.h>

#include "libplanner/model/networks/builtin.hpp"
#include "libplanner/model/workload.hpp"
#include "libplanner/read/model/workload_text.hpp"

namespace hora::request {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

Submission with(Options options) {
    Submission submission;
    submission.options = std::move(options);
    return submission;
}

TEST(StatedOptions, AreReadFromTheSubmission) {
    const auto options = options_of(
        with({{"hora_model", "resnet50"}, {"hora_batch", "256"}, {"hora_elastic", "(null)"}}));
    ASSERT_TRUE(options) << options.error().message;
    EXPECT_EQ(options->model, "resnet50");
    EXPECT_EQ(options->batch, 256U);
    EXPECT_TRUE(options->is_elastic);
    EXPECT_TRUE(options_of({}));
}

TEST(StatedOptions, RefuseWhatNoOptionTakes) {
    const Options refused[] = {
        {{"hora_batch", "0"}},
        {{"hora_batch", "many"}},
        {{"hora_gpus", "8-4"}},
        {{"hora_mode", "fast"}},
        {{"hora_gpus", "5-7"}, {"hora_sizes", "powers"}},
        {{"hora_model", "resnet50"}, {"hora_batch", "-1"}},
    };
    for (const Options& options : refused) {
        EXPECT_FALSE(options_of(with(options))) << options.back().first;
    }
}

domain::Workload workload(std::string_view name, std::optional<domain::DataType> type) {
    return model::to_workload(*model::builtin_network(name), type);
}

TEST(StatedOptions, TakeTheLayersThatCameAlong) {
    Submission submission;
    submission.workload = read::to_text(workload("resnet18", domain::DataType::fp16));
    domain::JobOptions options;
    options.model = "resnet50";  // what came along is as it was read in the user's process
    const auto found = workload_of(submission, options);
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, workload("resnet18", domain::DataType::fp16));
}

TEST(StatedOptions, TakeABuiltInNetworkWhereNoneCame) {
    domain::JobOptions options;
    options.model = "resnet50";
    EXPECT_EQ(*workload_of({}, options), workload("resnet50", std::nullopt));
    options.data_type = domain::DataType::fp16;
    EXPECT_EQ(*workload_of({}, options), workload("resnet50", domain::DataType::fp16));
}

TEST(StatedOptions, HaveNoLayersOfAFileThatDidNotCome) {
    domain::JobOptions options;
    EXPECT_EQ(*workload_of({}, options), std::nullopt);
    for (const char* file : {"/home/ann/resnet50", "resnet50.onnx", "resnet5", ""}) {
        options.model = file;
        const auto found = workload_of({}, options);
        ASSERT_TRUE(found) << file;
        EXPECT_EQ(*found, std::nullopt) << file;
    }
}

TEST(StatedOptions, RefuseLayersThatHoraDidNotWrite) {
    Submission submission;
    submission.workload = "forged";
    domain::JobOptions options;
    options.model = "resnet50";
    const auto found = workload_of(submission, options);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().message.substr(0, 15), "HORA_WORKLOAD: ");
}

struct Case {
    const char* sentence;
    std::pair<std::string, std::string> option;
    Contract contract;
    Options typed;
};

Contract kept() {
    Contract contract;
    contract.is_elastic = contract.requeues = true;
    return contract;
}

const Case cases[] = {
    {"a value", {"hora_batch", "256"}, {}, {{"hora-batch", "256"}}},
    {"a name of several words", {"hora_a_b", "1"}, {}, {{"hora-a-b", "1"}}},
    {"a switch", {"hora_timeline", "(null)"}, {}, {{"hora-timeline", ""}}},
    {"the contract leaves out elasticity", {"hora_elastic", "(null)"}, {}, {}},
    {"what an elastic job yields with it", {"hora_yield", "(null)"}, {}, {}},
    {"and requeueing", {"hora_requeue", "(null)"}, {}, {}},
    {"or keeps it", {"hora_elastic", "(null)"}, kept(), {{"hora-elastic", ""}}},
    {"and that it yields", {"hora_yield", "(null)"}, kept(), {{"hora-yield", ""}}},
    {"both of them", {"hora_requeue", "(null)"}, kept(), {{"hora-requeue", ""}}},
    {"128 bytes are kept",
     {"hora_model", std::string(128, 'm')},
     {},
     {{"hora-model", std::string(128, 'm')}}},
    {"and no more",
     {"hora_model", std::string(129, 'm')},
     {},
     {{"hora-model", std::string(128, 'm')}}},
};

TEST(StatedOptions, AreRecordedAsTyped) {
    for (const Case& test : cases) {
        EXPECT_EQ(typed_options(with({test.option}), test.contract), test.typed) << test.sentence;
    }
    const Options several{{"hora_model", "x"}, {"hora_elastic", "(null)"}, {"hora_batch", "8"}};
    EXPECT_EQ(typed_options(with(several), {}),
              (Options{{"hora-model", "x"}, {"hora-batch", "8"}}));
}

}  // namespace
}  // namespace hora::request
