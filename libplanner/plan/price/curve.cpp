// In each mode, what does the best set of each size cost?
//
// Modes independent and sync, exactly and without enumeration:
// - A set's members in one part pay one link, so each has its price whichever the others are, and
//   the set costs the largest of them: the best n are the n cheapest, and the cost is the n-th
//   smallest price of the part. A set inside a smaller part is found there, at its faster link.
//   In a mesh the GPUs are alike, so of each size only the set that exchanges most can be best.
// - On how many nodes a set is matters where it is two: layout uniform knows it of each size, in
//   layout any the best pairs of a part's nodes are parts of their own. What is inside the nodes
//   matters as well, so the nodes of a part that are faster there count by themselves, too. Where
//   nodes differ inside in more ways than some_nodes.hpp says, that is not exact.
// - In layout uniform, nodes with one type of GPU and enough of it count as one shape
//   (alike_units.hpp).
// - Units of one shape differ by overhead alone, and their prices rise with it: the n-th smallest
//   of G sorted lists of R runs takes O(G^2 log^2 R), and R = 1 before any history.
// - Among all n with the same ceil(batch / n) the smallest is the fastest, since every exchange
//   grows with n: at most 2 sqrt(batch) sizes. Not so inside a mesh, where more GPUs may exchange
//   faster than fewer: there each size is tried.
// So P different parts and S sizes cost O(P S G^2 log^2 R), after O(GPUs * depth of the tree) to
// count them, and in layout uniform O(P G R log(G R)) for each number of GPUs a node.
#include "libplanner/plan/price/curve.hpp"

#include <algorithm>
#include <limits>

#include "libplanner/plan/price/alike_units.hpp"

namespace hora::plan {

namespace {

constexpr Seconds never(std::numeric_limits<double>::infinity());

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    return a / b + (a % b != 0 ? 1 : 0);
}

// The smallest number of members with a smaller share, or none.
std::uint64_t next_members(const domain::Request& request, std::uint64_t members,
                           std::uint64_t share) {
    return share > 1 ? std::max(members + 1, ceil_div(request.batch, share - 1))
                     : std::numeric_limits<std::uint64_t>::max();
}

// Step of the `each`-th fastest GPU of a shape: it is the one that a unit waits for.
Seconds unit_step(std::span<const Seconds> by_device, const Shape& shape, std::uint32_t each) {
    if (shape.size() == 1) {
        return shape[0].count >= each ? by_device[shape[0].device] : never;
    }
    std::vector<std::pair<Seconds, std::uint32_t>> steps;
    for (const Kind& kind : shape) {
        steps.emplace_back(by_device[kind.device], kind.count);
    }
    std::sort(steps.begin(), steps.end());
    std::uint32_t seen = 0;
    for (const auto& [step, count] : steps) {
        seen += count;
        if (seen >= each) {
            return step;
        }
    }
    return never;
}

// The price of the `wanted`-th cheapest unit; the class holds as many.
Price price_of_nth(const Pricing& pricing, const PartClass& part, std::span<const Seconds> steps,
                   std::uint64_t wanted) {
    Price best;
    for (const Group& group : part.groups) {
        const auto at =
            std::partition_point(group.runs.begin(), group.runs.end(), [&](const Run& run) {
                const Price price = pricing.price(steps[group.shape], run.overhead);
                return units_within(pricing, part, steps, price) < wanted;
            });
        if (at != group.runs.end()) {
            best = std::min(best, pricing.price(steps[group.shape], at->overhead));
        }
    }
    return best;
}

// The best price of a size over all parts with one link.
void improve(Price& best, Pricing& pricing, UnitSteps& unit_steps, const LinkClasses& link,
             const Size& size) {
    const std::uint64_t share = pricing.share_of(size.members());
    const Seconds exchange = pricing.exchange(link.exchanging(size.units, size.each));
    if (unit_steps.least_price(share, exchange) >= best) {
        return;
    }
    const std::span<const Seconds> steps = unit_steps.of(size.each, share, exchange);
    for (const PartClass& part : link.classes) {
        if (part.units < size.units) {
            break;
        }
        if (part.suits(size.members()) &&
            units_within(pricing, part, steps, just_below(best)) >= size.units) {
            best = price_of_nth(pricing, part, steps, size.units);
        }
    }
}

std::vector<Point> price_sizes(Pricing& pricing, const FreeGpus& free, domain::Mode mode,
                               std::span<const Size> sizes) {
    UnitClasses classes(pricing, free);
    UnitSteps steps(pricing, free);
    std::vector<Point> curve;
    for (const Size& size : sizes) {
        // Of as many members only what is better than the best so far is of interest.
        const bool is_known = !curve.empty() && curve.back().size.members() == size.members();
        Point point{mode, size, is_known ? curve.back().price : Price(), 0};
        for (const LinkClasses& link : classes.of(size.each)) {
            if (link.classes.front().units >= size.units) {
                improve(point.price, pricing, steps, link, size);
            }
        }
        keep_better(curve, point);
    }
    return curve;
}

}  // namespace

bool allows_one(const domain::Request& request) {
    const bool one_suits_layout = request.layout == domain::Layout::any ||
                                  (request.min_nodes <= 1 && request.max_nodes >= 1 &&
                                   request.gpus_per_node.value_or(1) == 1);
    return request.min_gpus <= 1 && request.max_gpus >= 1 && one_suits_layout &&
           is_allowed(request, 1);
}

bool is_allowed(const domain::Request& request, std::uint64_t members) {
    // Whole nodes are the layout's: each unit is one.
    return request.sizes.kind == domain::SizeRule::Kind::nodes ||
           (members <= domain::unlimited_gpus &&
            request.sizes.allows(static_cast<std::uint32_t>(members), 1));
}

std::vector<Size> sizes_of_several(const Pricing& pricing, const FreeGpus& free, Sizes which) {
    const domain::Request& request = pricing.request();
    const bool is_uniform = request.layout == domain::Layout::uniform;
    const std::uint64_t fewest = std::max<std::uint64_t>(2, request.min_gpus);
    const std::uint64_t most =
        std::min<std::uint64_t>({request.max_gpus, request.batch, free.total()});
    const std::uint32_t widest = is_uniform ? free.most_in_a_node() : 1;
    std::vector<Size> sizes;
    for (std::uint32_t each = 1; each <= widest; ++each) {
        if (is_uniform && request.gpus_per_node.value_or(each) != each) {
            continue;
        }
        const std::uint64_t last =
            is_uniform ? std::min<std::uint64_t>(most / each, request.max_nodes) : most;
        std::uint64_t units = ceil_div(fewest, each);
        if (is_uniform) {
            units = std::max<std::uint64_t>(units, request.min_nodes);
        }
        while (units <= last) {
            const Size size{units, each};
            pricing.limit().count();
            if (!is_allowed(request, size.members())) {
                ++units;
                continue;
            }
            sizes.push_back(size);
            const std::uint64_t next =
                next_members(request, size.members(), pricing.share_of(size.members()));
            const bool is_each = which == Sizes::all || size.members() < free.most_in_a_mesh();
            units = is_each ? units + 1 : std::max(units + 1, ceil_div(next, each));
        }
    }
    std::ranges::stable_sort(sizes, {}, &Size::order);
    return sizes;
}

std::vector<Point> independent_curve(Pricing& pricing, const FreeGpus& free) {
    if (!allows_one(pricing.request())) {
        return {};
    }
    const Size one[] = {{1, 1}};
    return price_sizes(pricing, free, domain::Mode::independent, one);
}

std::vector<Point> sync_curve(Pricing& pricing, const FreeGpus& free) {
    return price_sizes(pricing, free, domain::Mode::sync,
                       sizes_of_several(pricing, free, Sizes::smallest_of_each_share));
}

UnitSteps::UnitSteps(Pricing& pricing, const FreeGpus& free)
    : pricing_(pricing),
      free_(free),
      least_overhead_(never),
      by_device_(pricing.cluster().devices.size(), never),
      by_shape_(free.shapes().size()) {
    for (const domain::Node& node : pricing.cluster().nodes) {
        least_overhead_ = std::min(least_overhead_, node.overhead);
    }
    for (const Shape& shape : free.shapes()) {
        for (const Kind& kind : shape) {
            if (std::ranges::find(devices_, kind.device) == devices_.end()) {
                devices_.push_back(kind.device);
            }
        }
    }
}

std::span<const Seconds> UnitSteps::of(std::uint32_t each, std::uint64_t share, Seconds exchange) {
    for (const std::uint32_t device : devices_) {
        by_device_[device] = pricing_.step_time(device, share, exchange);
    }
    for (std::size_t shape = 0; shape < by_shape_.size(); ++shape) {
        by_shape_[shape] = unit_step(by_device_, free_.shapes()[shape], each);
    }
    return by_shape_;
}

Price UnitSteps::least_price(std::uint64_t share, Seconds exchange) {
    Seconds step = never;
    for (const std::uint32_t device : devices_) {
        step = std::min(step, pricing_.step_time_at_least(device, share, exchange));
    }
    return pricing_.price(step, least_overhead_);
}

std::uint64_t units_within(const Pricing& pricing, const PartClass& part,
                           std::span<const Seconds> steps, Price deadline) {
    std::uint64_t units = 0;
    for (const Group& group : part.groups) {
        const auto end =
            std::partition_point(group.runs.begin(), group.runs.end(), [&](const Run& run) {
                return pricing.price(steps[group.shape], run.overhead) <= deadline;
            });
        units += end == group.runs.begin() ? 0 : std::prev(end)->upto;
    }
    return units;
}

void keep_better(std::vector<Point>& curve, const Point& point) {
    if (point.price.time == std::numeric_limits<double>::infinity()) {
        return;
    }
    if (curve.empty() || curve.back().size.members() != point.size.members()) {
        curve.push_back(point);
    } else if (point.rank() < curve.back().rank()) {
        curve.back() = point;
    }
}

}  // namespace hora::plan
