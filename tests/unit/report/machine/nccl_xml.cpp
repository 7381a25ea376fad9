#include "libplanner/report/machine/nccl_xml.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <set>

#include "libplanner/model/links/path.hpp"
#include "libplanner/read/cluster/topology.hpp"
#include "libplanner/read/nccl/nccl_dump.hpp"
#include "libplanner/read/nccl/nccl_xml.hpp"
#include "libplanner/read/pci_address.hpp"

namespace hora::report {
namespace {

using domain::ObjectKind;
using domain::PathKind;
using domain::Topology;

// NCCL finds NVLinks itself.
Topology without_nvlinks(Topology topology) {
    topology.nvlinks.clear();
    model::find_paths(topology);
    return topology;
}

// NCCL knows no host bridges.
PathKind as_nccl_has_it(PathKind kind) {
    return kind == PathKind::phb ? PathKind::node : kind;
}

// What differs between the machine and what NCCL would read; empty: nothing.
std::string difference(const Topology& machine, const std::string& xml) {
    const auto seen = read::read_nccl_dump(xml);
    if (!seen) {
        return seen.error().message;
    }
    if (seen->gpus.size() != machine.gpus.size() || seen->nics.size() != machine.nics.size()) {
        return fmt::format("{} GPUs and {} NICs", seen->gpus.size(), seen->nics.size());
    }
    for (std::size_t a = 0; a < machine.gpus.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            const domain::GpuPath& own = machine.path(a, b);
            const domain::GpuPath& other = seen->path(a, b);
            const double ratio = own.bandwidth / other.bandwidth;
            if (as_nccl_has_it(own.kind) != as_nccl_has_it(other.kind) || ratio < 0.95 ||
                ratio > 1.05) {
                return fmt::format("GPUs {} and {}: {} {:.3g}, {} {:.3g}", a, b,
                                   static_cast<int>(own.kind), own.bandwidth.count(),
                                   static_cast<int>(other.kind), other.bandwidth.count());
            }
        }
    }
    return "";
}

TEST(NcclXml, TellsEachMachineAsItIs) {
    const char* const srcdir = std::getenv("srcdir");
    const std::string folder = std::string(srcdir == nullptr ? "." : srcdir) + "/tests/topologies/";
    for (const char* const name :
         {"amd", "four-switches", "hybrid-cube-mesh", "management-graphics", "nvswitch",
          "one-socket-four-switches", "two-switches-one-socket", "two-switches-two-sockets",
          "virtual"}) {
        const auto machine = read::read_topology(folder + name + ".xml");
        ASSERT_TRUE(machine.has_value()) << machine.error().message;
        const auto xml = nccl_xml(*machine);
        ASSERT_TRUE(xml.has_value()) << xml.error().message;
        EXPECT_TRUE(read::nccl_xml_problems(*xml).empty()) << name;
        EXPECT_EQ(difference(without_nvlinks(*machine), *xml), "") << name;
    }
}

// Old cards are on the PCI bus as what they are: class 0c06.
TEST(NcclXml, CallsInfiniBandANetwork) {
    const char* const srcdir = std::getenv("srcdir");
    const std::string folder = std::string(srcdir == nullptr ? "." : srcdir) + "/tests/topologies/";
    auto machine = read::read_topology(folder + "four-switches.xml");
    ASSERT_TRUE(machine.has_value());
    for (const domain::TopologyNic& nic : machine->nics) {
        machine->objects[nic.object].device_class = 0x0c06;
    }
    const auto xml = nccl_xml(*machine);
    ASSERT_TRUE(xml.has_value()) << xml.error().message;
    EXPECT_TRUE(read::nccl_xml_problems(*xml).empty());
    EXPECT_EQ(xml->find("0x0c06"), std::string::npos);
    EXPECT_NE(xml->find("class=\"0x020700\""), std::string::npos);
    EXPECT_EQ(difference(*machine, *xml), "");
}

// A tree of bridges and devices below host bridges, each with an address of its own.
class RandomMachine {
  public:
    Topology make() {
        machine_.processor = *rc::gen::element(
            domain::Processor{"x86_64", "GenuineIntel", "", 6, 85},
            domain::Processor{"x86_64", "AuthenticAMD", "", 25, 1},
            domain::Processor{"aarch64", "", "", domain::not_known, domain::not_known});
        machine_.objects.emplace_back();
        for (std::uint32_t node = *rc::gen::inRange(1u, 4u); node > 0; --node) {
            machine_.objects.push_back(
                {.kind = ObjectKind::numa_node, .parent = 0, .os_index = node});
            const auto host = static_cast<std::uint32_t>(machine_.objects.size());
            machine_.objects.push_back({.kind = ObjectKind::host_bridge, .parent = host - 1});
            fill(host, node, 0, *rc::gen::inRange(1u, 4u));
        }
        model::find_paths(machine_);
        return machine_;
    }

  private:
    void fill(std::uint32_t parent, std::uint32_t node, std::uint32_t depth, std::uint32_t count) {
        for (std::uint32_t left = count; left > 0; --left) {
            const auto what = *rc::gen::inRange(0u, depth < 3 ? 4u : 2u);
            const auto own = static_cast<std::uint32_t>(machine_.objects.size());
            domain::TopologyObject object;
            object.parent = parent;
            object.address.bus = ++bus_;
            object.uplink = link();
            object.kind = what == 0   ? ObjectKind::gpu
                          : what == 1 ? ObjectKind::nic
                                      : ObjectKind::bridge;
            object.is_switch = what == 2;
            if (what == 3) {  // leads down
                object.uplink = {};
                object.address.device = 2;
            }
            machine_.objects.push_back(object);
            if (what == 0) {
                machine_.gpus.push_back({own, node, domain::not_known, domain::no_object, {}});
            } else if (what == 1) {
                machine_.nics.push_back({own, node, {}, {}});
            } else if (bus_ < 200) {
                // A link has one device at its end.
                fill(own, node, depth + 1, what == 3 ? 1 : *rc::gen::inRange(2u, 4u));
            }
        }
    }

    static domain::PcieLink link() {
        domain::PcieLink link{*rc::gen::element(2.5, 5.0, 8.0, 16.0, 32.0, 64.0),
                              *rc::gen::element(1u, 4u, 8u, 16u)};
        link.bandwidth = model::pcie_bandwidth(link.gigatransfers, link.lanes);
        return link;
    }

    Topology machine_;
    std::uint8_t bus_ = 0;
};

TEST(NcclXml, TellsAnyMachineAsItIs) {
    EXPECT_TRUE(rc::check([] {
        const Topology machine = RandomMachine().make();
        const auto xml = nccl_xml(machine);
        if (machine.gpus.empty()) {
            RC_ASSERT(!xml.has_value());
            return;
        }
        RC_ASSERT(xml.has_value());
        RC_ASSERT(read::nccl_xml_problems(*xml).empty());
        RC_ASSERT(difference(machine, *xml) == "");
        for (const domain::TopologyObject& object : machine.objects) {
            if (object.kind == ObjectKind::bridge && !object.is_switch) {
                RC_ASSERT(xml->find(read::format_pci_address(object.address)) == xml->npos);
            }
        }
    }));
}

TEST(NcclXml, MoreThanNcclCanHoldIsAnError) {
    Topology machine;
    machine.objects.resize(1);
    for (std::uint32_t i = 1; i <= 129; ++i) {
        machine.objects.push_back({.kind = ObjectKind::gpu, .parent = 0});
        machine.objects.back().address.domain = i;
        machine.gpus.push_back({i, 0, domain::not_known, domain::no_object, {}});
    }
    const auto xml = nccl_xml(machine);
    ASSERT_FALSE(xml.has_value());
    EXPECT_EQ(xml.error().message,
              "NCCL could not read a file of this machine: line 131: <cpu> has more than 128 "
              "children");
}

}  // namespace
}  // namespace hora::report
