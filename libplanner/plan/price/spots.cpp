// In which parts of the cluster is a point's price reached, and with which GPUs?
#include "libplanner/plan/price/spots.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "libplanner/plan/price/async.hpp"
#include "libplanner/plan/price/balanced.hpp"

namespace hora::plan {

namespace {

using domain::Mode;

// Of GPUs that come node by node, how many nodes have given `each` or more?
class UnitCount {
  public:
    explicit UnitCount(std::uint32_t each) : each_(each) {}

    void add(std::uint32_t node) {
        on_node_ = node == node_ ? on_node_ + 1 : 1;
        node_ = node;
        count_ += on_node_ == each_ ? 1 : 0;
    }
    std::uint64_t count() const { return count_; }

  private:
    std::uint32_t each_;
    std::uint32_t node_ = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t on_node_ = 0;
    std::uint64_t count_ = 0;
};

bool are_priced_alike(const domain::Gpu& one, const domain::Gpu& other) {
    return one.part == other.part && one.node == other.node && one.device == other.device;
}

class Finder {
  public:
    Finder(Pricing& pricing, const FreeGpus& free, const Point& point)
        : pricing_(pricing), cluster_(pricing.cluster()), free_(free), point_(point) {}

    std::vector<Spot> find(Placing placing) {
        std::vector<Spot> spots = reached(placing);
        spot_of_.assign(free_.parts(), nowhere);
        for (std::size_t i = 0; i < spots.size(); ++i) {
            spot_of_[spots[i].part] = i;
        }
        if (placing == Placing::thorough && is_together()) {
            leave_out_inner(spots);
        }
        collect_gpus(spots, placing);
        for (Spot& spot : spots) {
            if (const MeshPart* const mesh = free_.mesh_part(spot.part)) {
                spot.gpus = gpus_of(*mesh, placing);
                keep_eligible(spot);
            } else if (const SomeNodes* const some = free_.some_nodes(spot.part)) {
                spot.gpus = gpus_of(*some);
                keep_eligible(spot);
            }
        }
        return spots;
    }

  private:
    static constexpr std::size_t nowhere = ~std::size_t{0};

    bool is_together() const {
        return point_.mode == Mode::independent || point_.mode == Mode::sync;
    }
    Seconds exchange(const LinkClasses& link) const {
        return pricing_.exchange(link.exchanging(point_.size.units, point_.size.each));
    }
    bool reaches(const LinkClasses& link, const PartClass& part, std::span<const Seconds> steps);
    std::vector<Spot> reached(Placing placing);
    bool is_as_good(const LinkClasses& outer, const LinkClasses& inner);
    void leave_out_inner(std::vector<Spot>& spots);
    void find_spots_around(std::uint32_t part, std::vector<std::size_t>& around) const;
    const std::vector<Seconds>& device_steps(const LinkClasses& link);
    bool is_eligible(std::uint32_t gpu, const std::vector<Seconds>& device_steps) const;
    void keep_eligible(Spot& spot);
    Size first_enough() const;
    void collect_gpus(std::vector<Spot>& spots, Placing placing);
    std::uint32_t parent_of(std::uint32_t part) const;
    std::vector<std::uint32_t> gpus_of(const MeshPart& mesh, Placing placing) const;
    std::vector<std::uint32_t> gpus_of(const SomeNodes& some) const;
    bool is_wanted(std::uint32_t part);
    bool is_usable(std::uint32_t gpu) const {
        return cluster_.gpus[gpu].is_free && pricing_.largest_share(cluster_.gpus[gpu].device) > 0;
    }

    Pricing& pricing_;
    const domain::Cluster& cluster_;
    const FreeGpus& free_;
    const Point& point_;
    std::vector<std::size_t> spot_of_;  // by part
    std::map<const LinkClasses*, std::vector<Seconds>> device_steps_;
    std::vector<const SomeNodes*> found_pairs_;
};

bool Finder::reaches(const LinkClasses& link, const PartClass& part,
                     std::span<const Seconds> steps) {
    if (part.units < point_.size.units || !part.suits(point_.size.members())) {
        return false;
    }
    if (point_.mode == Mode::async) {
        return link.spread != Spread::two_nodes &&
               reaches_async(pricing_, free_, link, part, point_);
    }
    if (point_.mode == Mode::balanced) {
        return can_keep(pricing_, free_, link, part, point_.size, point_.price);
    }
    return units_within(pricing_, part, steps, point_.price) >= point_.size.units;
}

std::vector<Spot> Finder::reached(Placing placing) {
    std::vector<Spot> found;
    const auto links = free_.links();
    const std::uint64_t share = pricing_.share_of(point_.size.members());
    UnitSteps unit_steps(pricing_, free_);
    for (auto at = links.rbegin(); at != links.rend(); ++at) {
        const LinkClasses& link = *at;
        const std::span<const Seconds> steps =
            unit_steps.of(point_.size.each, share, exchange(link));
        for (auto in = link.classes.rbegin(); in != link.classes.rend(); ++in) {
            const PartClass& part = *in;
            if (!reaches(link, part, steps)) {
                continue;
            }
            for (const std::uint32_t index : part.parts) {
                if (!is_wanted(index)) {
                    continue;
                }
                found.push_back({index, &link, &part, {}});
                if (placing == Placing::quick) {
                    return found;
                }
            }
        }
    }
    return found;
}

// Each device takes as long over one link as over the other.
bool Finder::is_as_good(const LinkClasses& outer, const LinkClasses& inner) {
    return device_steps(outer) == device_steps(inner);
}

// Where the exchange costs no more over the larger part's link, its GPUs are as good and more.
void Finder::leave_out_inner(std::vector<Spot>& spots) {
    std::vector<const LinkClasses*> links;
    for (const Spot& spot : spots) {
        links.push_back(spot.link);
    }
    std::erase_if(spots, [&](const Spot& spot) {
        for (std::uint32_t part = parent_of(spot.part); part != domain::no_part;
             part = cluster_.parts[part].parent) {
            const std::size_t outer = spot_of_[part];
            if (outer != nowhere && is_as_good(*links[outer], *spot.link)) {
                spot_of_[spot.part] = nowhere;
                return true;
            }
        }
        return false;
    });
    for (std::size_t i = 0; i < spots.size(); ++i) {
        spot_of_[spots[i].part] = i;
    }
}

// Where all are priced alike, all pairs of some nodes are one spot.
bool Finder::is_wanted(std::uint32_t part) {
    const SomeNodes* const some = free_.some_nodes(part);
    if (some == nullptr || some->pair.empty() || !is_together()) {
        return true;
    }
    const bool is_known =
        std::any_of(found_pairs_.begin(), found_pairs_.end(), [&](const SomeNodes* other) {
            return other->outer == some->outer && other->inside == some->inside;
        });
    found_pairs_.push_back(some);
    return !is_known;
}

// What is around a mesh is around its node.
std::uint32_t Finder::parent_of(std::uint32_t part) const {
    if (const SomeNodes* const some = free_.some_nodes(part)) {
        return some->outer;
    }
    const MeshPart* const mesh = free_.mesh_part(part);
    if (mesh == nullptr) {
        return cluster_.parts[part].parent;
    }
    std::uint32_t outer = cluster_.gpus[first_gpu_of(cluster_, mesh->node)].part;
    while (outer != domain::no_part && is_inside_node(cluster_.parts[outer])) {
        outer = cluster_.parts[outer].parent;
    }
    return outer;
}

// All that are free in the mesh, as other sets may exchange as much; in short time one best set.
std::vector<std::uint32_t> Finder::gpus_of(const MeshPart& mesh, Placing placing) const {
    const std::uint32_t first = first_gpu_of(cluster_, mesh.node);
    std::vector<std::uint32_t> gpus;
    for (std::uint32_t i = 0; i < domain::gpus_of_node(cluster_, mesh.node).size(); ++i) {
        const bool is_chosen =
            placing == Placing::quick ? (mesh.set >> i & 1U) != 0 : is_usable(first + i);
        if (is_chosen) {
            gpus.push_back(first + i);
        }
    }
    return gpus;
}

// Of a pair whose GPUs are priced each by itself, those of the two nodes; else of all nodes that
// are as fast inside, as a compact set takes two of them.
std::vector<std::uint32_t> Finder::gpus_of(const SomeNodes& some) const {
    std::vector<std::uint32_t> gpus;
    const GpuRange range = free_.range_of(some.outer);
    for (std::uint32_t gpu = range.first; gpu < range.end; ++gpu) {
        const std::uint32_t node = cluster_.gpus[gpu].node;
        const bool is_of_pair =
            some.pair.empty() || is_together() ||
            std::find(some.pair.begin(), some.pair.end(), node) != some.pair.end();
        if (is_of_pair && is_usable(gpu) &&
            inner_part(cluster_, cluster_.gpus[gpu].part, some.outer) != domain::no_part &&
            is_as_fast(link_inside_node(cluster_, gpu), some.inside)) {
            gpus.push_back(gpu);
        }
    }
    return gpus;
}

void Finder::find_spots_around(std::uint32_t part, std::vector<std::size_t>& around) const {
    around.clear();
    for (; part != domain::no_part; part = cluster_.parts[part].parent) {
        if (spot_of_[part] != nowhere) {
            around.push_back(spot_of_[part]);
        }
    }
}

// By device; where each GPU is priced by itself.
const std::vector<Seconds>& Finder::device_steps(const LinkClasses& link) {
    const auto [at, is_new] = device_steps_.try_emplace(&link);
    if (is_new && is_together()) {
        at->second = pricing_.step_times(pricing_.share_of(point_.size.members()), exchange(link));
    }
    return at->second;
}

bool Finder::is_eligible(std::uint32_t gpu, const std::vector<Seconds>& device_steps) const {
    const domain::Gpu& one = cluster_.gpus[gpu];
    return !is_together() || pricing_.price(device_steps[one.device],
                                            cluster_.nodes[one.node].overhead) <= point_.price;
}

void Finder::keep_eligible(Spot& spot) {
    const std::vector<Seconds>& steps = device_steps(*spot.link);
    std::erase_if(spot.gpus, [&](std::uint32_t gpu) { return !is_eligible(gpu, steps); });
}

// Nodes with so many GPUs, after which no others are taken in short time (pick.hpp): in layout any
// as many as a set would be on if all were as full as the fullest.
Size Finder::first_enough() const {
    if (pricing_.request().layout == domain::Layout::uniform) {
        return point_.size;
    }
    const std::uint32_t most = free_.most_in_a_node();
    return {(point_.size.members() + most - 1) / most, most};
}

void Finder::collect_gpus(std::vector<Spot>& spots, Placing placing) {
    GpuRange range{static_cast<std::uint32_t>(cluster_.gpus.size()), 0};
    std::vector<const std::vector<Seconds>*> steps;  // by spot
    for (const Spot& spot : spots) {
        range.first = std::min(range.first, free_.range_of(spot.part).first);
        range.end = std::max(range.end, free_.range_of(spot.part).end);
        steps.push_back(&device_steps(*spot.link));
    }
    const bool are_first_enough = placing == Placing::quick && is_together();
    const Size enough = first_enough();
    UnitCount units(enough.each);
    const domain::Gpu* before = nullptr;  // mostly alike the next one
    std::vector<std::size_t> taking;      // the spots that it belongs to
    for (std::uint32_t gpu = range.first; gpu < range.end; ++gpu) {
        if (!is_usable(gpu)) {
            continue;
        }
        const domain::Gpu& one = cluster_.gpus[gpu];
        if (before == nullptr || !are_priced_alike(*before, one)) {
            find_spots_around(one.part, taking);
            std::erase_if(taking,
                          [&](std::size_t spot) { return !is_eligible(gpu, *steps[spot]); });
        }
        before = &one;
        for (const std::size_t spot : taking) {
            spots[spot].gpus.push_back(gpu);
            units.add(one.node);
        }
        if (are_first_enough && units.count() == enough.units) {
            return;
        }
    }
}

}  // namespace

std::vector<Spot> find_spots(Pricing& pricing, const FreeGpus& free, const Point& point,
                             Placing placing) {
    return Finder(pricing, free, point).find(placing);
}

}  // namespace hora::plan
