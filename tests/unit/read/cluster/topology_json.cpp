#include "libplanner/read/cluster/topology_json.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "libplanner/report/machine/topology.hpp"
#include "tests/unit/read/some_topology.hpp"

namespace hora::read {
namespace {

TEST(TopologyJson, GivesEachMachineBack) {
    for (const char* const name : topology_names) {
        const domain::Topology topology = some_topology(name);
        const auto back = read_topology_json(report::to_json(topology));
        ASSERT_TRUE(back) << name << ": " << back.error().message;
        EXPECT_TRUE(*back == topology) << name;
    }
}

// One place of a good text, changed.
struct Case {
    const char* name;
    const char* was;
    const char* is;
    const char* message;
};

const Case cases[] = {
    {"another version", R"("version": 1)", R"("version": 2)",
     "topology.version is 2, this reads 1"},
    {"a key that is not known", R"("sockets": 1)", R"("sockets": 1, "sokets": 2)",
     "topology.\"sokets\" is not known"},
    {"an object before its parent", R"("parent": 0)", R"("parent": 1)",
     "objects[1].parent is not an earlier object"},
    {"a kind that is none", R"("kind": "socket")", R"("kind": "shelf")",
     "objects[1].kind is \"shelf\", which is not known"},
    {"a bus id that is none", R"("busid": "0000:03:00.0")", R"("busid": "0000:03")",
     "gpus[0].busid is \"0000:03\"; a bus id is written as"},
    {"a GPU that is another device", R"("object": 7)", R"("object": 6)",
     "gpus[0].object is another device"},
    {"a switch that is not there", R"("switch": "0000:01:00.0")", R"("switch": "0000:02:00.0")",
     "gpus[0].switch is \"0000:02:00.0\", where there is no switch"},
    {"a link there twice", R"("b": 2)", R"("b": 1)", "links[1].b makes no new pair"},
    {"a bandwidth of nothing", R"("bandwidth": 12000000000.0)", R"("bandwidth": 0)",
     "links[0].bandwidth is no number between"},
    {"processors without end", R"("cpus": "0-15")", R"("cpus": "0-4294967295")", "gpus[0].cpus"},
    {"a host that begins a line of gres.conf", R"("host": "p4a")",
     R"("host": "p4a\nNodeName=n1 Name=gpu File=/dev/null\n")",
     "topology.host holds a control character"},
    {"a name that clears the screen", R"("name": "GP102)", R"("name": "\u001b[2JGP102)",
     "holds a control character"},
    {"a processor that does so with one character of Unicode", R"("vendor": "Genuine)",
     R"("vendor": "\u009b2JGenuine)", "processor.vendor holds a control character"},
    {"an interface that begins a line", R"("eth0")", R"("eth0\n")",
     "nics[0].names hold a control character"},
};

TEST(TopologyJson, SaysWhatIsWrongAndWhere) {
    const std::string good = report::to_json(some_topology("two-switches-one-socket"));
    for (const Case& one : cases) {
        std::string text = good;
        const std::size_t at = text.find(one.was);
        ASSERT_NE(at, std::string::npos) << one.name;
        text.replace(at, std::string(one.was).size(), one.is);
        const auto topology = read_topology_json(text);
        ASSERT_FALSE(topology) << one.name;
        EXPECT_NE(topology.error().message.find(one.message), std::string::npos)
            << one.name << ": " << topology.error().message;
    }
}

TEST(TopologyJson, RefusesWhatIsTorn) {
    const std::string good = report::to_json(some_topology("virtual"));
    EXPECT_FALSE(read_topology_json(""));
    EXPECT_FALSE(read_topology_json("[]"));
    const auto torn = read_topology_json(std::string_view(good).substr(0, good.size() / 2));
    ASSERT_FALSE(torn);
    EXPECT_NE(torn.error().message.find("is torn"), std::string::npos);
    EXPECT_FALSE(read_topology_json(std::string((std::size_t{16} << 20) + 1, ' ')));
}

RC_GTEST_PROP(TopologyJson, NeverBreaksOnAChangedByte, (std::uint32_t where, char byte)) {
    static const std::string good = report::to_json(some_topology("two-switches-one-socket"));
    std::string text = good;
    text[where % text.size()] = byte;
    if (const auto topology = read_topology_json(text)) {
        const auto back = read_topology_json(report::to_json(*topology));
        RC_ASSERT(back);
        RC_ASSERT(*back == *topology);
    }
}

}  // namespace
}  // namespace hora::read
