// Which GPUs exactly make up the best set of a size, and with which shares?
#include "libplanner/plan/place.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "libplanner/plan/pick.hpp"
#include "libplanner/plan/price/async.hpp"
#include "libplanner/plan/price/shares.hpp"
#include "libplanner/plan/price/spots.hpp"

namespace hora::plan {

namespace {

// Balanced: with the most samples that each manages in time.
struct Choice {
    Pick pick;
    std::vector<std::uint64_t> limits;
};

class Placer {
  public:
    Placer(Pricing& pricing, const FreeGpus& free, const Point& point)
        : pricing_(pricing), cluster_(pricing.cluster()), free_(free), point_(point) {}

    Choice best(Placing placing) {
        fits_ = placing == Placing::thorough ? &own_fits_ : nullptr;
        Choice best;
        Spot from;
        for (Spot& spot : find_spots(pricing_, free_, point_, placing)) {
            Choice choice = choose(spot);
            if (best.pick.gpus.empty() || choice.pick.is_better(best.pick)) {
                best = std::move(choice);
                from = std::move(spot);
            }
        }
        const bool is_together =
            point_.mode == domain::Mode::independent || point_.mode == domain::Mode::sync;
        if (fits_ != nullptr && !is_together) {
            best.pick.gpus = closer_together(best.pick.gpus, from.gpus);
        }
        return best;
    }

  private:
    Seconds overhead(std::uint32_t gpu) const {
        return cluster_.nodes[cluster_.gpus[gpu].node].overhead;
    }
    Seconds exchange(const LinkClasses& link) const {
        return pricing_.exchange(link.exchanging(point_.size.units, point_.size.each));
    }
    bool is_by_node() const { return pricing_.request().layout == domain::Layout::uniform; }

    Choice choose(const Spot& spot) {
        if (point_.mode == domain::Mode::balanced) {
            return choose_balanced(spot);
        }
        if (point_.mode == domain::Mode::async) {
            return choose_asynchronous(spot);
        }
        const Size& size = point_.size;
        return {is_by_node() ? pick_uniform(cluster_, fits_, spot.gpus, size.units, size.each)
                             : pick_compact(cluster_, fits_, spot.gpus, size.units),
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
        std::vector<std::uint32_t> gpus;
        for (std::size_t i = 0; i < point_.size.units; ++i) {
            const auto& unit = units[ablest[i].second];
            gpus.insert(gpus.end(), unit.begin(), unit.end());
        }
        std::sort(gpus.begin(), gpus.end());
        Choice choice{count_nodes(cluster_, std::move(gpus)), {}};
        for (const std::uint32_t gpu : choice.pick.gpus) {
            choice.limits.push_back(limit(gpu, *spot.link));
        }
        return choice;
    }

    Choice choose_asynchronous(const Spot& spot) {
        const AsyncChoice async = choose_async(pricing_, free_, *spot.link, *spot.in, point_.size);
        const std::uint64_t share = pricing_.share_of(point_.size.members());
        std::vector<std::uint32_t> gpus;
        for (const AsyncChoice::Taken& taken : async.taken) {
            const Shape& shape = free_.shapes()[taken.shape];
            const Shape wanted =
                slower_gpus(pricing_, shape, point_.size.each, share, async.fastest);
            std::vector<std::uint32_t> eligible;
            for (const auto& unit : units_of(spot)) {
                const bool is_of_shape = spot.in->only != 0 || shape_of(cluster_, unit) == shape;
                if (overhead(unit.front()) <= async.overhead && is_of_shape) {
                    keep(eligible, unit, wanted);
                }
            }
            if (taken.units > 0) {
                const Pick pick =
                    is_by_node()
                        ? pick_uniform(cluster_, nullptr, eligible, taken.units, point_.size.each)
                        : pick_compact(cluster_, nullptr, eligible, taken.units);
                gpus.insert(gpus.end(), pick.gpus.begin(), pick.gpus.end());
            }
        }
        std::sort(gpus.begin(), gpus.end());
        return {count_nodes(cluster_, std::move(gpus)), {}};
    }

    // On each node whose GPUs are all of one type, as many that lie closer together.
    std::vector<std::uint32_t> closer_together(std::span<const std::uint32_t> chosen,
                                               std::span<const std::uint32_t> from) {
        std::vector<std::uint32_t> gpus;
        const std::vector<OnNode> nodes = by_node(cluster_, chosen);
        const Closeness closeness =
            nodes.size() == 1 ? Closeness::of_all : Closeness::inside_one_of_several;
        for (const auto& taken : nodes) {
            const auto [first, end] = std::equal_range(
                from.begin(), from.end(), taken.front(), [&](std::uint32_t a, std::uint32_t b) {
                    return cluster_.gpus[a].node < cluster_.gpus[b].node;
                });
            const std::span<const std::uint32_t> there(first, end);
            const bool are_alike = shape_of(cluster_, there).size() == 1;
            const auto kept = are_alike ? nearest(*fits_, closeness, there, taken.size())
                                        : std::vector(taken.begin(), taken.end());
            gpus.insert(gpus.end(), kept.begin(), kept.end());
        }
        return gpus;
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
    NodeFits own_fits_{cluster_};
    NodeFits* fits_ = nullptr;  // null: in short time
    // Balanced: what a GPU manages; many GPUs share few.
    std::map<std::tuple<const LinkClasses*, std::uint32_t, double>, std::uint64_t> limits_;
};

}  // namespace

std::vector<domain::Member> place(Pricing& pricing, const FreeGpus& free, const Point& point,
                                  Placing placing) {
    const Choice choice = Placer(pricing, free, point).best(placing);
    const std::uint64_t batch = pricing.request().batch;
    const std::size_t count = choice.pick.gpus.size();
    std::vector<domain::Member> members;
    if (!choice.limits.empty()) {
        const std::vector<std::uint64_t> shares = shares_within(choice.limits, batch);
        for (std::size_t i = 0; i < count; ++i) {
            members.push_back({choice.pick.gpus[i], shares[i]});
        }
        return members;
    }
    for (std::size_t i = 0; i < count; ++i) {
        members.push_back({choice.pick.gpus[i], batch / count + (i < batch % count ? 1 : 0)});
    }
    return members;
}

}  // namespace hora::plan
