// Where do a machine and its lines in gres.conf disagree?
#include "libplanner/report/machine/gres_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "libplanner/base/counted.hpp"
#include "libplanner/plan/socket_split.hpp"
#include "libplanner/read/index_ranges.hpp"
#include "libplanner/read/pci_address.hpp"

namespace hora::report {
namespace {

using domain::PathKind;
using domain::PciAddress;
using domain::Topology;

using Indices = std::vector<std::uint32_t>;

std::string_view without_folder(std::string_view file) {
    return file.substr(file.rfind('/') + 1);  // npos + 1 is 0
}

bool meet(const Indices& a, const Indices& b) {
    return std::any_of(a.begin(), a.end(), [&](std::uint32_t one) {
        return std::binary_search(b.begin(), b.end(), one);
    });
}

class Comparison {
  public:
    Comparison(const Topology& topology, const std::vector<read::GresGpu>& gpus,
               const read::DeviceFiles& files)
        : topology_(topology), gpus_(gpus), files_(files), near_(plan::near_cores(topology)) {
        for (std::uint32_t gpu = 0; gpu < topology.gpus.size(); ++gpu) {
            at_.emplace(topology.objects[topology.gpus[gpu].object].address, gpu);
        }
    }

    std::vector<std::string> differences() {
        compare_counts();
        for (std::size_t i = 0; i < gpus_.size(); ++i) {
            compare_address(i);
            found_.push_back(find(i));
            compare_cores(i);
            compare_links(i);
        }
        tell_unnoted();
        compare_switches();
        return std::move(all_);
    }

  private:
    // "line 3: nvidia0"
    std::string place_of(std::size_t i) const {
        return fmt::format("line {}: {}", gpus_[i].line, name_of(i));
    }
    std::string name_of(std::size_t i) const {
        return gpus_[i].file.empty() ? fmt::format("GPU {}", i)
                                     : std::string(without_folder(gpus_[i].file));
    }
    std::string bus_id_of(std::uint32_t gpu) const {
        return read::format_pci_address(topology_.objects[topology_.gpus[gpu].object].address);
    }

    // By its bus id, or else by its file, or else in order.
    std::optional<std::uint32_t> find(std::size_t i) const {
        if (gpus_[i].address) {
            const auto at = at_.find(*gpus_[i].address);
            return at == at_.end() ? std::nullopt : std::optional(at->second);
        }
        for (std::uint32_t gpu = 0; gpu < files_.paths.size() && !gpus_[i].file.empty(); ++gpu) {
            if (without_folder(files_.paths[gpu]) == without_folder(gpus_[i].file)) {
                return gpu;
            }
        }
        return gpus_[i].file.empty() && i < topology_.gpus.size()
                   ? std::optional(static_cast<std::uint32_t>(i))
                   : std::nullopt;
    }

    void compare_counts() {
        if (gpus_.size() != topology_.gpus.size()) {
            all_.push_back(fmt::format("gres.conf gives the node {}, the machine has {}",
                                       counted(gpus_.size(), "GPU"), topology_.gpus.size()));
        }
    }

    void compare_address(std::size_t i) {
        if (!gpus_[i].address) {
            return;
        }
        const std::string noted = read::format_pci_address(*gpus_[i].address);
        if (!at_.contains(*gpus_[i].address)) {
            all_.push_back(
                fmt::format("{} is noted at {}, where the machine has no GPU", place_of(i), noted));
            return;
        }
        const auto [first, is_new] = noted_.emplace(*gpus_[i].address, i);
        if (!is_new) {
            all_.push_back(fmt::format("{} is noted at {}, and so is {}", place_of(i), noted,
                                       name_of(first->second)));
        }
        for (std::uint32_t gpu = 0; gpu < files_.paths.size() && !files_.are_assumed; ++gpu) {
            if (without_folder(files_.paths[gpu]) == name_of(i) &&
                gpu != at_.at(*gpus_[i].address)) {
                all_.push_back(fmt::format("{} is noted at {}, but the driver has it at {}",
                                           place_of(i), noted, bus_id_of(gpu)));
            }
        }
    }

    // Where only some are noted, the others may be these.
    void tell_unnoted() {
        if (noted_.empty() || !std::all_of(gpus_.begin(), gpus_.end(), [](const auto& gpu) {
                return gpu.address.has_value();
            })) {
            return;
        }
        for (const auto& [address, gpu] : at_) {
            if (!noted_.contains(address)) {
                all_.push_back(fmt::format("no line is noted for GPU{} at {}", gpu,
                                           read::format_pci_address(address)));
            }
        }
    }

    void compare_cores(std::size_t i) {
        const Indices& cores = gpus_[i].cores;
        if (cores.empty() || topology_.cores.empty()) {
            return;
        }
        if (cores.back() >= topology_.cores.size()) {
            all_.push_back(fmt::format(
                "{} has Cores={}, but the machine has {} cores; Cores= counts cores as Slurm does, "
                "socket by socket, and not the kernel's CPUs",
                place_of(i), read::fold_ranges(cores), topology_.cores.size()));
            return;
        }
        if (!found_[i] || near_[*found_[i]].empty()) {
            return;
        }
        const Indices& near = near_[*found_[i]];
        // Slurm wants whole sockets, also for a GPU that is near a part of one.
        const Indices whole = plan::cores_of_sockets(topology_, near);
        if (!std::includes(whole.begin(), whole.end(), cores.begin(), cores.end())) {
            const std::uint32_t numa = topology_.gpus[*found_[i]].numa;
            all_.push_back(fmt::format(
                "{} has Cores={}, but GPU{} at {} is near cores {}{}", place_of(i),
                read::fold_ranges(cores), *found_[i], bus_id_of(*found_[i]),
                read::fold_ranges(near),
                numa == domain::not_known ? "" : fmt::format(", of NUMA node {}", numa)));
        }
    }

    void compare_links(std::size_t i) {
        const auto& links = gpus_[i].links;
        if (!links.empty() && links.size() != gpus_.size()) {
            all_.push_back(fmt::format("{} has {} numbers in Links=, and there are {} GPUs",
                                       place_of(i), links.size(), gpus_.size()));
        }
    }

    // GPUs that one switch or NVLink joins, and that are near the same cores.
    void compare_switches() {
        for (std::size_t b = 0; b < gpus_.size(); ++b) {
            for (std::size_t a = 0; a < b; ++a) {
                if (!found_[a] || !found_[b] || *found_[a] == *found_[b]) {
                    continue;
                }
                const PathKind kind = topology_.path(*found_[a], *found_[b]).kind;
                if ((kind != PathKind::pix && kind != PathKind::nvlink) ||
                    !meet(near_[*found_[a]], near_[*found_[b]]) || gpus_[a].cores.empty() ||
                    gpus_[b].cores.empty() || meet(gpus_[a].cores, gpus_[b].cores)) {
                    continue;
                }
                all_.push_back(
                    fmt::format("{} and {} (line {}) are joined by {}, but have no core "
                                "of Cores= in common",
                                place_of(a), name_of(b), gpus_[b].line,
                                kind == PathKind::pix ? "one switch" : "NVLink"));
            }
        }
    }

    const Topology& topology_;
    const std::vector<read::GresGpu>& gpus_;
    const read::DeviceFiles& files_;
    std::vector<Indices> near_;
    std::map<PciAddress, std::uint32_t> at_;           // GPUs of the machine
    std::map<PciAddress, std::size_t> noted_;          // GPUs of gres.conf
    std::vector<std::optional<std::uint32_t>> found_;  // by GPU of gres.conf: that of the machine
    std::vector<std::string> all_;
};

}  // namespace

std::vector<std::string> gres_differences(const Topology& topology,
                                          const std::vector<read::GresGpu>& gpus,
                                          const read::DeviceFiles& files) {
    return Comparison(topology, gpus, files).differences();
}

}  // namespace hora::report
