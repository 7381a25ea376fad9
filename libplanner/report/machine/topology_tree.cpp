// How is the inside of a machine shown as a tree?
//
// Ports that only lead down to a switch or a device are left out: what hangs below them is shown at
// the next thing above.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "libplanner/base/counted.hpp"
#include "libplanner/read/index_ranges.hpp"
#include "libplanner/read/pci_address.hpp"
#include "libplanner/report/machine/topology.hpp"
#include "libplanner/report/text/text_table.hpp"

namespace hora::report {
namespace {

using domain::ObjectKind;
using domain::Topology;
using domain::TopologyObject;

constexpr std::size_t widest = 100;

struct Line {
    std::string text;  // with its indent
    std::string link;
};

// "8 GT/s x16  15.8 GB/s"; what only its split into rate and lanes is assumed of, a remark says.
std::string link_text(const domain::PcieLink& link) {
    if (link.bandwidth == Bandwidth(0)) {
        return "";
    }
    const std::string rate =
        link.gigatransfers > 0 ? fmt::format("{} GT/s", link.gigatransfers) : "";
    return fmt::format("{:>8} x{:<3}{:>6.1f} GB/s{}", rate, link.lanes,
                       link.bandwidth.count() / 1e9, link.is_usual ? " assumed" : "");
}

class Tree {
  public:
    explicit Tree(const Topology& topology)
        : topology_(topology),
          children_(topology.objects.size()),
          numbers_(topology.objects.size(), 0) {
        for (std::uint32_t i = 1; i < topology.objects.size(); ++i) {
            children_[topology.objects[i].parent].push_back(i);
        }
        for (std::uint32_t i = 0; i < topology.gpus.size(); ++i) {
            numbers_[topology.gpus[i].object] = i;
        }
        for (std::uint32_t i = 0; i < topology.nics.size(); ++i) {
            numbers_[topology.nics[i].object] = i;
        }
    }

    // A stack in place of calls, for a chain may be long.
    std::string text() {
        std::vector<std::pair<std::uint32_t, std::size_t>> waiting = {{0, 0}};
        while (!waiting.empty()) {
            const auto [object, level] = waiting.back();
            waiting.pop_back();
            const TopologyObject& one = topology_.objects[object];
            const bool is_shown = one.kind != ObjectKind::bridge || one.is_switch;
            if (is_shown) {
                add(object, level);
            }
            const std::vector<std::uint32_t>& below = children_[object];
            for (auto child = below.rbegin(); child != below.rend(); ++child) {
                waiting.emplace_back(*child, level + (is_shown ? 1 : 0));
            }
        }
        return joined();
    }

  private:
    void add(std::uint32_t object, std::size_t level) {
        constexpr std::size_t deepest = 20;
        const std::string indent(2 * std::min(level, deepest), ' ');
        lines_.push_back({indent + terminal_text(label_of(object)),
                          link_text(topology_.objects[object].uplink)});
    }

    std::string label_of(std::uint32_t object) const {
        const TopologyObject& one = topology_.objects[object];
        const std::string busid = read::format_pci_address(one.address);
        const std::string name = one.name.empty() ? "" : "  " + one.name;
        switch (one.kind) {
            case ObjectKind::machine:
                return machine_label();
            case ObjectKind::socket:
                return fmt::format("socket {}{}", one.os_index, name);
            case ObjectKind::numa_node:
                return fmt::format("NUMA node {}", one.os_index) + cpus_of(one.os_index);
            case ObjectKind::host_bridge:
                return fmt::format("host bridge {}", one.name);
            case ObjectKind::bridge:
                return fmt::format("switch {}{}", busid, name);
            case ObjectKind::gpu:
                return fmt::format("GPU{} {}{}", numbers_[object], busid, name);
            case ObjectKind::nic:
                return fmt::format("NIC{} {}{}{}", numbers_[object], busid,
                                   interfaces_of(numbers_[object]), name);
            default:
                return one.vendor == 0 && one.address == domain::PciAddress()
                           ? one.name  // only assumed
                           : fmt::format("NVSwitch {}{}", busid, name);
        }
    }

    std::string machine_label() const {
        const std::string cores = topology_.cores_per_socket > 0
                                      ? fmt::format(" of {} cores", topology_.cores_per_socket)
                                      : "";
        const std::string& product = topology_.objects[0].name;
        return fmt::format(
            "{}{}: {}{}, {}, {}", topology_.host.empty() ? "machine" : topology_.host,
            product.empty() ? "" : fmt::format(" ({})", product),
            counted(topology_.sockets, "socket"), cores, counted(topology_.gpus.size(), "GPU"),
            counted(topology_.nics.size(), "NIC"));
    }

    std::string cpus_of(std::uint32_t numa) const {
        std::vector<std::uint32_t> cpus;
        for (const domain::TopologyCore& core : topology_.cores) {
            if (core.numa == numa) {
                cpus.insert(cpus.end(), core.cpus.begin(), core.cpus.end());
            }
        }
        std::sort(cpus.begin(), cpus.end());
        return cpus.empty() ? "" : "  cpus " + read::fold_ranges(cpus);
    }

    std::string interfaces_of(std::uint32_t nic) const {
        const std::vector<std::string>& names = topology_.nics[nic].names;
        return names.empty() ? "" : fmt::format("  {}", fmt::join(names, " "));
    }

    // Links stand in one column, as far left as the longest line leaves them.
    std::string joined() const {
        std::size_t link_width = 0;
        std::size_t text_width = 0;
        for (const Line& line : lines_) {
            link_width = std::max(link_width, line.link.size());
            text_width = std::max(text_width, line.link.empty() ? 0 : terminal_width(line.text));
        }
        text_width = std::min(text_width, widest - link_width - (link_width > 0 ? 2 : 0));
        std::string all;
        for (const Line& line : lines_) {
            const std::size_t room = line.link.empty() ? widest : text_width;
            const std::string text = terminal_text(line.text, room);
            const std::string space(room - terminal_width(text), ' ');
            all += line.link.empty() ? text : text + space + "  " + line.link;
            all += "\n";
        }
        return all;
    }

    const Topology& topology_;
    std::vector<std::vector<std::uint32_t>> children_;  // by object
    std::vector<std::uint32_t> numbers_;                // by object: of GPUs and of NICs
    std::vector<Line> lines_;
};

}  // namespace

std::string topology_tree(const Topology& topology) {
    return Tree(topology).text();
}

}  // namespace hora::report
