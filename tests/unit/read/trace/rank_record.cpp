#include "libplanner/read/trace/rank_record.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hora::read {
namespace {

const std::string head = R"({"version":1,"host":"n1","pid":17,"rank":2,"device":)"
                         R"({"type":"a100","uuid":"GPU-1","busid":"0000:02:00.0"}})"
                         "\n";
const std::string world = R"({"comm":"world","rank":2,"ranks":4,"nodes":2})"
                          "\n";
const std::string reduction =
    R"({"comm":"world","op":"AllReduce","seq":7,"bytes":4096,"begin":1.25,"end":1.5})"
    "\n";
const std::string send =
    R"({"comm":"world","op":"Send","seq":0,"bytes":8,"begin":1.6,"end":1.7,"peer":3})"
    "\n";

TEST(RankRecord, ReadsEachKindOfLine) {
    const auto record =
        read_rank_record(head + world + reduction + send + "{\"step\":3,\"at\":1.75}\n");
    ASSERT_TRUE(record.has_value()) << record.error().message;
    EXPECT_EQ(record->host, "n1");
    EXPECT_EQ(record->process, 17u);
    EXPECT_EQ(record->rank, 2u);
    EXPECT_EQ(record->device.type, "a100");
    EXPECT_EQ(record->device.uuid, "GPU-1");
    EXPECT_EQ(record->device.busid, "0000:02:00.0");
    ASSERT_EQ(record->communicators.size(), 1u);
    EXPECT_EQ(record->communicators[0].name, "world");
    EXPECT_EQ(record->communicators[0].rank, 2u);
    EXPECT_EQ(record->communicators[0].ranks, 4u);
    EXPECT_EQ(record->communicators[0].nodes, 2u);
    ASSERT_EQ(record->calls.size(), 2u);
    EXPECT_EQ(record->operations[record->calls[0].operation], "AllReduce");
    EXPECT_EQ(record->calls[0].sequence, 7u);
    EXPECT_EQ(record->calls[0].bytes, Bytes(4096));
    EXPECT_EQ(record->calls[0].begin, Seconds(1.25));
    EXPECT_EQ(record->calls[0].end, Seconds(1.5));
    EXPECT_FALSE(record->calls[0].peer.has_value());
    EXPECT_EQ(record->operations[record->calls[1].operation], "Send");
    EXPECT_EQ(record->calls[1].peer, 3u);
    ASSERT_EQ(record->steps.size(), 1u);
    EXPECT_EQ(record->steps[0].step, 3u);
    EXPECT_EQ(record->steps[0].at, Seconds(1.75));
    EXPECT_FALSE(record->is_cut);
}

struct Ending {
    const char* sentence;
    std::string text;
    std::size_t calls;
    bool is_cut;
};

const Ending endings[] = {
    {"a record without calls is whole", head, 0, false},
    {"a last line without its end is still whole",
     head + world + reduction.substr(0, reduction.size() - 1), 1, false},
    {"a process that is killed leaves half a line", head + world + reduction + send.substr(0, 30),
     1, true},
    {"zero bytes behind the last line are no text",
     head + world + reduction + std::string(5000, '\0'), 1, false},
    {"half a line before zero bytes is left out as well",
     head + world + reduction + send.substr(0, 30) + std::string(100, '\0'), 1, true},
};

TEST(RankRecord, ReadsWhatAKilledProcessLeaves) {
    for (const Ending& test : endings) {
        const auto record = read_rank_record(test.text);
        ASSERT_TRUE(record.has_value()) << test.sentence << ": " << record.error().message;
        EXPECT_EQ(record->calls.size(), test.calls) << test.sentence;
        EXPECT_EQ(record->is_cut, test.is_cut) << test.sentence;
    }
}

struct Bad {
    const char* sentence;
    std::string text;
    std::string message;
};

std::string call_with(const std::string& fields) {
    return head + world + R"({"comm":"world","op":"Send","seq":0,"bytes":8,)" + fields + "}\n";
}

const std::string no_record =
    R"(line 1: no record of calls: its first line is )"
    R"({"version":1,"host":…,"pid":…,"rank":…,"device":…}, see hora-trace(5))";

const Bad bad[] = {
    {"nothing was written yet", "", "is empty"},
    {"only room was made for it", std::string(64, '\0'), "is empty"},
    {"another file of a job's", R"({"step":1,"seconds":0.5})", no_record},
    {"a text", "loss 0.5\n", no_record},
    {"a later version", R"({"version":2,"host":"n1","pid":1,"rank":0,"device":null})",
     "line 1: head.version is 2, this reads 1"},
    {"a head without its rank", R"({"version":1,"host":"n1","pid":1,"device":null})",
     "line 1: head.rank is missing"},
    {"a line torn before the last", head + world.substr(0, 20) + "\n" + reduction,
     "line 2: no JSON: \"{\"comm\":\"world\",\"ran\""},
    {"a line of another kind", head + "{\"loss\":0.5}\n",
     "line 2: is none of a communicator (comm), a call (op) and a step (step)"},
    {"a list", head + "[1]\n", "line 2: is no JSON object"},
    {"a call in a communicator that is not described", head + reduction,
     "line 2: call.comm names \"world\", which no line before this one describes"},
    {"a communicator that is described twice", head + world + world,
     "line 3: communicator.comm describes \"world\" a second time"},
    {"a rank outside of its communicator",
     head + R"({"comm":"world","rank":4,"ranks":4,"nodes":1})",
     "line 2: communicator.rank is no whole number up to 3"},
    {"more nodes than ranks", head + R"({"comm":"world","rank":0,"ranks":4,"nodes":5})",
     "line 2: communicator.nodes is no whole number up to 4"},
    {"a peer outside of the communicator", call_with(R"("begin":1,"end":2,"peer":4)"),
     "line 3: call.peer is no whole number up to 3"},
    {"less than no pieces", call_with(R"("begin":1,"end":2,"ahead":-1)"),
     "line 3: call.ahead is no whole number up to 9007199254740992"},
    {"a call that ends before it begins", call_with(R"("begin":2,"end":1,"peer":0)"),
     "line 3: call.end is before begin"},
    {"a key that is not of the format", call_with(R"("begin":1,"end":2,"stream":5)"),
     "line 3: call.\"stream\" is not known"},
    {"a time that is none", call_with(R"("begin":"1","end":2)"),
     "line 3: call.begin is no number between 0 and 1000000000000"},
    {"a line without end", head + R"({"comm":")" + std::string(2000, 'x') + "\"}\n",
     "line 2: longer than 1024 characters"},
};

TEST(RankRecord, SaysWhatIsWrongAndWhere) {
    for (const Bad& test : bad) {
        const auto record = read_rank_record(test.text);
        ASSERT_FALSE(record.has_value()) << test.sentence;
        EXPECT_EQ(record.error().message, test.message) << test.sentence;
    }
}

}  // namespace
}  // namespace hora::read
