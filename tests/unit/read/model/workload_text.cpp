#include "libplanner/read/model/workload_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "libplanner/model/networks/builtin.hpp"
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
    {"zeros are written", {DataType::fp32, {{0, 0, 0}}}, "2.fp32.m0.0.0"},
    {"the framework's choice of a type", {{}, {{1, 2, 3}}}, "2.auto.m1.2.3"},
    {"numbers have base 62", {DataType::bf16, {{61, 62, 3844}}}, "2.bf16.mz.10.100"},
    {"equal layers are counted", {DataType::fp16, {{1, 2, 3}, {1, 2, 3}}}, "2.fp16.m1.2.3*2"},
    {"a layer begins with the letter of its kind",
     {DataType::fp32, {{1, 2, 3, domain::LayerKind::dense}}},
     "2.fp32.d1.2.3"},
    {"a table has the bytes of a row and the words of a sample",
     {DataType::fp32, {{.weight_bytes = 620, .row_bytes = 62, .words = 21}}},
     "2.fp32.m0.A0.0.10.L"},
    {"different ones are set apart",
     {DataType::fp8, {{1, 2, 3}, {4, 5, 6}}},
     "2.fp8.m1.2.3-m4.5.6"},
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
     "character 1: expected version \"2\": it was written by another release of Hora"},
    {"another version", "1.fp32.m1.1.1",
     "character 2: expected version \"2\": it was written by another release of Hora"},
    {"an unknown data type", "2.fp23.m1.1.1", "character 7: expected a data type before this"},
    {"no layers", "2.fp32.", "character 8: expected the letter of a kind of layer"},
    {"a kind that is none", "2.fp32.x1.1.1", "character 8: expected the letter of a kind of layer"},
    {"half a layer", "2.fp32.m1.1", "character 12: expected \".\""},
    {"a number of nine digits too many", "2.fp32.mzzzzzzzzzzzzzzzzzz.1.1",
     "character 9: " + number_wanted},
    {"one more than 2^50", "2.fp32.m5FiHGZ1t7.1.1", "character 9: " + number_wanted},
    {"a leading zero", "2.fp32.m01.1.1", "character 9: " + number_wanted},
    {"a sign", "2.fp32.m-1.1.1", "character 9: " + number_wanted},
    {"a row of no bytes", "2.fp32.m1.5.1.0.1",
     "character 16: expected the bytes of a row, at most all"},
    {"a row of more bytes than the table", "2.fp32.m1.5.1.6.1",
     "character 15: expected the bytes of a row, at most all"},
    {"a table without words", "2.fp32.m1.5.1.5", "character 16: expected \".\""},
    {"a table of no words", "2.fp32.m1.5.1.5.0", "character 18: expected the words of a sample"},
    {"more tables than travel", "2.fp32.m1.5.1.5.1*9", "character 20: expected at most 8 tables"},
    {"a count of one", "2.fp32.m1.1.1*1",
     "character 16: expected a count of at least 2, and 256 layers at most"},
    {"a count past the bound", "2.fp32.m1.1.1*49",
     "character 15: expected a count of at least 2, and 256 layers at most"},
    {"an uncounted equal layer", "2.fp32.m1.1.1-m1.1.1",
     "character 21: expected a layer unlike the one before"},
    {"something behind it", "2.fp32.m1.1.1 ", "character 14: expected the end"},
    {"a byte that is no letter", "2.fp32.m1.1.1\n1.1.1", "character 14: expected the end"},
    {"too many layers", "2.fp32.m1.1.1*47-m2.2.2*2",
     "character 25: expected a count of at least 2, and 256 layers at most"},
    {"far too long a text", "2.fp32." + repeated("1", 9000),
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
    std::string text = "2.fp32.m1.1.1";
    for (std::size_t i = 1; i <= domain::max_workload_layers; ++i) {
        text += i % 2 == 0 ? "-m1.1.1" : "-m2.2.2";
    }
    EXPECT_FALSE(read_workload_text(text));
    EXPECT_TRUE(read_workload_text(std::string_view(text).substr(0, text.size() - 7)));
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
    const auto kind =
        rc::gen::map(rc::gen::inRange<std::size_t>(0, domain::layer_kinds.size()),
                     [](std::size_t index) { return domain::layer_kinds[index].kind; });
    const auto layer = rc::gen::construct<LayerCost>(number, number, number, kind);
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
    const std::string text = "2.fp32.m1.1.1" + tail;
    if (const Expected<Workload> read = read_workload_text(text)) {
        RC_ASSERT(to_text(*read) == text);
    }
}

}  // namespace
}  // namespace hora::read
