#include "libplanner/read/model/workload_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "libplanner/model/builtin.hpp"
#include "libplanner/model/workload.hpp"

namespace hora::read {
namespace {

using domain::DataType;
using domain::LayerCost;
using domain::Workload;

constexpr std::uint64_t top = domain::max_workload_number;

std::string repeated(std::string_view part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) {
        text += part;
    }
    return text;
}

struct Written {
    const char* sentence;
    Workload workload;
    std::string text;
};

const Written written[] = {
    {"zeros are written", {DataType::fp32, {{0, 0, 0}}}, "1.fp32.0.0.0"},
    {"numbers have base 62", {DataType::bf16, {{61, 62, 3844}}}, "1.bf16.z.10.100"},
    {"equal layers are counted", {DataType::fp16, {{1, 2, 3}, {1, 2, 3}}}, "1.fp16.1.2.3*2"},
    {"different ones are set apart", {DataType::fp8, {{1, 2, 3}, {4, 5, 6}}}, "1.fp8.1.2.3-4.5.6"},
};

TEST(WorkloadText, WritesOneShortLine) {
    for (const Written& row : written) {
        EXPECT_EQ(to_text(row.workload), row.text) << row.sentence;
        const Expected<Workload> read = read_workload_text(row.text);
        ASSERT_TRUE(read) << row.sentence << ": " << read.error().message;
        EXPECT_EQ(*read, row.workload) << row.sentence;
    }
}

struct Refused {
    const char* sentence;
    std::string text;
    std::string message;
};

const std::string number_wanted = "expected a number of at most 2^50 in base 62";

const Refused refused[] = {
    {"nothing", "",
     "character 1: expected version \"1\": it was written by another release of Hora"},
    {"another version", "2.fp32.1.1.1",
     "character 2: expected version \"1\": it was written by another release of Hora"},
    {"an unknown data type", "1.fp23.1.1.1", "character 7: expected a data type before this"},
    {"no layers", "1.fp32.", "character 8: " + number_wanted},
    {"half a layer", "1.fp32.1.1", "character 11: expected \".\""},
    {"a number of nine digits too many", "1.fp32.zzzzzzzzzzzzzzzzzz.1.1",
     "character 8: " + number_wanted},
    {"one more than 2^50", "1.fp32.5FiHGZ1t7.1.1", "character 8: " + number_wanted},
    {"a leading zero", "1.fp32.01.1.1", "character 8: " + number_wanted},
    {"a sign", "1.fp32.-1.1.1", "character 8: " + number_wanted},
    {"a count of one", "1.fp32.1.1.1*1",
     "character 15: expected a count of at least 2, and 256 layers at most"},
    {"a count past the bound", "1.fp32.1.1.1*49",
     "character 14: expected a count of at least 2, and 256 layers at most"},
    {"an uncounted equal layer", "1.fp32.1.1.1-1.1.1",
     "character 19: expected a layer unlike the one before"},
    {"something behind it", "1.fp32.1.1.1 ", "character 13: expected the end"},
    {"a byte that is no letter", "1.fp32.1.1.1\n1.1.1", "character 13: expected the end"},
    {"too many layers", "1.fp32.1.1.1*47-2.2.2*2",
     "character 23: expected a count of at least 2, and 256 layers at most"},
    {"far too long a text", "1.fp32." + repeated("1", 9000),
     "character 1: expected at most 8192 characters"},
};

TEST(WorkloadText, RefusesEverythingElse) {
    for (const Refused& row : refused) {
        const Expected<Workload> read = read_workload_text(row.text);
        ASSERT_FALSE(read) << row.sentence;
        EXPECT_EQ(read.error().message, "workload text: " + row.message) << row.sentence;
    }
}

TEST(WorkloadText, RefusesMoreLayersThanTravel) {
    std::string text = "1.fp32.1.1.1";
    for (std::size_t i = 1; i <= domain::max_workload_layers; ++i) {
        text += i % 2 == 0 ? "-1.1.1" : "-2.2.2";
    }
    EXPECT_FALSE(read_workload_text(text));
    EXPECT_TRUE(read_workload_text(std::string_view(text).substr(0, text.size() - 6)));
}

TEST(WorkloadText, HoldsTheLargestWorkload) {
    Workload largest;
    for (std::uint64_t i = 0; i < domain::max_workload_layers; ++i) {
        largest.layers.push_back({top - i, top - i, top - i});
    }
    const std::string text = to_text(largest);
    EXPECT_LE(text.size(), domain::max_workload_text);
    EXPECT_EQ(*read_workload_text(text), largest);
}

TEST(WorkloadText, CarriesEveryBuiltinNetwork) {
    for (const std::string_view name : model::builtin_names()) {
        const Workload workload = model::to_workload(*model::builtin_network(name), DataType::fp32);
        EXPECT_EQ(*read_workload_text(to_text(workload)), workload) << name;
    }
}

rc::Gen<Workload> workloads() {
    const auto number = rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(0, 3),
                                       rc::gen::inRange<std::uint64_t>(0, top + 1));
    const auto layer = rc::gen::construct<LayerCost>(number, number, number);
    const auto layers =
        rc::gen::resize(static_cast<int>(domain::max_workload_layers),
                        rc::gen::nonEmpty(rc::gen::container<std::vector<LayerCost>>(layer)));
    return rc::gen::construct<Workload>(
        rc::gen::element(DataType::fp32, DataType::tf32, DataType::fp16, DataType::bf16,
                         DataType::fp8),
        layers);
}

RC_GTEST_PROP(WorkloadText, ReadsWhatItWrites, ()) {
    Workload workload = *workloads();
    workload.layers.resize(std::min(workload.layers.size(), domain::max_workload_layers));
    const std::string text = to_text(workload);
    RC_ASSERT(text.size() <= domain::max_workload_text);
    const Expected<Workload> read = read_workload_text(text);
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == workload);
}

RC_GTEST_PROP(WorkloadText, NeverReadsWhatItWouldNotWrite, (const std::string& tail)) {
    const std::string text = "1.fp32.1.1.1" + tail;
    if (const Expected<Workload> read = read_workload_text(text)) {
        RC_ASSERT(to_text(*read) == text);
    }
}

}  // namespace
}  // namespace hora::read
