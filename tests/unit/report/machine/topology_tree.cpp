// Does the tree of any machine fit its columns, each character of it whole and harmless?
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "libplanner/report/machine/topology.hpp"
#include "libplanner/report/text/text_table.hpp"

namespace hora::report {
namespace {

using domain::ObjectKind;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

// A machine with so many GPUs of this name, each with this link.
domain::Topology machine(std::uint32_t gpus, const std::string& name, domain::PcieLink link) {
    domain::Topology topology;
    topology.host = "n1";
    topology.objects.push_back({.kind = ObjectKind::machine});
    for (std::uint32_t i = 0; i < gpus; ++i) {
        topology.gpus.emplace_back().object = i + 1;
        topology.objects.push_back(
            {.kind = ObjectKind::gpu, .parent = 0, .name = name, .uplink = link});
    }
    return topology;
}

constexpr domain::PcieLink usual{.gigatransfers = 8, .lanes = 16, .bandwidth = Bandwidth(15.8e9)};

TEST(TopologyTree, ShowsWholeAndHarmlessCharacters) {
    const struct {
        const char* sentence;
        std::string name;
        std::string shown;
    } cases[] = {
        {"a short name", "A100", "  A100  "},
        {"another script", "日本", "  日本  "},
        {"a line of its own", "a\nb", "  a b  "},
        {"what clears the screen", "\x1b[2J", "   [2J  "},
        {"a character that was cut", "a\xe6\x97", "  a\xef\xbf\xbd\xef\xbf\xbd  "},
        {"none", "", "GPU0 0000:00:00.0  "},
    };
    for (const auto& one : cases) {
        const auto lines = lines_of(topology_tree(machine(1, one.name, usual)));
        ASSERT_EQ(lines.size(), 2U) << one.sentence;
        EXPECT_NE(lines[1].find(one.shown + "  8 GT/s x16   15.8 GB/s"), std::string::npos)
            << one.sentence << ": " << lines[1];
    }
}

TEST(TopologyTree, CutsBetweenCharacters) {
    for (std::size_t letters = 30; letters < 80; ++letters) {
        std::string name(letters % 2, 'a');
        for (std::size_t i = 0; i < letters; ++i) {
            name += "é";
        }
        const auto lines = lines_of(topology_tree(machine(2, name, usual)));
        ASSERT_EQ(lines.size(), 3U);
        for (const std::string& line : lines) {
            EXPECT_EQ(terminal_text(line, 200), line) << "is no text as it stands";
            EXPECT_LE(terminal_width(line), 100U);
        }
    }
}

TEST(TopologyTree, FitsItsColumnsWhateverTheNames) {
    EXPECT_TRUE(rc::check([] {
        domain::PcieLink link{.gigatransfers = *rc::gen::element(0.0, 2.5, 1024.0 / 3, 1e-300),
                              .lanes = *rc::gen::element(0u, 1u, 64u),
                              .bandwidth = Bandwidth(*rc::gen::element(0.0, 1.0, 1e18))};
        link.is_usual = *rc::gen::arbitrary<bool>();
        auto topology =
            machine(*rc::gen::inRange(0u, 4u), *rc::gen::arbitrary<std::string>(), link);
        topology.host = *rc::gen::arbitrary<std::string>();
        const auto lines = lines_of(topology_tree(topology));
        RC_ASSERT(lines.size() == topology.objects.size());
        for (const std::string& line : lines) {
            RC_ASSERT(terminal_width(line) <= 100U);
            RC_ASSERT(terminal_text(line, 1000) == line);
        }
    }));
}

// As deep as a file may be.
TEST(TopologyTree, OfAChainOfBridgesNeedsNoStack) {
    domain::Topology topology = machine(0, "", usual);
    for (std::uint32_t i = 0; i < 8000; ++i) {
        topology.objects.push_back({.kind = ObjectKind::bridge, .parent = i, .is_switch = true});
    }
    EXPECT_EQ(lines_of(topology_tree(topology)).size(), 8001U);
}

}  // namespace
}  // namespace hora::report
