#include "plugins/spank/job/master_port.hpp"

#include <gtest/gtest.h>

#include <set>

namespace hora::spank {
namespace {

constexpr PortRange range{20000, 10000};

TEST(MasterPort, DiffersForAllThatCanMeetOnANode) {
    std::set<std::uint16_t> ports;
    for (std::uint32_t job = 70000; job < 70070; ++job) {
        for (std::uint32_t step = 0; step <= batch_step; ++step) {
            const std::uint16_t port = master_port(range, {job, step});
            EXPECT_GE(port, 20000);
            EXPECT_LT(port, 25000);
            EXPECT_TRUE(ports.insert(port).second) << job << '.' << step;
        }
    }
}

TEST(MasterPort, LeavesRoomForTheTasksOfANode) {
    std::set<std::uint16_t> ports;
    for (std::uint32_t task = 0; task < 64; ++task) {
        const std::uint16_t port = task_port(range, {70000, 3}, task);
        EXPECT_GE(port, 25000);
        EXPECT_LT(port, 30000);
        EXPECT_TRUE(ports.insert(port).second) << task;
    }
}

TEST(MasterPort, StaysInAnyRange) {
    for (const PortRange odd : {PortRange{65535, 1}, PortRange{65000, 3}, PortRange{1024, 64511}}) {
        for (const std::uint32_t job : {0U, 1U, 0xffffffffU}) {
            for (const std::uint16_t port :
                 {master_port(odd, {job, 7}), task_port(odd, {job, 7}, 70)}) {
                EXPECT_GE(port, odd.first);
                EXPECT_LE(port, odd.first + odd.count);
            }
        }
    }
}

TEST(MasterPort, ReadsWhatSlurmReserved) {
    const std::vector<std::uint16_t> ports{33504, 33505, 33510};
    EXPECT_EQ(read_reserved_ports("33504-33505,33510"), ports);
    for (const char* text : {"", "a", "1-", "33504-", "70000", "33504,,33505", "(null)"}) {
        EXPECT_TRUE(read_reserved_ports(text).empty()) << text;
    }
}

TEST(MasterPort, ReadsNoMorePortsThanThereAre) {
    EXPECT_EQ(read_reserved_ports("1-65535").size(), 65535);
    EXPECT_TRUE(read_reserved_ports("1-65535,1").empty());
    EXPECT_TRUE(read_reserved_ports("2-65535,1-65535").empty());
}

}  // namespace
}  // namespace hora::spank
