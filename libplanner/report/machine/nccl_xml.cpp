// Which file describes to NCCL how a machine is built, where it cannot find that out itself?
//
// NCCL fills in what a file leaves out by looking at the machine it runs on, so only what is known
// stands here.
#include "libplanner/report/machine/nccl_xml.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "libplanner/base/counted.hpp"
#include "libplanner/model/links/path.hpp"
#include "libplanner/read/nccl/nccl_xml.hpp"
#include "libplanner/read/pci_address.hpp"

namespace hora::report {
namespace {

using domain::not_known;
using domain::ObjectKind;
using domain::Topology;
using domain::TopologyObject;

using Indices = std::vector<std::uint32_t>;

bool is_told(const domain::PcieLink& link) {
    return model::pcie_bandwidth(link.gigatransfers, link.lanes) > Bandwidth(0);
}

// Sixteen lanes of the generation that comes nearest; of none that is known, the third.
domain::PcieLink whole(const domain::PcieLink& link) {
    if (is_told(link)) {
        return link;
    }
    domain::PcieLink nearest{8, 16, link.bandwidth, true, true};
    for (const auto& [rate, name] : read::nccl_link_speeds) {
        const auto distance = [&](double gigatransfers) {
            return std::abs(std::log(link.bandwidth.count() /
                                     model::pcie_bandwidth(gigatransfers, 16).count()));
        };
        if (link.bandwidth > Bandwidth(0) && distance(rate) < distance(nearest.gigatransfers)) {
            nearest.gigatransfers = rate;
        }
    }
    return nearest;
}

// What is written of each object, and below which other one.
class Selection {
  public:
    explicit Selection(const Topology& topology)
        : topology_(topology),
          below_(topology.objects.size()),
          numa_of_(topology.objects.size(), not_known) {
        find_numa_nodes();
        for (std::size_t i = topology.objects.size(); i-- > 1;) {
            lift(static_cast<std::uint32_t>(i));
        }
    }

    // The outermost objects of each NUMA node, in the order of the topology.
    std::map<std::uint32_t, Indices> roots() const {
        std::map<std::uint32_t, Indices> roots;
        for (const std::uint32_t object : below_[0]) {
            roots[numa_of_[object]].push_back(object);
        }
        for (auto& [numa, objects] : roots) {
            std::sort(objects.begin(), objects.end());
        }
        return roots;
    }

    Indices below(std::uint32_t object) const {
        Indices sorted = below_[object];
        std::sort(sorted.begin(), sorted.end());
        return sorted;
    }

  private:
    // That of the nearest node above, or else what GPUs and NICs are near.
    void find_numa_nodes() {
        for (std::size_t i = 1; i < topology_.objects.size(); ++i) {
            const TopologyObject& object = topology_.objects[i];
            numa_of_[i] =
                object.kind == ObjectKind::numa_node ? object.os_index : numa_of_[object.parent];
        }
        const auto take = [&](const auto& devices) {
            for (const auto& device : devices) {
                std::uint32_t object = device.object;
                for (; object != 0 && numa_of_[object] == not_known;
                     object = topology_.objects[object].parent) {
                    numa_of_[object] = device.numa;
                }
            }
        };
        take(topology_.gpus);
        take(topology_.nics);
    }

    // A device, or a switch with devices below, goes to the object above; what is left out hands on
    // what it has. A lone device below a port that is not at the end of a link needs no switch.
    void lift(std::uint32_t object) {
        const TopologyObject& one = topology_.objects[object];
        Indices& above = below_[one.parent];
        const bool is_port = one.address.device != 0 && below_[object].size() < 2;
        if (is_gpu_or_nic(one.kind) || (one.kind == ObjectKind::bridge && one.is_switch &&
                                        !is_port && !below_[object].empty())) {
            above.push_back(object);
        } else {
            above.insert(above.end(), below_[object].begin(), below_[object].end());
        }
    }

    const Topology& topology_;
    std::vector<Indices> below_;
    Indices numa_of_;
};

class Writer {
  public:
    explicit Writer(const Topology& topology) : topology_(topology), selection_(topology) {}

    std::string text() {
        text_ = "<system version=\"1\">\n";
        for (const auto& [numa, objects] : selection_.roots()) {
            text_ += "  <cpu" + node_attributes(numa) + ">\n";
            for (const std::uint32_t object : objects) {
                write(object);
            }
            text_ += "  </cpu>\n";
        }
        return std::move(text_) + "</system>\n";
    }

  private:
    // A stack in place of calls, for a chain may be long; 0 closes a tag, as no machine is written.
    void write(std::uint32_t root) {
        Indices waiting = {root};
        std::size_t depth = 2;
        while (!waiting.empty()) {
            const std::uint32_t object = waiting.back();
            waiting.pop_back();
            if (object == 0) {
                --depth;
                text_ += std::string(2 * depth, ' ') + "</pci>\n";
                continue;
            }
            const Indices below = selection_.below(object);
            text_ +=
                fmt::format("{}<pci{}{}>\n", std::string(2 * depth, ' '),
                            device_attributes(topology_.objects[object]), below.empty() ? "/" : "");
            if (!below.empty()) {
                ++depth;
                waiting.push_back(0);
                waiting.insert(waiting.end(), below.rbegin(), below.rend());
            }
        }
    }

    static std::string device_attributes(const TopologyObject& object) {
        const std::uint16_t usual = object.kind == ObjectKind::gpu   ? 0x0302
                                    : object.kind == ObjectKind::nic ? 0x0200
                                                                     : 0x0604;
        // NCCL knows InfiniBand as a network controller, and not as the serial bus that old cards
        // say they are.
        const bool is_serial = object.device_class == 0x0c06;
        const std::uint16_t stated = is_serial ? 0x0207 : object.device_class;
        const domain::PcieLink link = whole(object.uplink);
        const auto speed =
            std::find_if(read::nccl_link_speeds.begin(), read::nccl_link_speeds.end(),
                         [&](const auto& one) { return one.first == link.gigatransfers; });
        return fmt::format(R"( busid="{}" class="0x{:04x}00" link_speed="{}" link_width="{}")",
                           read::format_pci_address(object.address), stated == 0 ? usual : stated,
                           speed->second, link.lanes);
    }

    // -1 is NCCL's own word for a node that is not known.
    std::string node_attributes(std::uint32_t numa) const {
        std::string text = fmt::format(R"( numaid="{}" arch="{}")",
                                       numa == not_known ? -1 : std::int64_t{numa}, architecture());
        const domain::Processor& processor = topology_.processor;
        const bool is_known = std::find(read::nccl_vendors.begin(), read::nccl_vendors.end(),
                                        processor.vendor) != read::nccl_vendors.end();
        const bool is_numbered = processor.family != not_known && processor.model != not_known;
        if (is_known && (is_numbered || processor.vendor != "GenuineIntel")) {
            text += fmt::format(R"( vendor="{}")", processor.vendor);
            if (is_numbered) {
                text += fmt::format(R"( familyid="{}" modelid="{}")", family(), processor.model);
            }
        }
        const std::string mask = affinity(numa);
        return mask.empty() ? text : text + fmt::format(R"( affinity="{}")", mask);
    }

    std::string_view architecture() const {
        const std::string& name = topology_.processor.architecture;
        return name == "aarch64" || name == "arm64" ? "arm64"
               : name.starts_with("ppc64")          ? "ppc64"
                                                    : "x86_64";
    }

    // cpuid's extended family is not added, but put in front.
    std::uint32_t family() const {
        constexpr std::uint32_t extended = 15;
        const std::uint32_t family = topology_.processor.family;
        return family < extended ? family : extended + ((family - extended) << 4);
    }

    // Words of 32 bits, the highest first. Empty: not known, or too long for NCCL.
    std::string affinity(std::uint32_t numa) const {
        std::vector<std::uint32_t> words;
        for (const domain::TopologyCore& core : topology_.cores) {
            for (const std::uint32_t cpu : core.cpus) {
                if (core.numa == numa && numa != not_known) {
                    words.resize(std::max<std::size_t>(words.size(), cpu / 32 + 1), 0);
                    words[cpu / 32] |= 1u << cpu % 32;
                }
            }
        }
        constexpr std::size_t characters = 9;  // of a word and its comma
        if (words.size() * characters > read::longest_nccl_value) {
            return "";
        }
        std::reverse(words.begin(), words.end());
        return fmt::format("{:08x}", fmt::join(words, ","));
    }

    const Topology& topology_;
    Selection selection_;
    std::string text_;
};

}  // namespace

Expected<std::string> nccl_xml(const Topology& topology) {
    if (topology.gpus.empty()) {
        return failure("the machine has no GPU, and NCCL nothing to know of it");
    }
    std::string text = Writer(topology).text();
    const std::vector<read::NcclXmlProblem> problems = read::nccl_xml_problems(text);
    if (!problems.empty()) {
        return failure(fmt::format("NCCL could not read a file of this machine: line {}: {}",
                                   problems.front().line, problems.front().what));
    }
    return text;
}

std::vector<std::string> nccl_xml_remarks(const Topology& topology) {
    std::vector<std::string> remarks;
    std::size_t assumed = 0;
    std::size_t not_told = 0;
    for (const TopologyObject& object : topology.objects) {
        if (is_gpu_or_nic(object.kind) || object.is_switch) {
            not_told += is_told(object.uplink) ? 0 : 1;
            assumed += is_told(object.uplink) && object.uplink.is_assumed ? 1 : 0;
        }
    }
    if (assumed > 0) {
        remarks.push_back(
            fmt::format("NCCL will take {} as assumed, with 16 lanes where "
                        "that explains the bandwidth",
                        counted(assumed, "link")));
    }
    if (not_told > 0) {
        remarks.push_back(fmt::format(
            "of {} nothing is known; the file says 16 lanes of the nearest generation, or "
            "of the third",
            counted(not_told, "link")));
    }
    if (topology.processor.architecture.empty()) {
        remarks.push_back("the processor's architecture is not known; the file says x86_64");
    }
    return remarks;
}

}  // namespace hora::report
