// At which bandwidth do some GPUs of a machine sum what each of them has?
#include "libplanner/model/links/set_bandwidth.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "libplanner/model/links/channel_search.hpp"
#include "libplanner/model/links/path.hpp"
#include "libplanner/model/links/ring_pace.hpp"

namespace hora::model {
namespace {

using domain::Topology;
using Gpus = std::vector<std::uint32_t>;

constexpr double giga = 1e9;

// Speeds of channels inside a node, in GB/s, by the oldest GPU of the set.
constexpr double before_hopper[] = {40, 30, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3};
constexpr double hopper[] = {60, 50, 40, 30, 24, 20, 15, 12, 11, 6, 3};
constexpr double blackwell[] = {90, 80, 70, 60, 50, 40, 30, 24, 20, 19, 18};

std::span<const double> speeds_of(const domain::TopologyObject& gpu) {
    constexpr std::uint16_t nvidia = 0x10de;
    const bool is_blackwell = (gpu.device >= 0x2900 && gpu.device <= 0x2fff) ||
                              (gpu.device >= 0x3100 && gpu.device <= 0x32ff);
    const bool is_hopper = gpu.device >= 0x2300 && gpu.device <= 0x23ff;
    if (gpu.vendor != nvidia) {
        return before_hopper;
    }
    return is_blackwell ? std::span<const double>(blackwell)
           : is_hopper  ? std::span<const double>(hopper)
                        : before_hopper;
}

std::span<const double> speeds_of(const Topology& machine, const Gpus& gpus) {
    std::span<const double> oldest = blackwell;
    for (const std::uint32_t gpu : gpus) {
        const auto own = speeds_of(machine.objects[machine.gpus[gpu].object]);
        oldest = own.front() < oldest.front() ? own : oldest;
    }
    return oldest;
}

NvlinkGraph graph_of(const Topology& machine, const Gpus& gpus) {
    const std::size_t count = gpus.size();
    NvlinkGraph graph{count, std::vector(count * count, Bandwidth(0)),
                      std::vector(count, Bandwidth(0))};
    const auto place_of = [&](std::uint32_t object) {
        const auto at = std::find_if(gpus.begin(), gpus.end(), [&](std::uint32_t gpu) {
            return machine.gpus[gpu].object == object;
        });
        return static_cast<std::size_t>(at - gpus.begin());
    };
    for (const domain::NvLink& link : machine.nvlinks) {
        const std::size_t a = place_of(link.a);
        const std::size_t b = place_of(link.b);
        const Bandwidth attained = attained_over_nvlink(link.bandwidth);
        const auto is_switch = [&](std::uint32_t object) {
            return machine.objects[object].kind == domain::ObjectKind::nvswitch;
        };
        if (a < count && b < count) {
            graph.direct[a * count + b] += attained;
            graph.direct[b * count + a] += attained;
        } else if (a < count && is_switch(link.b)) {
            graph.to_switches[a] += attained;
        } else if (b < count && is_switch(link.a)) {
            graph.to_switches[b] += attained;
        }
    }
    // What was measured between two GPUs counts for more.
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = 0; b < count; ++b) {
            const domain::GpuPath& path = machine.path(gpus[a], gpus[b]);
            Bandwidth& direct = graph.direct[a * count + b];
            if (a != b && path.is_measured && path.kind == domain::PathKind::nvlink &&
                direct > Bandwidth(0)) {
                direct = path.bandwidth;
            }
        }
    }
    return graph;
}

// What NVLinks leave to PCIe: for each two GPUs without one the lanes on the way between them, a
// lane for each direction of a link of PCIe, of a socket and of a NUMA node.
class Lanes {
  public:
    Lanes(const Topology& machine, NvlinkGraph& graph)
        : machine_(machine), graph_(graph), numbers_(2 * machine.objects.size(), none) {
        graph_.over_lanes.resize(graph.gpus * graph.gpus);
        graph_.on_the_way.resize(graph.gpus * graph.gpus);
    }

    void add(const Gpus& gpus) {
        for (std::size_t a = 0; a < gpus.size(); ++a) {
            for (std::size_t b = 0; b < gpus.size(); ++b) {
                const domain::GpuPath& path = machine_.path(gpus[a], gpus[b]);
                if (a != b && path.kind != domain::PathKind::nvlink) {
                    const std::size_t pair = a * gpus.size() + b;
                    graph_.on_the_way[pair] = path.bandwidth;
                    graph_.over_lanes[pair] =
                        between(machine_.gpus[gpus[a]].object, machine_.gpus[gpus[b]].object);
                }
            }
        }
    }

  private:
    static constexpr std::uint16_t none = 0xffff;

    // Parents have smaller numbers.
    std::vector<std::uint16_t> between(std::uint32_t from, std::uint32_t to) {
        std::vector<std::uint16_t> lanes;
        while (from != to) {
            const bool is_up = from > to;
            std::uint32_t& inner = is_up ? from : to;
            if (const Bandwidth capacity = capacity_of(inner); capacity > Bandwidth(0)) {
                lanes.push_back(number(2 * inner + (is_up ? 0 : 1), capacity));
            }
            inner = machine_.objects[inner].parent;
        }
        return lanes;
    }

    // 0: nothing is short there.
    Bandwidth capacity_of(std::uint32_t object) const {
        const domain::TopologyObject& one = machine_.objects[object];
        const bool is_crossing =
            one.kind == domain::ObjectKind::socket || one.kind == domain::ObjectKind::numa_node;
        return is_crossing ? between_sockets(machine_.processor) : attained(one.uplink);
    }

    std::uint16_t number(std::size_t lane, Bandwidth capacity) {
        if (numbers_[lane] == none) {
            numbers_[lane] = static_cast<std::uint16_t>(graph_.lanes.size());
            graph_.lanes.push_back(capacity);
        }
        return numbers_[lane];
    }

    const Topology& machine_;
    NvlinkGraph& graph_;
    std::vector<std::uint16_t> numbers_;  // by object: up, down
};

bool has_links(const NvlinkGraph& graph) {
    const auto is_there = [](Bandwidth link) { return link > Bandwidth(0); };
    return std::any_of(graph.direct.begin(), graph.direct.end(), is_there) ||
           std::any_of(graph.to_switches.begin(), graph.to_switches.end(), is_there);
}

// What the links of the GPU that has most carry.
Bandwidth most_of_one(const NvlinkGraph& graph) {
    Bandwidth most(0);
    for (std::size_t a = 0; a < graph.gpus; ++a) {
        Bandwidth all = graph.to_switches[a];
        for (std::size_t b = 0; b < graph.gpus; ++b) {
            all += graph.direct[a * graph.gpus + b];
        }
        most = std::max(most, all);
    }
    return most;
}

SetBandwidth over_nvlink(const NvlinkGraph& graph, std::span<const double> speeds) {
    // The next speed must be more than this of the one that the best channels have.
    constexpr double slowest_share = 0.49;
    const Bandwidth total = most_of_one(graph);
    SetBandwidth best;
    std::optional<Hop> best_hop;
    for (const double speed_in_gigabytes : speeds) {
        const Bandwidth speed(speed_in_gigabytes * giga);
        if (best.channels > 0 &&
            (speed / best.channel <= slowest_share || best.bandwidth >= total * (1 - 1e-9))) {
            break;
        }
        for (const Hop hop : {Hop::own_links, Hop::through_a_gpu, Hop::over_pcie}) {
            const bool is_left_out =
                (best_hop && *best_hop < hop) || (hop == Hop::over_pcie && graph.lanes.empty());
            if (is_left_out) {
                continue;
            }
            const auto beaten = static_cast<std::uint32_t>(best.bandwidth / speed * (1 + 1e-9));
            const Channels found = most_channels(graph, speed, hop, beaten);
            best.is_exact = best.is_exact && found.is_exact;
            if (found.count > 0) {
                best = {speed * found.count, speed, found.count, best.is_exact};
                best_hop = hop;
            }
        }
    }
    return best;
}

// The least bandwidth that any ring has to cross: the slowest link of the fastest spanning tree.
Bandwidth bound_of_rings(const Topology& machine, const Gpus& gpus) {
    std::vector<Bandwidth> reach(gpus.size(), Bandwidth(-1));
    Bandwidth bound(1e300);
    std::size_t latest = 0;
    for (std::size_t joined = 1; joined < gpus.size(); ++joined) {
        reach[latest] = Bandwidth(-2);
        std::size_t next = latest;
        for (std::size_t i = 0; i < gpus.size(); ++i) {
            if (reach[i] > Bandwidth(-2)) {
                reach[i] = std::max(reach[i], machine.path(gpus[latest], gpus[i]).bandwidth);
                next = next == latest || reach[i] > reach[next] ? i : next;
            }
        }
        bound = std::min(bound, reach[next]);
        latest = next;
    }
    return bound;
}

// The best order by its least share: depth first, the fastest way on first.
class PaceSearch {
  public:
    PaceSearch(const Topology& machine, const Gpus& gpus)
        : machine_(machine), gpus_(gpus), bound_(bound_of_rings(machine, gpus)) {}

    Bandwidth best() {
        Gpus order{gpus_.front()};
        Gpus missing(gpus_.begin() + 1, gpus_.end());
        go_on(order, missing);
        return best_;
    }

  private:
    void go_on(Gpus& order, const Gpus& missing) {
        if (missing.empty()) {
            best_ = std::max(best_, ring_pace(machine_, order));
            return;
        }
        Gpus nearest = missing;
        const auto way = [&](std::uint32_t gpu) {
            return machine_.path(order.back(), gpu).bandwidth;
        };
        std::stable_sort(nearest.begin(), nearest.end(), [&](std::uint32_t a, std::uint32_t b) {
            const auto kind = [&](std::uint32_t gpu) {
                return machine_.path(order.back(), gpu).kind;
            };
            return std::pair(way(b), kind(a)) < std::pair(way(a), kind(b));
        });
        for (const std::uint32_t next : nearest) {
            if (best_ >= bound_ || way(next) <= best_) {
                return;
            }
            Gpus others;
            std::copy_if(missing.begin(), missing.end(), std::back_inserter(others),
                         [&](std::uint32_t gpu) { return gpu != next; });
            order.push_back(next);
            go_on(order, others);
            order.pop_back();
        }
    }

    const Topology& machine_;
    const Gpus& gpus_;
    Bandwidth bound_;
    Bandwidth best_{0};
};

SetBandwidth over_any_path(const Topology& machine, const Gpus& gpus) {
    if (gpus.size() <= most_searched_gpus) {
        const Bandwidth pace = PaceSearch(machine, gpus).best();
        return {pace, pace, pace > Bandwidth(0) ? 1U : 0U, true};
    }
    SetBandwidth slowest{Bandwidth(1e300), Bandwidth(0), 1, true};
    for (const std::uint32_t a : gpus) {
        for (const std::uint32_t b : gpus) {
            const domain::GpuPath& path = machine.path(a, b);
            if (a < b) {
                slowest.bandwidth = std::min(slowest.bandwidth, path.bandwidth);
                slowest.is_exact =
                    slowest.is_exact && !path.is_measured && path.kind != domain::PathKind::nvlink;
            }
        }
    }
    slowest.channel = slowest.bandwidth;
    return slowest;
}

}  // namespace

SetBandwidth set_bandwidth(const Topology& machine, std::span<const std::uint32_t> gpus) {
    if (gpus.size() < 2 || machine.paths.empty()) {
        return {};
    }
    Gpus sorted(gpus.begin(), gpus.end());
    std::sort(sorted.begin(), sorted.end());
    SetBandwidth found;
    if (NvlinkGraph graph = graph_of(machine, sorted); has_links(graph)) {
        if (sorted.size() <= most_searched_gpus) {
            Lanes(machine, graph).add(sorted);
        }
        found = over_nvlink(graph, speeds_of(machine, sorted));
    }
    return found.channels > 0 ? found : over_any_path(machine, sorted);
}

std::vector<Bandwidth> all_set_bandwidths(const Topology& machine) {
    const std::size_t count = machine.gpus.size();
    std::vector<Bandwidth> all(std::size_t{1} << count, Bandwidth(0));
    for (std::uint32_t set = 1; set < all.size(); ++set) {
        Gpus gpus;
        for (std::uint32_t gpu = 0; gpu < count; ++gpu) {
            if ((set >> gpu & 1U) != 0) {
                gpus.push_back(gpu);
            }
        }
        all[set] = set_bandwidth(machine, gpus).bandwidth;
    }
    return all;
}

}  // namespace hora::model
