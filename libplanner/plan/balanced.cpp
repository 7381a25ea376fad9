// Mode balanced: which shares in proportion to speed make the slowest member fastest?
//
// For a part and a number of units, a deadline can be kept if the units that manage the most
// samples within it manage the batch together (and each at least one). What a unit manages never
// falls with the deadline, so the smallest deadline is found by bisection down to the last bit of
// the double. A range of sizes is discarded at once if even the exchange of its smallest and the
// units of its largest could not beat the best known: branch and bound, exact.
#include <algorithm>
#include <bit>
#include <limits>

#include "libplanner/plan/balanced.hpp"
#include "libplanner/plan/curve.hpp"

namespace hora::plan {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Offer {
    std::uint64_t samples;
    std::uint64_t units;
};

// Sizes from `first` to `last` units; all of them when the two are equal.
struct Range {
    std::uint64_t first;
    std::uint64_t last;
    std::uint32_t each;
};

// Could some size in the range train the batch within the deadline? Exact for a single size.
bool may_keep(Pricing& pricing, const FreeGpus& free, const LinkClasses& link,
              const PartClass& part, const Range& range, Price deadline) {
    const Seconds exchange = pricing.exchange(range.first * range.each, link.link);
    std::vector<Offer> offers;
    std::uint64_t able = 0;
    for (const Group& group : part.groups) {
        std::uint64_t before = 0;
        for (const Run& run : group.runs) {
            const std::uint64_t samples = samples_within(
                pricing, free.shapes()[group.shape], range.each, deadline, run.overhead, exchange);
            if (samples == 0 || before >= range.last) {
                break;
            }
            offers.push_back({samples, run.upto - before});
            able += run.upto - before;
            before = run.upto;
        }
    }
    if (able < range.first) {
        return false;
    }
    std::sort(offers.begin(), offers.end(),
              [](const Offer& a, const Offer& b) { return a.samples > b.samples; });
    std::uint64_t missing = pricing.request().batch;
    std::uint64_t left = range.last;
    for (const Offer& offer : offers) {
        const std::uint64_t units = std::min(offer.units, left);
        if (offer.samples >= ceil_share(missing, units)) {
            return true;
        }
        missing -= offer.samples * units;
        left -= units;
        if (left == 0) {
            break;
        }
    }
    return false;
}

// Overheads of the units, each once, ascending.
std::vector<double> overheads_of(const PartClass& part) {
    std::vector<double> all;
    for (const Group& group : part.groups) {
        for (const Run& run : group.runs) {
            all.push_back(run.overhead.count());
        }
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

class Search {
  public:
    Search(Pricing& pricing, const FreeGpus& free, bool only_fastest)
        : pricing_(pricing), free_(free), only_fastest_(only_fastest) {}

    void explore(const LinkClasses& link, const PartClass& part, const Range& range) {
        const Price goal = only_fastest_ ? best_.price : price_at(range);
        if (!may_keep(pricing_, free_, link, part, range, beaten(goal, range))) {
            return;
        }
        if (range.first == range.last) {
            note({domain::Mode::balanced,
                  {range.first, range.each},
                  smallest_deadline(link, part, range, goal),
                  0});
            return;
        }
        const std::uint64_t middle = range.first + (range.last - range.first) / 2;
        explore(link, part, {range.first, middle, range.each});
        explore(link, part, {middle + 1, range.last, range.each});
    }

    std::vector<Point> curve() const {
        std::vector<Point> curve;
        if (only_fastest_) {
            keep_better(curve, best_);
        }
        for (const Point& point : points_) {
            keep_better(curve, point);
        }
        return curve;
    }

  private:
    Price price_at(const Range& range) const {
        const std::uint64_t members = range.first * range.each;
        return range.first == range.last && members < points_.size() ? points_[members].price
                                                                     : Price{};
    }

    // A smaller set may equal the goal, a larger one has to beat it.
    Price beaten(Price goal, const Range& range) const {
        const bool is_smaller = only_fastest_ && range.first * range.each < best_.size.members();
        return is_smaller ? goal : just_below(goal);
    }

    Price smallest_deadline(const LinkClasses& link, const PartClass& part, const Range& range,
                            Price known) {
        const auto keeps = [&](Price deadline) {
            return may_keep(pricing_, free_, link, part, range, deadline);
        };
        auto high = std::bit_cast<std::uint64_t>(known.time);
        std::uint64_t low = 0;  // too short: no step takes no time
        while (low + 1 < high) {
            const std::uint64_t middle = low + (high - low) / 2;
            (keeps({std::bit_cast<double>(middle), infinity}) ? high : low) = middle;
        }
        const auto time = std::bit_cast<double>(high);
        if (pricing_.request().steps()) {
            return {time, 0};
        }
        const std::vector<double> overheads = overheads_of(part);
        const auto tie =
            std::partition_point(overheads.begin(), overheads.end(), [&](double overhead) {
                return !keeps({time, overhead});
            });
        return {time, tie == overheads.end() ? overheads.back() : *tie};
    }

    void note(const Point& point) {
        if (only_fastest_) {
            best_ = point;
            return;
        }
        const std::uint64_t members = point.size.members();
        if (points_.size() <= members) {
            points_.resize(members + 1);
        }
        points_[members] = point;
    }

    Pricing& pricing_;
    const FreeGpus& free_;
    bool only_fastest_;
    Point best_;
    std::vector<Point> points_;  // by members
};

// Ranges of sizes, one for each number of GPUs that a unit gives.
std::vector<Range> ranges_of(const std::vector<Size>& sizes) {
    std::vector<Range> ranges;
    for (const Size& size : sizes) {
        const auto same = std::find_if(ranges.begin(), ranges.end(),
                                       [&](const Range& range) { return range.each == size.each; });
        if (same == ranges.end()) {
            ranges.push_back({size.units, size.units, size.each});
        } else {
            same->last = size.units;
        }
    }
    return ranges;
}

}  // namespace

bool can_keep(Pricing& pricing, const FreeGpus& free, const LinkClasses& link,
              const PartClass& part, const Size& size, Price deadline) {
    return part.units >= size.units &&
           may_keep(pricing, free, link, part, {size.units, size.units, size.each}, deadline);
}

std::uint64_t ceil_share(std::uint64_t samples, std::uint64_t units) {
    return samples / units + (samples % units != 0 ? 1 : 0);
}

std::uint64_t samples_within(Pricing& pricing, const Shape& shape, std::uint32_t each,
                             Price deadline, Seconds overhead, Seconds exchange) {
    if (each == 1 && shape.size() == 1) {
        return pricing.share_within(deadline, shape[0].device, overhead, exchange);
    }
    std::vector<Offer> offers;
    for (const Kind& kind : shape) {
        const std::uint64_t samples =
            pricing.share_within(deadline, kind.device, overhead, exchange);
        if (samples > 0) {
            offers.push_back({samples, kind.count});
        }
    }
    std::sort(offers.begin(), offers.end(),
              [](const Offer& a, const Offer& b) { return a.samples > b.samples; });
    std::uint64_t total = 0;
    std::uint64_t left = each;
    for (const Offer& offer : offers) {
        const std::uint64_t taken = std::min(offer.units, left);
        total += offer.samples * taken;
        left -= taken;
    }
    return left == 0 ? total : 0;
}

std::vector<Point> balanced_curve(Pricing& pricing, const FreeGpus& free, bool only_fastest) {
    Search search(pricing, free, only_fastest);
    for (const Range& range : ranges_of(sizes_of_several(pricing, free, Sizes::all))) {
        for (const LinkClasses& link : free.links()) {
            for (const PartClass& part : link.classes) {
                if (part.units < range.first) {
                    break;
                }
                search.explore(link, part,
                               {range.first, std::min(range.last, part.units), range.each});
            }
        }
    }
    return search.curve();
}

}  // namespace hora::plan
