// Is a table of measured step times read as curves, and what is missing put between?
#include "libplanner/read/trace/speed_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace hora::read {
namespace {

// The rows below the usual columns.
std::string below(std::string_view rows) {
    std::string text = "app,batch_size,gpus,iter_time_s,total_iters\n";
    text += rows;
    return text;
}

SpeedTable table(const std::string& text) {
    auto read = read_speed_table(text);
    EXPECT_TRUE(read) << (read ? "" : read.error().message);
    return read ? *std::move(read) : SpeedTable();
}

std::vector<double> curve(const domain::TrueSpeed& speed) {
    std::vector<double> seconds;
    for (const Seconds each : speed.epoch_seconds) {
        seconds.push_back(each.count());
    }
    return seconds;
}

TEST(SpeedTable, IsByApplicationAndBatch) {
    const SpeedTable read =
        table(below("bert,32,2,0.5,100\nbert,32,1,1,100\nbert,64,1,2,50\n"
                    "vgg,32,1,3,10\n"));
    ASSERT_EQ(read.size(), 3U);
    const domain::TrueSpeed& bert = read.at({"", "bert", 32});
    EXPECT_EQ(bert.name, "bert, batch 32");
    EXPECT_EQ(curve(bert), (std::vector<double>{100, 50}));
    EXPECT_EQ(bert.steps, 100);
    EXPECT_EQ(bert.least, 1U);
    EXPECT_EQ(bert.gradients, Bytes(0));
    EXPECT_EQ(curve(read.at({"", "bert", 64})), (std::vector<double>{100}));
    EXPECT_EQ(curve(read.at({"", "vgg", 32})), (std::vector<double>{30}));
}

TEST(SpeedTable, PutsWhatIsMissingOnALineOfLogarithms) {
    const domain::TrueSpeed speed = table(below("a,1,2,8,1\na,1,8,2,1\n")).at({"", "a", 1});
    EXPECT_EQ(speed.least, 2U);
    const std::vector<double> seconds = curve(speed);
    ASSERT_EQ(seconds.size(), 8U);
    EXPECT_EQ(seconds[0], 8) << "below the least the least";
    for (std::uint32_t gpus = 2; gpus <= 8; ++gpus) {
        EXPECT_NEAR(seconds[gpus - 1], 16.0 / gpus, 1e-9) << gpus;
    }
}

TEST(SpeedTable, TakesTheFewestNodesAsPacked) {
    const domain::TrueSpeed speed =
        table(
            "application,batch,nodes,gpus,iter_time_s,total_iters,gradient_bytes,remark\n"
            "a,1,4,4,9,1,100,x\na,1,1,4,5,1,200,y\na,1,2,4,6,1,300,z\n")
            .at({"", "a", 1});
    EXPECT_EQ(curve(speed), (std::vector<double>{5, 5, 5, 5}));
    ASSERT_EQ(speed.spread.size(), 2U);
    EXPECT_EQ(speed.spread[0].nodes, 2U);
    EXPECT_EQ(speed.spread[0].epoch, Seconds(6));
    EXPECT_EQ(speed.spread[1].nodes, 4U);
    EXPECT_EQ(speed.gradients, Bytes(100)) << "as the first row says";
}

constexpr const char* typed =
    "gpu_type,app,batch_size,gpus,iter_time_s,total_iters\n"
    "a100,a,1,1,2,10\n,a,1,2,8,10\nt4,a,1,1,9,10\nv100,a,1,1,5,10\nv100,b,1,1,5,10\n";

TEST(SpeedTable, KeepsARowWithATypeToThatType) {
    const std::string types[] = {"t4", "a100"};
    const auto read = read_speed_table(typed, types);
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->size(), 2U);
    const domain::TrueSpeed& slow = read->at({"t4", "a", 1});
    EXPECT_EQ(slow.name, "a, batch 1");
    EXPECT_EQ(slow.gpu_type, "t4");
    EXPECT_EQ(curve(slow), (std::vector<double>{90, 80}));
    EXPECT_EQ(curve(read->at({"a100", "a", 1})), (std::vector<double>{20, 80}));
}

TEST(SpeedTable, HoldsOnEachTypeWithoutTheColumn) {
    const std::string types[] = {"t4", "a100"};
    const auto read = read_speed_table(below("a,1,1,2,10\n"), types);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(curve(read->at({"t4", "a", 1})), std::vector<double>{20});
    EXPECT_EQ(curve(read->at({"a100", "a", 1})), std::vector<double>{20});
}

struct TypeCase {
    const char* sentence;
    std::vector<std::string> types;
    const char* rows;
    const char* message;
};

TEST(SpeedTable, NamesTheTypeThatIsWrong) {
    const TypeCase cases[] = {
        {"of a type and of all",
         {"t4", "a100"},
         "a100,a,1,2,8,1\n,a,1,2,7,1\n",
         "line 3: \"a\" with batch 1 on 2 GPUs of type a100 is there twice"},
        {"types of nodes that are alike",
         {},
         "a100,a,1,2,8,1\n,a,1,8,9,1\nt4,a,1,4,7,1\n",
         "line 4: \"a\" with batch 1 has speeds of GPUs of types \"a100\" and \"t4\"; keep one "
         "type's, or say with --node-type which nodes have which"},
        {"a row that is there twice",
         {},
         "a100,a,1,2,8,1\na100,a,1,2,7,1\n",
         "line 3: \"a\" with batch 1 on 2 GPUs is there twice"},
        {"none of the types",
         {"t4", "a100"},
         "v100,a,1,2,8,1\n",
         "has no row that holds on GPUs of type t4, a100"},
        {"no rows", {"t4"}, "", "has no row below its first line"},
        {"a row of another type that is no row",
         {"t4"},
         "v100,a,1,2,0,1\n",
         "line 2: iter_time_s \"0\" is no time; give seconds, at least 1e-09"},
    };
    for (const TypeCase& test : cases) {
        const auto read = read_speed_table(
            std::string("gpu_type,app,batch_size,gpus,iter_time_s,total_iters\n") + test.rows,
            test.types);
        ASSERT_FALSE(read) << test.sentence;
        EXPECT_EQ(read.error().message, test.message) << test.sentence;
    }
}

struct Case {
    const char* sentence;
    const char* rows;
    const char* message;
};

const Case cases[] = {
    {"no rows", "", "has no row below its first line"},
    {"the same twice", "a,1,2,8,1\na,1,2,7,1\n",
     "line 3: \"a\" with batch 1 on 2 GPUs is there twice"},
    {"no GPUs", "a,1,0,8,1\n", "line 2: gpus \"0\" is out of range; give 1 to 4096"},
    {"more than anybody has", "a,1,4097,8,1\n",
     "line 2: gpus \"4097\" is out of range; give 1 to 4096"},
    {"no time", "a,1,2,0,1\n",
     "line 2: iter_time_s \"0\" is no time; give seconds, at least 1e-09"},
    {"a time that is no number", "a,1,2,nan,1\n",
     "line 2: iter_time_s \"nan\" is no time; give seconds, at least 1e-09"},
    {"no steps", "a,1,2,8,0\n", "line 2: total_iters \"0\" is out of range; give 1 to 4294967295"},
    {"a batch that is no number", "a,x,2,8,1\n",
     "line 2: batch_size \"x\" is not a whole number; give 1 to 4294967295"},
};

TEST(SpeedTable, NamesTheLineThatIsWrong) {
    for (const Case& test : cases) {
        const auto read = read_speed_table(below(test.rows));
        ASSERT_FALSE(read) << test.sentence;
        EXPECT_EQ(read.error().message, test.message) << test.sentence;
    }
    EXPECT_FALSE(read_speed_table("app,gpus,iter_time_s,total_iters\na,1,1,1\n"));
    EXPECT_FALSE(read_speed_table(""));
}

}  // namespace
}  // namespace hora::read
