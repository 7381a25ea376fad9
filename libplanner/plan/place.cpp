// Which GPUs exactly make up the best set of a size, and with which shares?
#include "libplanner/plan/place.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "libplanner/plan/async.hpp"
#include "libplanner/plan/balanced.hpp"
#include "libplanner/plan/pick.hpp"

namespace hora::plan {

namespace {

// A part in which the point's price is reached.
struct Spot {
    std::uint32_t part = 0;
    const LinkClasses* link = nullptr;
    const PartClass* in = nullptr;
    std::vector<std::uint32_t> gpus;  // free ones, ascending
};

// The GPUs chosen, ascending; balanced: with the most samples that each manages in time.
struct Choice {
    std::vector<std::uint32_t> gpus;
    std::vector<std::uint64_t> limits;
};

class Placer {
  public:
    Placer(Pricing& pricing, const FreeGpus& free, const Point& point)
        : pricing_(pricing), cluster_(pricing.cluster()), free_(free), point_(point) {}

    Choice best(Placing placing) {
        Choice best;
        for (const Spot& spot : spots(placing)) {
            Choice choice = choose(spot);
            if (best.gpus.empty() || is_better(choice, best)) {
                best = std::move(choice);
            }
        }
        return best;
    }

  private:
    bool is_better(const Choice& a, const Choice& b) const {
        const auto key = [&](const Choice& choice) {
            return std::pair{count_nodes(cluster_, choice.gpus),
                             !is_uniform(cluster_, choice.gpus)};
        };
        return std::pair{key(a), a.gpus} < std::pair{key(b), b.gpus};
    }

    Seconds overhead(std::uint32_t gpu) const {
        return cluster_.nodes[cluster_.gpus[gpu].node].overhead;
    }
    Seconds exchange(const LinkClasses& link) const {
        return pricing_.exchange(point_.size.members(), link.link);
    }
    bool is_by_node() const { return pricing_.request().layout == domain::Layout::uniform; }

    std::vector<Seconds> steps_of(const LinkClasses& link) {
        const std::uint64_t share = pricing_.share_of(point_.size.members());
        return unit_steps(pricing_, free_, point_.size.each, share, exchange(link));
    }

    bool reaches(const LinkClasses& link, const PartClass& part,
                 const std::vector<Seconds>& steps) {
        if (part.units < point_.size.units) {
            return false;
        }
        if (point_.mode == domain::Mode::async) {
            return reaches_async(pricing_, free_, link, part, point_);
        }
        if (point_.mode == domain::Mode::balanced) {
            return can_keep(pricing_, free_, link, part, point_.size, point_.price);
        }
        return units_within(pricing_, part, steps, point_.price) >= point_.size.units;
    }

    // Small parts come first, so that a quick placing looks at few GPUs.
    std::vector<Spot> spots(Placing placing) {
        std::vector<Spot> found;
        const auto links = free_.links();
        for (auto at = links.rbegin(); at != links.rend(); ++at) {
            const LinkClasses& link = *at;
            const std::vector<Seconds> steps = steps_of(link);
            for (auto in = link.classes.rbegin(); in != link.classes.rend(); ++in) {
                const PartClass& part = *in;
                if (!reaches(link, part, steps)) {
                    continue;
                }
                for (const std::uint32_t index : part.parts) {
                    found.push_back({index, &link, &part, {}});
                    if (placing == Placing::quick) {
                        collect_gpus(found);
                        return found;
                    }
                }
            }
        }
        collect_gpus(found);
        return found;
    }

    void collect_gpus(std::vector<Spot>& spots) const {
        constexpr std::size_t nowhere = ~std::size_t{0};
        std::vector<std::size_t> spot_of(cluster_.parts.size(), nowhere);
        for (std::size_t i = 0; i < spots.size(); ++i) {
            spot_of[spots[i].part] = i;
        }
        GpuRange range{static_cast<std::uint32_t>(cluster_.gpus.size()), 0};
        for (const Spot& spot : spots) {
            range.first = std::min(range.first, free_.range_of(spot.part).first);
            range.end = std::max(range.end, free_.range_of(spot.part).end);
        }
        for (std::uint32_t gpu = range.first; gpu < range.end; ++gpu) {
            if (!cluster_.gpus[gpu].is_free ||
                pricing_.largest_share(cluster_.gpus[gpu].device) == 0) {
                continue;
            }
            for (std::uint32_t part = cluster_.gpus[gpu].part; part != domain::no_part;
                 part = cluster_.parts[part].parent) {
                if (spot_of[part] != nowhere) {
                    spots[spot_of[part]].gpus.push_back(gpu);
                }
            }
        }
    }

    Choice choose(const Spot& spot) {
        if (point_.mode == domain::Mode::balanced) {
            return choose_balanced(spot);
        }
        if (point_.mode == domain::Mode::async) {
            return choose_asynchronous(spot);
        }
        const std::uint64_t share = pricing_.share_of(point_.size.members());
        std::vector<Seconds> steps;  // by device: many GPUs share few
        for (std::uint32_t device = 0; device < cluster_.devices.size(); ++device) {
            steps.push_back(pricing_.step_time(device, share, exchange(*spot.link)));
        }
        std::vector<std::uint32_t> eligible;
        for (const std::uint32_t gpu : spot.gpus) {
            const Seconds step = steps[cluster_.gpus[gpu].device];
            if (pricing_.price(step, overhead(gpu)) <= point_.price) {
                eligible.push_back(gpu);
            }
        }
        const Size& size = point_.size;
        return {is_by_node() ? pick_uniform(cluster_, eligible, size.units, size.each)
                             : pick_compact(cluster_, eligible, size.units),
                {}};
    }

    // GPUs of the spot unit by unit: one by one, or node by node.
    std::vector<std::vector<std::uint32_t>> units_of(const Spot& spot) const {
        std::vector<std::vector<std::uint32_t>> units;
        for (const std::uint32_t gpu : spot.gpus) {
            if (!is_by_node() || units.empty() ||
                cluster_.gpus[units.back().front()].node != cluster_.gpus[gpu].node) {
                units.emplace_back();
            }
            units.back().push_back(gpu);
        }
        return units;
    }

    // Keeps the `each` GPUs of a unit that manage most, and says how much that is.
    std::uint64_t keep_ablest(std::vector<std::uint32_t>& unit, const LinkClasses& link) {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> able;
        for (const std::uint32_t gpu : unit) {
            able.emplace_back(limit(gpu, link), gpu);
        }
        std::stable_sort(able.begin(), able.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        std::uint64_t total = 0;
        const std::uint32_t each = point_.size.each;
        if (able.size() < each || able[each - 1].first == 0) {
            return 0;
        }
        unit.clear();
        for (std::uint32_t i = 0; i < each; ++i) {
            total += able[i].first;
            unit.push_back(able[i].second);
        }
        return total;
    }

    std::uint64_t limit(std::uint32_t gpu, const LinkClasses& link) {
        const std::uint32_t device = cluster_.gpus[gpu].device;
        const auto [at, is_new] = limits_.try_emplace({&link, device, overhead(gpu).count()}, 0);
        if (is_new) {
            at->second = pricing_.share_within(point_.price, device, overhead(gpu), exchange(link),
                                               pricing_.all_shares(device));
        }
        return at->second;
    }

    Choice choose_balanced(const Spot& spot) {
        auto units = units_of(spot);
        std::vector<std::pair<std::uint64_t, std::size_t>> ablest;
        for (std::size_t i = 0; i < units.size(); ++i) {
            ablest.emplace_back(keep_ablest(units[i], *spot.link), i);
        }
        std::stable_sort(ablest.begin(), ablest.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        Choice choice;
        for (std::size_t i = 0; i < point_.size.units; ++i) {
            const auto& unit = units[ablest[i].second];
            choice.gpus.insert(choice.gpus.end(), unit.begin(), unit.end());
        }
        std::sort(choice.gpus.begin(), choice.gpus.end());
        for (const std::uint32_t gpu : choice.gpus) {
            choice.limits.push_back(limit(gpu, *spot.link));
        }
        return choice;
    }

    Choice choose_asynchronous(const Spot& spot) {
        const AsyncChoice async = choose_async(pricing_, free_, *spot.link, *spot.in, point_.size);
        const std::uint64_t share = pricing_.share_of(point_.size.members());
        Choice choice;
        for (const AsyncChoice::Taken& taken : async.taken) {
            const Shape& shape = free_.shapes()[taken.shape];
            const Shape wanted =
                slower_gpus(pricing_, shape, point_.size.each, share, async.fastest);
            std::vector<std::uint32_t> eligible;
            for (const auto& unit : units_of(spot)) {
                if (overhead(unit.front()) <= async.overhead && shape_of(cluster_, unit) == shape) {
                    keep(eligible, unit, wanted);
                }
            }
            if (taken.units > 0) {
                const auto picked =
                    is_by_node() ? pick_uniform(cluster_, eligible, taken.units, point_.size.each)
                                 : pick_compact(cluster_, eligible, taken.units);
                choice.gpus.insert(choice.gpus.end(), picked.begin(), picked.end());
            }
        }
        std::sort(choice.gpus.begin(), choice.gpus.end());
        return choice;
    }

    // Appends the first GPUs of the unit that make up the wanted shape.
    void keep(std::vector<std::uint32_t>& eligible, const std::vector<std::uint32_t>& unit,
              Shape wanted) const {
        for (const std::uint32_t gpu : unit) {
            for (Kind& kind : wanted) {
                if (kind.device == cluster_.gpus[gpu].device && kind.count > 0) {
                    --kind.count;
                    eligible.push_back(gpu);
                }
            }
        }
    }

    Pricing& pricing_;
    const domain::Cluster& cluster_;
    const FreeGpus& free_;
    const Point& point_;
    // Balanced: what a GPU manages; many GPUs share few.
    std::map<std::tuple<const LinkClasses*, std::uint32_t, double>, std::uint64_t> limits_;
};

// As equal as the limits allow would waste the fast ones: in proportion to the limits, which are
// what each manages in the same time. The limits sum to the batch at least.
std::vector<std::uint64_t> shares_within(const std::vector<std::uint64_t>& limits,
                                         std::uint64_t batch) {
    double total = 0;
    for (const std::uint64_t limit : limits) {
        total += static_cast<double>(limit);
    }
    std::vector<std::uint64_t> shares;
    std::uint64_t given = 0;
    for (const std::uint64_t limit : limits) {
        const double exact = static_cast<double>(limit) * static_cast<double>(batch) / total;
        const auto share = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(exact), 1, limit);
        shares.push_back(share);
        given += share;
    }
    for (std::size_t i = 0; given != batch; i = (i + 1) % shares.size()) {
        if (given < batch && shares[i] < limits[i]) {
            ++shares[i];
            ++given;
        } else if (given > batch && shares[i] > 1) {
            --shares[i];
            --given;
        }
    }
    return shares;
}

}  // namespace

std::vector<domain::Member> place(Pricing& pricing, const FreeGpus& free, const Point& point,
                                  Placing placing) {
    const Choice choice = Placer(pricing, free, point).best(placing);
    const std::uint64_t batch = pricing.request().batch;
    const std::size_t count = choice.gpus.size();
    std::vector<domain::Member> members;
    if (!choice.limits.empty()) {
        const std::vector<std::uint64_t> shares = shares_within(choice.limits, batch);
        for (std::size_t i = 0; i < count; ++i) {
            members.push_back({choice.gpus[i], shares[i]});
        }
        return members;
    }
    for (std::size_t i = 0; i < count; ++i) {
        members.push_back({choice.gpus[i], batch / count + (i < batch % count ? 1 : 0)});
    }
    return members;
}

std::uint32_t spanning_part(const domain::Cluster& cluster,
                            const std::vector<domain::Member>& members) {
    std::uint32_t common = cluster.gpus[members.front().gpu].part;
    for (const domain::Member& member : members) {
        std::uint32_t other = cluster.gpus[member.gpu].part;
        while (common != other) {
            (common > other ? common : other) = cluster.parts[std::max(common, other)].parent;
        }
    }
    return common;
}

}  // namespace hora::plan
