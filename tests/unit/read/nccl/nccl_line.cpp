// Is each line of NCCL's log told apart, wherever it was written to?
#include "libplanner/read/nccl/nccl_line.hpp"

#include <gtest/gtest.h>

#include <string>

#include "libplanner/read/pci_address.hpp"

namespace hora::read {
namespace {

// "n1:7:8@n1 channel 0: 0 1 2", "… ring 0: 0 > 1", "… start 1 of 4 id 0x1 at 0000:34:00.0".
std::string text_of(std::string_view line) {
    const auto parsed = parse_nccl_line(line);
    if (!parsed) {
        return "none";
    }
    std::string text = std::string(parsed->thread) + "@" + std::string(parsed->host);
    if (const auto* list = std::get_if<NcclRingList>(&parsed->says)) {
        text += " channel " + std::to_string(list->channel) + ":";
        for (const std::uint32_t rank : list->ranks) {
            text += " " + std::to_string(rank);
        }
    } else if (const auto* step = std::get_if<NcclRingStep>(&parsed->says)) {
        text += " ring " + std::to_string(step->channel) + ": " + std::to_string(step->rank) +
                " > " + std::to_string(step->next);
    } else if (const auto* one = std::get_if<NcclIdentity>(&parsed->says)) {
        text += (one->is_start ? " start " : " complete ") + std::to_string(one->self.rank) +
                " of " + std::to_string(one->size) + " id " + one->id;
        if (one->self.address) {
            text += " at " + format_pci_address(*one->self.address);
        }
    }
    return text;
}

struct Case {
    const char* sentence;
    const char* line;
    const char* is;
};

const Case cases[] = {
    {"an empty line", "", "none"},
    {"another line", "n1:7:8 [0] NCCL WARN no", "none"},
    {"a line that says nothing of rings", "n1:7:8 [0] NCCL INFO Using network IB", "n1:7:8@n1"},
    {"a ring", "n1:7:8 [0] NCCL INFO Channel 00/02 :    0   1   2", "n1:7:8@n1 channel 0: 0 1 2"},
    {"of one rank", "n1:7:8 [0] NCCL INFO Channel 01/02 : 0", "n1:7:8@n1 channel 1: 0"},
    {"a ring of none", "n1:7:8 [0] NCCL INFO Channel 00/02 :", "n1:7:8@n1"},
    {"a connection of a channel",
     "n1:7:8 [0] NCCL INFO Channel 00/0 : 0[1a000] -> 1[1b000] via P2P/IPC", "n1:7:8@n1"},
    {"a step of a ring", "n1:7:8 [0] NCCL INFO Ring 00 : 3 -> 0 -> 1", "n1:7:8@n1 ring 0: 0 > 1"},
    {"with more behind it", "n1:7:8 [0] NCCL INFO Ring 00 : 3 -> 0 -> 1 x", "n1:7:8@n1"},
    {"cut short", "n1:7:8 [0] NCCL INFO Ring 00 : 3 -> 0 ->", "n1:7:8@n1"},
    {"a start",
     "n1:7:8 [0] NCCL INFO comm 0x7f rank 1 nranks 4 cudaDev 0 nvmlDev 0 busId 34000 commId 0x1 - "
     "Init START",
     "n1:7:8@n1 start 1 of 4 id 0x1 at 0000:34:00.0"},
    {"its end",
     "n1:7:8 [0] NCCL INFO comm 0x7f rank 1 nranks 4 cudaDev 0 busId 34000 - Init COMPLETE",
     "n1:7:8@n1 complete 1 of 4 id  at 0000:34:00.0"},
    {"a rank beyond them all", "n1:7:8 [0] NCCL INFO comm 0x7f rank 4 nranks 4 - Init START",
     "n1:7:8@n1"},
    {"no rank", "n1:7:8 [0] NCCL INFO comm 0x7f nranks 4 - Init START", "n1:7:8@n1"},
    {"neither start nor end", "n1:7:8 [0] NCCL INFO comm 0x7f rank 1 nranks 4", "n1:7:8@n1"},
    {"what mpirun puts in front", "[1,2]<stdout>:n1:7:8 [0] NCCL INFO Ring 00 : 3 -> 0 -> 1",
     "n1:7:8@n1 ring 0: 0 > 1"},
    {"what srun puts in front", "12: n1:7:8 [0] NCCL INFO Ring 00 : 3 -> 0 -> 1",
     "n1:7:8@n1 ring 0: 0 > 1"},
    {"a time in front", "2026-01-01 10:00:00 n1:7:8 [0] NCCL INFO hello", "n1:7:8@n1"},
    {"no thread", "n1:7 [0] NCCL INFO hello", "none"},
    {"no device", "n1:7:8 NCCL INFO hello", "none"},
    {"no host", ":7:8 [0] NCCL INFO hello", "none"},
    {"a carriage return", "n1:7:8 [0] NCCL INFO Channel 00/02 : 0 1\r", "n1:7:8@n1 channel 0: 0 1"},
    {"a rank that is no number of 32 bits", "n1:7:8 [0] NCCL INFO Channel 00/02 : 0 99999999999",
     "n1:7:8@n1"},
};

TEST(NcclLine, SaysOneThing) {
    for (const Case& test : cases) {
        EXPECT_EQ(text_of(test.line), test.is) << test.sentence;
    }
}

TEST(NcclLine, BusIdsAreAddresses) {
    const std::pair<const char*, const char*> rows[] = {
        {"34000", "0000:34:00.0"},
        {"100034000", "1000:34:00.0"},
        {"c1f7", "0000:0c:1f.7"},
        {"0", "0000:00:00.0"},
        {"fffffffff0000", "ffffffff:f0:00.0"},
        {"10000000000000", ""},
        {"34200", ""},  // device 0x20
        {"34008", ""},  // function 8
        {"", ""},
        {"0x34000", ""},
        {"34000 ", ""},
        {"ffffffffffffffffff", ""},
    };
    for (const auto& [hex, address] : rows) {
        const auto parsed = parse_nccl_bus_id(hex);
        EXPECT_EQ(parsed ? format_pci_address(*parsed) : "", address) << hex;
    }
}

}  // namespace
}  // namespace hora::read
