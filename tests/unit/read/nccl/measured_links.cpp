#include "libplanner/read/nccl/measured_links.hpp"

#include <gtest/gtest.h>

#include "tests/unit/read/some_topology.hpp"

namespace hora::read {
namespace {

std::string links(const std::string& inside) {
    return R"({"version": 1, "links": [)" + inside + "]}";
}

TEST(MeasuredLinks, OverrideWhatWasModelled) {
    domain::Topology topology = some_topology("two-switches-one-socket");
    const auto good = apply_measured_links(
        topology, links(R"({"a": "0000:04:00.0", "b": "03:00.0", "bandwidth": 5.96e9})"));
    ASSERT_TRUE(good) << good.error().message;
    EXPECT_EQ(topology.path(0, 1).bandwidth, Bandwidth(5.96e9));
    EXPECT_EQ(topology.path(0, 1), topology.path(1, 0));
    EXPECT_TRUE(topology.path(0, 1).is_measured);
    EXPECT_EQ(topology.path(0, 1).kind, domain::PathKind::pix);
    EXPECT_FALSE(topology.path(0, 2).is_measured);
}

struct Case {
    const char* name;
    std::string text;
    const char* message;
};

const Case cases[] = {
    {"a torn file", R"({"version")", "is torn or no JSON object; "},
    {"another version", R"({"version": 2, "links": []})", "version is 2, this reads 1"},
    {"a GPU that the machine lacks",
     links(R"({"a": "0000:03:00.0", "b": "0000:99:00.0", "bandwidth": 1e9})"),
     "the link between \"0000:03:00.0\" and \"0000:99:00.0\" was measured on another machine: "
     "\"0000:99:00.0\" is no GPU of this topology"},
    {"a NIC", links(R"({"a": "0000:0a:00.0", "b": "0000:03:00.0", "bandwidth": 1e9})"),
     "\"0000:0a:00.0\" is no GPU"},
    {"a GPU and itself", links(R"({"a": "0000:03:00.0", "b": "03:00.0", "bandwidth": 1e9})"),
     "leads from \"0000:03:00.0\" to itself"},
    {"no bandwidth", links(R"({"a": "0000:03:00.0", "b": "0000:04:00.0", "bandwidth": 0})"),
     "links[0].bandwidth"},
};

TEST(MeasuredLinks, ChangeNothingWhereTheyAreWrong) {
    const domain::Topology before = some_topology("two-switches-one-socket");
    for (const Case& one : cases) {
        domain::Topology topology = before;
        const auto good = apply_measured_links(topology, one.text);
        ASSERT_FALSE(good) << one.name;
        EXPECT_NE(good.error().message.find(one.message), std::string::npos)
            << one.name << ": " << good.error().message;
        EXPECT_TRUE(topology == before) << one.name;
    }
}

}  // namespace
}  // namespace hora::read
