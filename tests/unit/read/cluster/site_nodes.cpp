#include "libplanner/read/cluster/site_nodes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "libplanner/read/settings/settings.hpp"

namespace hora::read {
namespace {

Expected<domain::Topology> some_topology(const std::string& path) {
    if (path.ends_with("damaged.xml")) {
        return failure("is no hwloc XML");
    }
    domain::Topology topology;
    topology.host = path;
    return topology;
}

Expected<SiteNodes> read(std::string_view toml) {
    return read_site_nodes(toml, "/etc/hora/hora.toml", &some_topology);
}

TEST(SiteNodes, ReadsWhatEachNodeIsLike) {
    const char* const toml =
        "mode = 'act'\n[[node]]\nname = 'n[1-2]'\ntopology = 'box.xml'\n"
        "[[node]]\nname = 'n3'\npcie = { switches = 2, inside = '5.96 GB/s' }\n"
        "[[node]]\nname = 'n4'\nlink = '20 GB/s'\n[[node]]\nname = 'n5'\ntopology = "
        "'damaged.xml'\n";
    const auto nodes = read(toml);
    ASSERT_TRUE(nodes) << nodes.error().message;
    EXPECT_EQ(nodes->inside_of.at("n2"), 0U);
    EXPECT_EQ(nodes->topologies[0].value()->host, "/etc/hora/box.xml");
    EXPECT_EQ(nodes->insides[nodes->inside_of.at("n3")].pcie.value().switches, 2U);
    EXPECT_EQ(nodes->insides[nodes->inside_of.at("n4")].link, Bandwidth(20e9));
    EXPECT_FALSE(nodes->topologies[3].value());
    EXPECT_TRUE(read_settings(toml, "hora.toml")) << "plugins pass the tables over";
}

TEST(SiteNodes, SaysWhatIsWrongWhere) {
    const struct {
        const char* sentence;
        const char* toml;
        const char* message;
    } refusals[] = {
        {"no name", "[[node]]\nlink = '1 GB/s'\n",
         "/etc/hora/hora.toml:1:1: \"name\" is missing here"},
        {"a node twice", "[[node]]\nname = 'n[1-2]'\n[[node]]\nname = 'n2'\n",
         "/etc/hora/hora.toml:4:8: node \"n2\" is there twice, first at /etc/hora/hora.toml:1:1"},
        {"two words on one matter", "[[node]]\nname = 'n1'\ntopology = 'a.xml'\nlink = '1 GB/s'\n",
         "/etc/hora/hora.toml:4:8: \"link\" and \"topology\" exclude each other"},
        {"a key that only cluster files have", "[[node]]\nname = 'n1'\ncount = 4\n",
         "/etc/hora/hora.toml:3:1: unknown key \"count\"; known here: name, link, topology, pcie"},
        {"a slip inside pcie", "[[node]]\nname = 'n1'\npcie = { swiches = 2 }\n",
         "/etc/hora/hora.toml:3:8: \"switches\" is missing here"},
    };
    for (const auto& test : refusals) {
        const auto nodes = read(test.toml);
        ASSERT_FALSE(nodes) << test.sentence;
        EXPECT_EQ(nodes.error().message, test.message) << test.sentence;
    }
}

RC_GTEST_PROP(SiteNodes, SurviveAnyText, (const std::string& text)) {
    read("[[node]]\nname = 'a'\n" + text);
}

}  // namespace
}  // namespace hora::read
