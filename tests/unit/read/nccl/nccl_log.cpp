#include "libplanner/read/nccl/nccl_log.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "libplanner/read/pci_address.hpp"

namespace hora::read {
namespace {

using Ranks = std::vector<std::uint32_t>;

struct Case {
    const char* sentence;
    const char* text;
    std::uint32_t size;
    std::size_t ranks;
    std::vector<Ranks> rings;
    std::uint32_t torn;
};

const Case cases[] = {
    {"NCCL 2.7 says who it was at the end, without a commId",
     "como:60725:60748 [0] NCCL INFO Channel 00/02 :    0   1   2   3\n"
     "como:60725:60748 [0] NCCL INFO Channel 01/02 :    0   3   2   1\n"
     "como:60725:60748 [0] NCCL INFO Channel 00 : 0[6000] -> 1[7000] via P2P/IPC\n"
     "como:60725:60749 [1] NCCL INFO comm 0x7f784f101d90 rank 1 nranks 4 cudaDev 1 busId 7000 - "
     "Init COMPLETE\n"
     "como:60725:60748 [0] NCCL INFO comm 0x7f785b102010 rank 0 nranks 4 cudaDev 0 busId 6000 - "
     "Init COMPLETE\n"
     "como:60725:60725 [3] NCCL INFO comm 0x7f785b102010 rank 0 nranks 4 cudaDev 0 busId 6000 - "
     "Destroy COMPLETE\n",
     4,
     2,
     {{0, 1, 2, 3}, {0, 3, 2, 1}},
     0},
    {"NCCL 2.28 says it at the start, behind what mpirun puts there",
     "[1,0]<stdout>:a-70:102986:102997 [0] NCCL INFO ncclCommInitRank comm 0x5 rank 0 nranks 2 "
     "cudaDev 0 nvmlDev 4 busId 1a000 commId 0x49bbd7790311d5eb - Init START\r\n"
     "[1,1]<stdout>:a-72:58071:58105 [0] NCCL INFO ncclCommInitRank comm 0x5 rank 1 nranks 2 "
     "cudaDev 0 nvmlDev 0 busId 1a000 commId 0x49bbd7790311d5eb - Init START\r\n"
     "[1,1]<stdout>:a-72:58071:58105 [0] NCCL INFO Ring 00 : 0 -> 1 -> 0\r\n"
     "[1,0]<stdout>:a-70:102986:102997 [0] NCCL INFO Ring 00 : 1 -> 0 -> 1\r\n"
     "[1,1]<stdout>:a-72:58071:58105 [0] NCCL INFO comm 0x5 rank 1 nRanks 2 nNodes 2 localRanks 1 "
     "localRank 0 MNNVL 0\r\n",
     2,
     2,
     {{0, 1}},
     0},
    {"a time and a label stand in front",
     "[2025-04-01 10:00:00] (WorkerDict pid=356) h:1:2 [0] NCCL INFO Channel 00/01 : 0 1\n",
     2,
     1,
     {{0, 1}},
     0},
    {"connections are no rings",
     "h:1:2 [0] NCCL INFO comm 0x1 rank 0 nranks 2 cudaDev 0 busId 7000 - Init COMPLETE\n"
     "h:1:2 [0] NCCL INFO Ring 00 : 0[41000] -> 1[2d000] via P2P/IPC\n"
     "h:1:2 [0] NCCL INFO Ring 00 : 1 -> 0 [send] via NET/Socket/0\n"
     "h:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM/read\n",
     2,
     1,
     {},
     0},
    {"a list that is cut short is no ring",
     "h:1:2 [0] NCCL INFO comm 0x1 rank 0 nranks 32 cudaDev 0 busId 7000 - Init START\n"
     "h:1:2 [0] NCCL INFO Channel 00/08 :    0   7   6   5   4   3   2   1   8  15  14  13  12  "
     "11  10   9  16  23  22  21\n",
     32,
     1,
     {},
     1},
    {"a list that names a rank twice is no ring",
     "h:1:2 [0] NCCL INFO comm 0x1 rank 0 nranks 3 cudaDev 0 busId 7000 - Init START\n"
     "h:1:2 [0] NCCL INFO Channel 00/01 : 0 1 1\n",
     3,
     1,
     {},
     1},
    {"steps that make two small rings are no ring",
     "h:1:1 [0] NCCL INFO comm 0x1 rank 0 nranks 4 cudaDev 0 busId 1000 - Init START\n"
     "h:1:2 [0] NCCL INFO comm 0x1 rank 1 nranks 4 cudaDev 1 busId 2000 - Init START\n"
     "h:1:3 [0] NCCL INFO comm 0x1 rank 2 nranks 4 cudaDev 2 busId 3000 - Init START\n"
     "h:1:4 [0] NCCL INFO comm 0x1 rank 3 nranks 4 cudaDev 3 busId 4000 - Init START\n"
     "h:1:1 [0] NCCL INFO Ring 00 : 1 -> 0 -> 1\nh:1:2 [0] NCCL INFO Ring 00 : 0 -> 1 -> 0\n"
     "h:1:3 [0] NCCL INFO Ring 00 : 3 -> 2 -> 3\nh:1:4 [0] NCCL INFO Ring 00 : 2 -> 3 -> 2\n",
     4,
     4,
     {},
     1},
};

TEST(NcclLog, ReadsRingsOfManyVersions) {
    for (const Case& test : cases) {
        const auto log = read_nccl_log(test.text);
        ASSERT_TRUE(log.has_value()) << test.sentence;
        ASSERT_EQ(log->size(), 1u) << test.sentence;
        const NcclCommunicator& one = log->front();
        EXPECT_EQ(one.size, test.size) << test.sentence;
        EXPECT_EQ(one.ranks.size(), test.ranks) << test.sentence;
        std::vector<Ranks> rings;
        for (const NcclRing& ring : one.rings) {
            rings.push_back(ring.ranks);
        }
        EXPECT_EQ(rings, test.rings) << test.sentence;
        EXPECT_EQ(one.torn, test.torn) << test.sentence;
    }
}

TEST(NcclLog, SaysWhoEachRankIs) {
    const auto log = read_nccl_log(cases[1].text);
    ASSERT_TRUE(log.has_value());
    const NcclRank& first = log->front().ranks.front();
    EXPECT_EQ(first.host, "a-70");
    EXPECT_EQ(first.cuda_device, 0u);
    EXPECT_EQ(first.nvml_device, 4u);
    ASSERT_TRUE(first.address.has_value());
    EXPECT_EQ(format_pci_address(*first.address), "0000:1a:00.0");
    EXPECT_EQ(log->front().id, "0x49bbd7790311d5eb");
}

std::string identity(int thread, int rank, int size, std::string_view id) {
    return fmt::format(
        "h:1:{} [0] NCCL INFO comm 0x1 rank {} nranks {} cudaDev {} nvmlDev {} "
        "busId {}000 commId {} - Init START\n",
        thread, rank, size, rank, rank, rank + 1, id);
}

TEST(NcclLog, TellsCommunicatorsApart) {
    const auto log = read_nccl_log(
        identity(1, 0, 2, "0xa") + identity(2, 0, 2, "0xb") + identity(3, 1, 2, "0xb") +
        identity(4, 1, 2, "0xa") +
        "h:1:2 [0] NCCL INFO Channel 00/01 : 0 1\nh:1:1 [0] NCCL INFO Channel 00/01 : 1 0\n" +
        identity(1, 0, 1, "0xc"));
    ASSERT_TRUE(log.has_value());
    ASSERT_EQ(log->size(), 3u);
    std::map<std::string, std::size_t> ranks;
    for (const NcclCommunicator& one : *log) {
        ranks[one.id] = one.ranks.size();
        EXPECT_EQ(one.rings.size(), one.size - 1) << one.id;
    }
    EXPECT_EQ(ranks, (std::map<std::string, std::size_t>{{"0xa", 2}, {"0xb", 2}, {"0xc", 1}}));
}

TEST(NcclLog, KeepsRunsApartThatFollowEachOther) {
    const std::string run = identity(1, 0, 2, "0xa") + identity(2, 1, 2, "0xa");
    const auto log = read_nccl_log(run + run);
    ASSERT_TRUE(log.has_value());
    ASSERT_EQ(log->size(), 2u);
    EXPECT_EQ(log->back().ranks.size(), 2u);
}

TEST(NcclLog, RefusesATextWithoutNccl) {
    EXPECT_EQ(read_nccl_log("epoch 1\n").error().kind, ErrorKind::wrong_use);
    EXPECT_FALSE(read_nccl_log("").has_value());
    EXPECT_FALSE(read_nccl_log("NCCL INFO Channel 00/01 : 0 1\n").has_value());
}

TEST(NcclLog, ReadsBusIds) {
    EXPECT_EQ(format_pci_address(*parse_nccl_bus_id("34000")), "0000:34:00.0");
    EXPECT_EQ(format_pci_address(*parse_nccl_bus_id("160")), "0000:00:16.0");
    EXPECT_EQ(format_pci_address(*parse_nccl_bus_id("1008a001")), "0100:8a:00.1");
    for (const char* const bad : {"", "x", "34000x", "-1", "8", "200", "fffffffffffffffff"}) {
        EXPECT_FALSE(parse_nccl_bus_id(bad).has_value()) << bad;
    }
}

TEST(NcclLog, AnyTextEnds) {
    EXPECT_TRUE(rc::check([](const std::string& text) {
        read_nccl_log("h:1:2 [0] NCCL INFO " + text +
                      "\nh:1:2 [0] NCCL INFO Channel 00/1 :" + text);
    }));
}

}  // namespace
}  // namespace hora::read
