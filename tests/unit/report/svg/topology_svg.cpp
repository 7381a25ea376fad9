// Is the picture of each machine well-formed XML, with all that belongs into it?
#include "libplanner/report/svg/topology_svg.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "libplanner/plan/ring/predicted_ring.hpp"
#include "libplanner/read/cluster/topology.hpp"
#include "libplanner/report/svg/machine_boxes.hpp"

namespace hora::report {
namespace {

// What is wrong with a document, where it has no comments, sections and processing instructions
// after its prolog; empty: nothing.
std::string fault_of(std::string_view xml) {
    constexpr std::string_view prolog = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    if (!xml.starts_with(prolog)) {
        return "no prolog";
    }
    xml.remove_prefix(prolog.size());
    std::vector<std::string_view> open;
    while (!xml.empty()) {
        const std::size_t tag = std::min(xml.find('<'), xml.size());
        const std::string_view text = xml.substr(0, tag);
        if (text.find('>') != text.npos || (open.empty() && text != "\n" && !text.empty())) {
            return "stray text: " + std::string(text);
        }
        for (std::size_t at = text.find('&'); at != text.npos; at = text.find('&', at + 1)) {
            const std::string_view entity = text.substr(at, text.find(';', at) - at + 1);
            if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;") {
                return "unknown entity: " + std::string(entity);
            }
        }
        xml.remove_prefix(tag);
        if (xml.empty()) {
            break;
        }
        const std::size_t end = xml.find('>');
        if (end == xml.npos) {
            return "open tag";
        }
        const std::string_view inside = xml.substr(1, end - 1);
        const std::string_view name = inside.substr(0, inside.find_first_of(" /", 1));
        if (std::count(inside.begin(), inside.end(), '"') % 2 != 0 ||
            inside.find('<') != inside.npos) {
            return "bad attribute: " + std::string(inside);
        }
        if (inside.starts_with('/')) {
            if (open.empty() || open.back() != inside.substr(1)) {
                return "unexpected " + std::string(inside);
            }
            open.pop_back();
        } else if (!inside.ends_with('/')) {
            open.push_back(name);
        }
        xml.remove_prefix(end + 1);
    }
    return open.empty() ? "" : "not closed: " + std::string(open.back());
}

domain::Topology machine(const std::string& name) {
    const char* const source = std::getenv("srcdir");
    const auto topology = read::read_topology(std::string(source == nullptr ? "." : source) +
                                              "/tests/topologies/" + name + ".xml");
    EXPECT_TRUE(topology) << name;
    return topology ? *topology : domain::Topology();
}

plan::RingFigures ring_of(const domain::Topology& topology) {
    std::vector<std::uint32_t> gpus(topology.gpus.size());
    std::iota(gpus.begin(), gpus.end(), 0u);
    return plan::predict_ring(topology, gpus).best;
}

std::string picture(const domain::Topology& topology) {
    return to_svg(topology, ring_of(topology));
}

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

struct Case {
    const char* machine;
    std::size_t gpus;
    std::size_t nic_boxes;
    std::size_t switches;
    std::size_t ring;
    std::size_t slowest;
};

const Case cases[] = {
    {"amd", 4, 2, 0, 4, 2},
    {"four-switches", 8, 4, 4, 8, 4},
    {"management-graphics", 2, 1, 0, 1, 0},
    {"no-gpu", 0, 1, 0, 0, 0},
    {"nvswitch", 8, 4, 4, 8, 0},
    {"one-socket-four-switches", 8, 0, 4, 8, 0},
    {"two-switches-one-socket", 4, 1, 2, 4, 2},
    {"two-switches-two-sockets", 4, 1, 2, 4, 2},
    {"virtual", 4, 1, 0, 4, 0},
};

TEST(TopologySvg, ShowsWhatIsInEachMachine) {
    for (const Case& one : cases) {
        const std::string svg = picture(machine(one.machine));
        EXPECT_EQ(fault_of(svg), "") << one.machine;
        EXPECT_EQ(count(svg, "<g class=\"gpu\">"), one.gpus) << one.machine;
        EXPECT_EQ(count(svg, "<g class=\"nic\">"), one.nic_boxes) << one.machine;
        EXPECT_EQ(count(svg, "<g class=\"switch\">"), one.switches) << one.machine;
        EXPECT_EQ(count(svg, "<g class=\"ring"), one.ring) << one.machine;
        EXPECT_EQ(count(svg, "<g class=\"ring slowest\">"), one.slowest) << one.machine;
        EXPECT_EQ(count(svg, "<g class=\"legend\">"), 1u) << one.machine;
        for (const char* const outside : {"<script", "href", "url(", "<image", "<style", "on"}) {
            EXPECT_EQ(count(svg, std::string(" ") + outside + "="), 0u) << one.machine;
        }
    }
}

TEST(TopologySvg, BearsAnyName) {
    domain::Topology hostile = machine("two-switches-two-sockets");
    const std::string name =
        "</text><script>alert(\"1\")</script> & ]]> \x01\x1b[2J\xff\xe2\x80\xae";
    hostile.host = name;
    for (domain::TopologyObject& object : hostile.objects) {
        object.name = name + std::string(4000, 'W');
    }
    hostile.nics[0].names = {name, name};
    const std::string svg = picture(hostile);
    EXPECT_EQ(fault_of(svg), "");
    EXPECT_EQ(svg.find("<script"), std::string::npos);
    EXPECT_EQ(svg.find('\x1b'), std::string::npos);
}

TEST(TopologySvg, SaysWhichLinkPacesTheRing) {
    const std::string svg = picture(machine("two-switches-two-sockets"));
    EXPECT_EQ(count(svg, ">ring 0-1-2-3, slowest links GPU1–GPU2, GPU3–GPU0 6 GB/s<"), 1u);
    EXPECT_EQ(count(picture(machine("virtual")), ">ring 0-1-2-3, each link 10 GB/s<"), 1u);
    EXPECT_EQ(count(picture(machine("management-graphics")), ">ring 0-1, its link 16 GB/s<"), 1u);
    EXPECT_EQ(count(picture(machine("no-gpu")), ">no GPU, and no ring<"), 1u);
}

TEST(TopologySvg, DrawsARingOverSomeOfTheGpus) {
    const domain::Topology box = machine("nvswitch");
    const std::string svg = to_svg(box, plan::figures_of(box, {5, 0, 3}));
    EXPECT_EQ(fault_of(svg), "");
    EXPECT_EQ(count(svg, "<g class=\"gpu\">"), 8u);
    EXPECT_EQ(count(svg, "<g class=\"ring"), 3u);
}

TEST(MachineBoxes, StandApartBelowTheirParents) {
    for (const Case& one : cases) {
        const MachineBoxes all = boxes_of(machine(one.machine));
        for (const MachineBox& box : all.boxes) {
            EXPECT_GE(box.x, 0) << one.machine;
            EXPECT_LE(box.x + box.width, all.width) << one.machine;
            if (box.parent != no_box) {
                const MachineBox& parent = all.boxes[box.parent];
                EXPECT_GT(box.y, parent.bottom()) << one.machine;
                EXPECT_GE(box.x, parent.x) << one.machine;
                EXPECT_LE(box.x + box.width, parent.x + parent.width) << one.machine;
            }
            for (const MachineBox& other : all.boxes) {
                const bool is_beside = &other == &box || other.y != box.y ||
                                       other.x >= box.x + box.width ||
                                       other.x + other.width <= box.x;
                EXPECT_TRUE(is_beside) << one.machine;
            }
        }
    }
}

}  // namespace
}  // namespace hora::report
