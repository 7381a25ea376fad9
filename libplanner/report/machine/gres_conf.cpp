// Which lines in gres.conf and slurm.conf describe a machine?
#include "libplanner/report/machine/gres_conf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "libplanner/read/index_ranges.hpp"
#include "libplanner/read/pci_address.hpp"

namespace hora::report {
namespace {

using domain::Topology;
using plan::SocketSplit;
using plan::SplitKind;

using Indices = std::vector<std::uint32_t>;

// "/dev/nvidia" and 12.
std::pair<std::string_view, std::uint32_t> parts_of(std::string_view file) {
    const std::size_t end = file.find_last_not_of("0123456789") + 1;  // npos + 1 is 0
    std::uint32_t number = 0;
    std::from_chars(file.data() + end, file.data() + file.size(), number);
    return {file.substr(0, end), number};
}

class GresWriter {
  public:
    GresWriter(const Topology& topology, const SocketSplit& split,
               const std::vector<std::string>& files, const SlurmNames& names)
        : topology_(topology), split_(split), files_(files), names_(names) {
        // Slurm counts by file, and so do Links.
        order_.resize(files.size());
        std::iota(order_.begin(), order_.end(), 0u);
        std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return parts_of(files[a]) < parts_of(files[b]);
        });
    }

    std::string text() const {
        std::string all = notes();
        if (!links_differ()) {
            return all + folded_lines();
        }
        return links_are_harmless() ? all + lines_with_links()
                                    : all + folded_lines() + links_as_comment();
    }

  private:
    std::string notes() const {
        std::string text = fmt::format("# {}GPUs by device file and bus id\n",
                                       topology_.host.empty() ? "" : topology_.host + ": ");
        for (const std::uint32_t gpu : order_) {
            const auto& address = topology_.objects[topology_.gpus[gpu].object].address;
            text += fmt::format("# {} {}\n", device_of(gpu), read::format_pci_address(address));
        }
        return text;
    }

    std::string_view device_of(std::uint32_t gpu) const {
        return std::string_view(files_[gpu]).substr(files_[gpu].rfind('/') + 1);
    }

    std::string line(std::string_view file, const Indices& cores) const {
        const std::string node =
            names_.node.empty() ? "" : fmt::format("NodeName={} ", names_.node);
        const std::string type = names_.type.empty() ? "" : " Type=" + names_.type;
        const std::string near = cores.empty() ? "" : " Cores=" + read::fold_ranges(cores);
        return fmt::format("{}Name=gpu{} File={}{}", node, type, file, near);
    }

    std::string folded_lines() const {
        std::string text;
        for (std::size_t at = 0; at < order_.size();) {
            const auto [stem, first] = parts_of(files_[order_[at]]);
            const Indices& cores = split_.cores[order_[at]];
            std::size_t count = 1;
            while (at + count < order_.size() && split_.cores[order_[at + count]] == cores &&
                   parts_of(files_[order_[at + count]]) ==
                       std::pair(stem, first + std::uint32_t(count))) {
                ++count;
            }
            text += line(count == 1 ? files_[order_[at]]
                                    : fmt::format("{}[{}-{}]", stem, first, first + count - 1),
                         cores) +
                    "\n";
            at += count;
        }
        return text;
    }

    // In GB/s: Slurm only compares.
    long weight(std::uint32_t a, std::uint32_t b) const {
        constexpr double most = 1e6;
        return std::lround(std::clamp(topology_.path(a, b).bandwidth.count() / 1e9, 1.0, most));
    }

    std::string links_of(std::uint32_t gpu) const {
        std::string text;
        for (const std::uint32_t other : order_) {
            text += fmt::format("{}{}", text.empty() ? "" : ",",
                                other == gpu ? -1 : weight(gpu, other));
        }
        return text;
    }

    std::set<long> weights(bool only_inside) const {
        std::set<long> seen;
        for (const std::uint32_t a : order_) {
            for (const std::uint32_t b : order_) {
                if (a < b && (!only_inside || split_.socket_of[a] == split_.socket_of[b])) {
                    seen.insert(weight(a, b));
                }
            }
        }
        return seen;
    }

    bool links_differ() const { return weights(false).size() > 1; }

    bool links_are_harmless() const {
        const bool are_told = std::none_of(split_.cores.begin(), split_.cores.end(),
                                           [](const Indices& cores) { return cores.empty(); });
        return are_told && split_.kind != SplitKind::not_possible && weights(true).size() <= 1;
    }

    std::string lines_with_links() const {
        std::string text;
        for (const std::uint32_t gpu : order_) {
            text += line(files_[gpu], split_.cores[gpu]) + " Links=" + links_of(gpu) + "\n";
        }
        return text;
    }

    std::string links_as_comment() const {
        std::string text =
            "# Up to Slurm 23.11 add these; from 24.05 on they make jobs take the worst GPUs:\n";
        for (const std::uint32_t gpu : order_) {
            text += fmt::format("# {}: Links={}\n", device_of(gpu), links_of(gpu));
        }
        return text;
    }

    const Topology& topology_;
    const SocketSplit& split_;
    const std::vector<std::string>& files_;
    const SlurmNames& names_;
    Indices order_;  // GPUs as Slurm counts them
};

std::string not_possible_remark(const Topology& topology, const SocketSplit& split) {
    constexpr std::string_view so =
        "the sockets are the machine's, and Slurm cannot keep a job on one switch";
    if (split.cores_per_socket == 0) {
        return fmt::format("the cores of the sockets are not equally many, or not known; {}", so);
    }
    if (std::any_of(split.socket_of.begin(), split.socket_of.end(),
                    [](std::uint32_t socket) { return socket == domain::not_known; })) {
        return fmt::format("which socket the GPUs are near is not known; {}", so);
    }
    return fmt::format(
        "the {} cores of a socket of {} do not divide evenly among the {} groups of "
        "GPUs there; {}",
        split.cores_per_socket, topology.host.empty() ? "the machine" : topology.host,
        split.most_groups, so);
}

std::string kind_remark(const Topology& topology, const SocketSplit& split) {
    switch (split.kind) {
        case SplitKind::hardware:
            return "";
        case SplitKind::numa_nodes:
            return "each PCIe switch counts as a socket, as --slurm-node has it; here these are "
                   "the NUMA nodes, and slurmd "
                   "finds them itself with SlurmdParameters=numa_node_as_socket";
        case SplitKind::caches:
            return "each PCIe switch counts as a socket, as --slurm-node has it; here these are "
                   "the L3 caches, and slurmd "
                   "finds them itself with SlurmdParameters=l3cache_as_socket";
        case SplitKind::declared:
            return "each PCIe switch counts as a socket, as --slurm-node has it, but neither NUMA "
                   "nodes nor L3 caches "
                   "coincide with the switches: slurm.conf needs "
                   "SlurmdParameters=config_overrides, and then Slurm no longer checks what nodes "
                   "have";
        default:
            return not_possible_remark(topology, split);
    }
}

}  // namespace

Expected<std::string> gres_conf(const Topology& topology, const SocketSplit& split,
                                const std::vector<std::string>& files, const SlurmNames& names) {
    if (topology.gpus.empty()) {
        return failure("the machine has no GPU, and nothing to say in gres.conf");
    }
    return GresWriter(topology, split, files, names).text();
}

Expected<std::string> slurm_node(const Topology& topology, const SocketSplit& split,
                                 const SlurmNames& names) {
    const std::string& node = names.node.empty() ? topology.host : names.node;
    if (node.empty()) {
        return wrong_use("the topology does not say whose it is; name the node with --node");
    }
    if (split.cores_per_socket == 0 || split.threads_per_core == 0) {
        return failure(fmt::format(
            "the {} of \"{}\" are not equally many everywhere, or not known, and a NodeName line "
            "cannot say that; take what 'slurmd -C' prints there",
            split.cores_per_socket == 0 ? "cores of the sockets" : "threads of the cores", node));
    }
    std::string line = fmt::format(
        "NodeName={} CPUs={} Boards=1 SocketsPerBoard={} CoresPerSocket={} ThreadsPerCore={}", node,
        split.sockets * split.cores_per_socket * split.threads_per_core, split.sockets,
        split.cores_per_socket, split.threads_per_core);
    if (!topology.gpus.empty()) {
        line += fmt::format(" Gres=gpu{}:{}", names.type.empty() ? "" : ":" + names.type,
                            topology.gpus.size());
    }
    return line + "\n";
}

std::vector<std::string> split_remarks(const Topology& topology, const SocketSplit& split) {
    std::vector<std::string> remarks;
    if (std::string remark = kind_remark(topology, split); !remark.empty()) {
        remarks.push_back(std::move(remark));
    }
    const bool is_split =
        split.kind != SplitKind::hardware && split.kind != SplitKind::not_possible;
    if (is_split && split.idle_sockets > 0) {
        remarks.push_back(fmt::format(
            "{} of the {} sockets {} no GPU, for all must have equally many cores",
            split.idle_sockets, split.sockets, split.idle_sockets == 1 ? "gets" : "get"));
    }
    const auto lost = std::count_if(split.cores.begin(), split.cores.end(),
                                    [](const Indices& cores) { return cores.empty(); });
    if (lost > 0) {
        remarks.push_back(fmt::format(
            "{} of the {} GPUs get no Cores=: {}", lost, topology.gpus.size(),
            split.cores_per_socket == 0 ? "Slurm 24.11 and later take only those of whole sockets, "
                                          "and the sockets are not equally large, or not known"
                                        : "which cores they are near is not known"));
    }
    if (split.widened > 0) {
        remarks.push_back(fmt::format(
            "{} of the {} GPUs are near a part of their socket's cores only; Cores= has them all, "
            "for Slurm 24.11 and later refuse a node whose Cores= cut a socket",
            split.widened, topology.gpus.size()));
    }
    return remarks;
}

}  // namespace hora::report
