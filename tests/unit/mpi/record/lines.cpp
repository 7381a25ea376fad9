// Is each line that is written one that hora-trace(5) describes?
#include "plugins/mpi/record/lines.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "libplanner/read/trace/rank_record.hpp"

namespace hora::mpi {
namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t longest_line = 1024;  // of hora-trace(5)

std::string call_line(const CallLine& line) {
    char memory[longest_call_line];
    return std::string(write_call_line(line, memory));
}

struct Case {
    const char* sentence;
    std::string line;
    std::string expected;
};

const Case cases[] = {
    {"a host", head_line("n1", 4711, 0),
     R"({"version":1,"host":"n1","pid":4711,"rank":0,"device":null})"},
    {"the largest process and rank",
     head_line("n1", std::numeric_limits<std::uint32_t>::max(), 2147483647),
     R"({"version":1,"host":"n1","pid":4294967295,"rank":2147483647,"device":null})"},
    {"no host", head_line("", 1, 0), R"({"version":1,"host":"","pid":1,"rank":0,"device":null})"},
    {"a host that would end its text", head_line("a\"b\\c\nd\x7f\xc3", 1, 0),
     R"({"version":1,"host":"abcd","pid":1,"rank":0,"device":null})"},
    {"a zero byte in a host", head_line(std::string_view("a\0b", 3), 1, 0),
     R"({"version":1,"host":"ab","pid":1,"rank":0,"device":null})"},
    {"a communicator", communicator_line({.name = "0-3 #2", .rank = 1, .ranks = 4, .nodes = 2}),
     R"({"comm":"0-3 #2","rank":1,"ranks":4,"nodes":2})"},
    {"a communicator of which the nodes are not known", communicator_line({.name = "0"}),
     R"({"comm":"0","rank":0,"ranks":1,"nodes":0})"},
    {"a collective",
     call_line({.communicator = "world",
                .operation = "AllReduce",
                .sequence = 0,
                .bytes = 4096,
                .begin = 1'250'000'000,
                .end = 1'500'000'000}),
     R"({"comm":"world","op":"AllReduce","seq":0,"bytes":4096,)"
     R"("begin":1.250000000,"end":1.500000000})"},
    {"a call with the first rank, and pieces",
     call_line({.communicator = "0-1",
                .operation = "Send",
                .sequence = 7,
                .begin = 1,
                .end = 999'999'999,
                .peer = 0,
                .ahead = 12}),
     R"({"comm":"0-1","op":"Send","seq":7,"bytes":0,)"
     R"("begin":0.000000001,"end":0.999999999,"peer":0,"ahead":12})"},
    {"the largest numbers",
     call_line({.communicator = "0",
                .operation = "Scan",
                .sequence = largest,
                .bytes = largest,
                .begin = 0,
                .end = largest,
                .peer = 2147483647,
                .ahead = largest}),
     R"({"comm":"0","op":"Scan","seq":18446744073709551615,"bytes":18446744073709551615,)"
     R"("begin":0.000000000,"end":18446744073.709551615,)"
     R"("peer":2147483647,"ahead":18446744073709551615})"},
    {"a step", step_line(1, 1'750'000'000), R"({"step":1,"at":1.750000000})"},
    {"a step at the beginning", step_line(0, 0), R"({"step":0,"at":0.000000000})"},
    {"the largest step", step_line(largest, largest),
     R"({"step":18446744073709551615,"at":18446744073.709551615})"},
};

TEST(Line, IsOneObjectOfTheRecord) {
    for (const Case& test : cases) {
        EXPECT_EQ(test.line, test.expected + "\n") << test.sentence;
    }
}

TEST(Line, FitsWhateverItsNames) {
    const std::string name(128, 'n');
    const std::string longer = name + "x";
    const CallLine call{.communicator = name,
                        .operation = name,
                        .sequence = largest,
                        .bytes = largest,
                        .begin = largest,
                        .end = largest,
                        .peer = 2147483647,
                        .ahead = largest};
    CallLine longer_call = call;
    longer_call.communicator = longer;
    longer_call.operation = longer;
    EXPECT_LT(call_line(call).size(), longest_call_line);
    EXPECT_EQ(call_line(longer_call), call_line(call));
    const CommunicatorLine communicator{.name = longer, .rank = 2147483646, .ranks = 2147483647};
    EXPECT_LT(communicator_line(communicator).size(), longest_line);
    EXPECT_LT(head_line(std::string(5000, 'h'), 1, 0).size(), longest_line);
    // Calls name the communicator as the line that describes it.
    EXPECT_NE(communicator_line(communicator).find('"' + name + '"'), std::string::npos);
}

TEST(Line, IsWhatTheReaderReads) {
    const std::string name(200, 'n');
    const std::string text = head_line("h\"", 3, 1) +
                             communicator_line({.name = name, .rank = 1, .ranks = 2, .nodes = 1}) +
                             call_line({.communicator = name,
                                        .operation = "Irecv",
                                        .sequence = 3,
                                        .bytes = std::uint64_t{1} << 53,
                                        .begin = 5,
                                        .end = 5,
                                        .peer = 1,
                                        .ahead = 2}) +
                             step_line(std::uint64_t{1} << 53, 6);
    const auto record = read::read_rank_record(text);
    ASSERT_TRUE(record) << record.error().message;
    EXPECT_EQ(record->host, "h");
    EXPECT_EQ(record->process, 3u);
    EXPECT_EQ(record->rank, 1u);
    EXPECT_EQ(record->device.type, "");
    ASSERT_EQ(record->communicators.size(), 1u);
    EXPECT_EQ(record->communicators[0].nodes, 1u);
    ASSERT_EQ(record->calls.size(), 1u);
    EXPECT_EQ(record->calls[0].begin, Seconds(5e-9));
    EXPECT_EQ(record->calls[0].end, Seconds(5e-9));
    ASSERT_EQ(record->steps.size(), 1u);
    EXPECT_EQ(record->steps[0].step, std::uint64_t{1} << 53);
}

TEST(Clock, NeverStepsBack) {
    Nanoseconds last = now();
    EXPECT_GT(last, 0u);
    for (int i = 0; i < 100'000; ++i) {
        const Nanoseconds next = now();
        ASSERT_GE(next, last);
        last = next;
    }
}

}  // namespace
}  // namespace hora::mpi
