// How is the inside of a machine shown GPU by GPU?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "libplanner/model/links/path.hpp"
#include "libplanner/read/index_ranges.hpp"
#include "libplanner/report/machine/topology.hpp"
#include "libplanner/report/text/text_table.hpp"

namespace hora::report {
namespace {

using domain::PathKind;
using domain::Topology;

struct KindText {
    std::string_view code;
    std::string_view meaning;
};
constexpr std::array<KindText, 6> kind_texts = {{
    {"NVL", "NVLink, or AMD's XGMI"},
    {"PIX", "one PCIe switch"},
    {"PXB", "several PCIe switches, not the processor"},
    {"PHB", "a PCIe host bridge: the processor"},
    {"NODE", "host bridges of one NUMA node"},
    {"SYS", "the link between NUMA nodes or sockets"},
}};

std::string_view code_of(PathKind kind) {
    return kind_texts[static_cast<std::size_t>(kind)].code;
}

using Row = std::vector<std::string>;

// Columns as wide as their widest entry; one blank between them, two after `close` of them.
std::string aligned(const std::vector<Row>& rows, std::size_t close) {
    std::vector<std::size_t> widths;
    for (const Row& row : rows) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string text;
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += fmt::format("{}{:<{}}",
                                i == 0       ? ""
                                : i <= close ? " "
                                             : "  ",
                                row[i], widths[i]);
        }
        text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

// GPUs, then NICs.
struct Device {
    std::string label;
    std::uint32_t object;
    std::uint32_t numa;
    const std::vector<std::uint32_t>* cpus;
};

std::vector<Device> devices_of(const Topology& topology) {
    std::vector<Device> devices;
    for (const domain::TopologyGpu& gpu : topology.gpus) {
        devices.push_back({fmt::format("GPU{}", devices.size()), gpu.object, gpu.numa, &gpu.cpus});
    }
    for (const domain::TopologyNic& nic : topology.nics) {
        devices.push_back({fmt::format("NIC{}", devices.size() - topology.gpus.size()), nic.object,
                           nic.numa, &nic.cpus});
    }
    return devices;
}

PathKind kind_between(const Topology& topology, const std::vector<Device>& devices, std::size_t a,
                      std::size_t b) {
    const std::size_t gpus = topology.gpus.size();
    return a < gpus && b < gpus
               ? topology.path(a, b).kind
               : model::pcie_path_kind(topology, devices[a].object, devices[b].object);
}

std::string kinds(const Topology& topology) {
    const std::vector<Device> devices = devices_of(topology);
    std::vector<Row> rows = {{""}};
    for (const Device& device : devices) {
        rows[0].push_back(device.label);
    }
    rows[0].insert(rows[0].end(), {"CPU Affinity", "NUMA Affinity"});
    for (std::size_t a = 0; a < devices.size(); ++a) {
        Row row = {devices[a].label};
        for (std::size_t b = 0; b < devices.size(); ++b) {
            row.emplace_back(a == b ? " X" : code_of(kind_between(topology, devices, a, b)));
        }
        const std::uint32_t numa = devices[a].numa;
        row.push_back(devices[a].cpus->empty() ? "N/A" : read::fold_ranges(*devices[a].cpus));
        row.push_back(numa == domain::not_known ? "N/A" : fmt::format("{}", numa));
        rows.push_back(std::move(row));
    }
    return aligned(rows, devices.size());
}

// The slowest first, as nvidia-smi has them.
std::string legend(const Topology& topology) {
    std::string text;
    for (std::size_t kind = kind_texts.size(); kind-- > 0;) {
        text += fmt::format("  {:<4} = {}\n", kind_texts[kind].code, kind_texts[kind].meaning);
    }
    for (std::size_t i = 0; i < topology.nics.size(); ++i) {
        const std::vector<std::string>& names = topology.nics[i].names;
        if (!names.empty()) {
            text += fmt::format("  NIC{} = {}\n", i,
                                terminal_text(fmt::format("{}", fmt::join(names, ", "))));
        }
    }
    return text;
}

std::string bandwidths(const Topology& topology) {
    const std::size_t gpus = topology.gpus.size();
    bool is_any_measured = false;
    std::vector<Row> rows = {{"GB/s"}};
    for (std::size_t a = 0; a < gpus; ++a) {
        rows[0].push_back(fmt::format("GPU{}", a));
        Row row = {fmt::format("GPU{}", a)};
        for (std::size_t b = 0; b < gpus; ++b) {
            const domain::GpuPath& path = topology.path(a, b);
            const double gigabytes = path.bandwidth.count() / 1e9;
            constexpr double tenths_end = 99.95;  // from there on it would read 100.0
            row.push_back(a == b
                              ? " X"
                              : fmt::format("{:.{}f}{}", gigabytes, gigabytes < tenths_end ? 1 : 0,
                                            path.is_measured ? "*" : ""));
            is_any_measured = is_any_measured || (a != b && path.is_measured);
        }
        rows.push_back(std::move(row));
    }
    return aligned(rows, gpus) + (is_any_measured
                                      ? "  one way; * measured, the others by NCCL's figures\n"
                                      : "  one way, by NCCL's figures\n");
}

}  // namespace

std::string topology_matrix(const Topology& topology) {
    if (topology.gpus.empty()) {
        return "no GPU\n";
    }
    std::string text = kinds(topology) + "\n" + legend(topology);
    return topology.gpus.size() < 2 ? text : text + "\n" + bandwidths(topology);
}

}  // namespace hora::report
