// Is the ring that NCCL built the predicted one, and what does it cost where it is not?
#include "libplanner/plan/ring/ring_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "libplanner/read/pci_address.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::plan {
namespace {

using Order = std::vector<std::uint32_t>;
using read::NcclCommunicator;
using read::NcclRank;

using StopName = std::pair<std::string_view, std::uint32_t>;
using LinkName = std::pair<StopName, StopName>;

LinkName name_of(const RingFigures& ring, const RingLink& link) {
    const RingStop& a = ring.stops[link.a];
    const RingStop& b = ring.stops[link.b];
    const StopName first{a.node, a.gpu};
    const StopName second{b.node, b.gpu};
    return std::minmax({first, second});
}

std::multiset<LinkName> names_of(const RingFigures& ring) {
    std::multiset<LinkName> names;
    for (const RingLink& link : ring.links) {
        names.insert(name_of(ring, link));
    }
    return names;
}

std::vector<RingLink> lacking(const RingFigures& ring, std::multiset<LinkName> others) {
    std::vector<RingLink> links;
    for (const RingLink& link : ring.links) {
        const auto found = others.find(name_of(ring, link));
        if (found == others.end()) {
            links.push_back(link);
        } else {
            others.erase(found);
        }
    }
    return links;
}

Error untold(const NcclCommunicator& communicator) {
    return {fmt::format("the log has {} of the {} ranks of a communicator; NCCL_DEBUG=INFO "
                        "has to be set for all of them, and their output to be in one file",
                        communicator.ranks.size(), communicator.size),
            ErrorKind::wrong_use};
}

std::string_view short_name(std::string_view host) {
    return host.substr(0, host.find('.'));
}

Expected<std::uint32_t> gpu_of(const NcclRank& rank, const domain::Topology& machine) {
    const std::uint32_t number = rank.nvml_device.value_or(rank.cuda_device);
    for (std::uint32_t i = 0; i < machine.gpus.size(); ++i) {
        const domain::PciAddress& own = machine.objects[machine.gpus[i].object].address;
        if (rank.address ? own == *rank.address : i == number) {
            return i;
        }
    }
    const std::string which =
        rank.address ? read::format_pci_address(*rank.address) : fmt::format("number {}", number);
    return wrong_use(
        fmt::format("rank {} on {} has the GPU {}, which the topology lacks; is it of "
                    "another machine?",
                    rank.rank, read::quoted(rank.host), which));
}

// The cluster's GPU of each rank.
class ClusterGpus {
  public:
    explicit ClusterGpus(const domain::Cluster& cluster) : cluster_(cluster) {
        for (std::uint32_t i = 0; i < cluster.nodes.size(); ++i) {
            nodes_.emplace(short_name(cluster.nodes[i].name), i);
        }
        for (std::uint32_t i = 0; i < cluster.gpus.size(); ++i) {
            gpus_.emplace(key(cluster.gpus[i].node, cluster.gpus[i].index), i);
        }
    }

    Expected<std::uint32_t> operator()(const NcclRank& rank) const {
        const auto node = nodes_.find(short_name(rank.host));
        if (node == nodes_.end()) {
            return wrong_use(fmt::format("rank {} ran on {}, which the cluster lacks", rank.rank,
                                         read::quoted(rank.host)));
        }
        const std::uint32_t number = rank.nvml_device.value_or(rank.cuda_device);
        const auto gpu = gpus_.find(key(node->second, number));
        if (gpu == gpus_.end()) {
            return wrong_use(fmt::format("rank {} had GPU {} of {}, which the cluster lacks",
                                         rank.rank, number, read::quoted(rank.host)));
        }
        return gpu->second;
    }

  private:
    static std::uint64_t key(std::uint32_t node, std::uint32_t gpu) {
        return std::uint64_t{node} << 32 | gpu;
    }

    const domain::Cluster& cluster_;
    std::unordered_map<std::string_view, std::uint32_t> nodes_;
    std::unordered_map<std::uint64_t, std::uint32_t> gpus_;
};

// By rank.
template <class Find>
Expected<Order> gpus_of(const NcclCommunicator& communicator, Find gpu_of_rank) {
    if (communicator.ranks.size() != communicator.size) {
        return unexpected(untold(communicator));
    }
    Order gpus;
    std::unordered_map<std::uint32_t, std::uint32_t> holders;
    for (const NcclRank& rank : communicator.ranks) {
        const Expected<std::uint32_t> gpu = gpu_of_rank(rank);
        if (!gpu) {
            return unexpected(gpu.error());
        }
        const auto [holder, is_new] = holders.emplace(*gpu, rank.rank);
        if (!is_new) {
            return wrong_use(fmt::format("ranks {} and {} on {} have one GPU", holder->second,
                                         rank.rank, read::quoted(rank.host)));
        }
        gpus.push_back(*gpu);
    }
    return gpus;
}

template <class Machines>
RingVerdict verdict_of(const NcclCommunicator& communicator, const Machines& machines,
                       const Order& gpus) {
    RingVerdict verdict{communicator.id, predict_ring(machines, gpus).best, {}, communicator.torn};
    std::map<Order, std::size_t> place;
    std::vector<std::pair<Order, std::vector<std::uint32_t>>> rings;  // with their channels
    for (const read::NcclRing& ring : communicator.rings) {
        const auto [known, is_new] = place.try_emplace(ring.ranks, rings.size());
        if (is_new) {
            rings.push_back({ring.ranks, {}});
        }
        rings[known->second].second.push_back(ring.channel);
    }
    for (auto& [ranks, channels] : rings) {
        for (std::uint32_t& rank : ranks) {
            rank = gpus[rank];
        }
        verdict.found.push_back(compare(verdict.predicted, figures_of(machines, std::move(ranks))));
        verdict.found.back().channels = std::move(channels);
    }
    return verdict;
}

}  // namespace

bool RingVerdict::is_good() const {
    return std::all_of(found.begin(), found.end(),
                       [](const FoundRing& ring) { return ring.is_same || ring.is_as_fast; });
}

FoundRing compare(const RingFigures& predicted, RingFigures found) {
    FoundRing result;
    result.missing = lacking(predicted, names_of(found));
    result.instead = lacking(found, names_of(predicted));
    result.is_same = result.missing.empty() && result.instead.empty();
    result.is_as_fast =
        found.bottleneck >= predicted.bottleneck &&
        found.pace.value_or(Bandwidth(0)) >= predicted.pace.value_or(Bandwidth(0)) &&
        found.crossings.value_or(0) <= predicted.crossings.value_or(0);
    result.figures = std::move(found);
    return result;
}

Expected<RingVerdict> judge(const NcclCommunicator& communicator, const domain::Topology& machine) {
    for (const NcclRank& rank : communicator.ranks) {
        if (rank.host != communicator.ranks.front().host) {
            return wrong_use(fmt::format(
                "the log has a communicator over {} and {}, which a "
                "topology of one machine does not hold; say --cluster",
                read::quoted(communicator.ranks.front().host), read::quoted(rank.host)));
        }
    }
    return gpus_of(communicator, [&](const NcclRank& rank) { return gpu_of(rank, machine); })
        .map([&](const Order& gpus) { return verdict_of(communicator, machine, gpus); });
}

Expected<RingVerdict> judge(const NcclCommunicator& communicator, const domain::Cluster& cluster) {
    return gpus_of(communicator, ClusterGpus(cluster)).map([&](const Order& gpus) {
        return verdict_of(communicator, cluster, gpus);
    });
}

}  // namespace hora::plan
