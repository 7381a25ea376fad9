// Mode balanced: which shares in proportion to speed make the slowest member fastest?
//
// For a part and a number of units, a deadline can be kept if the units that manage the most
// samples within it manage the batch together (and each at least one). What a unit manages never
// falls with the deadline, and rises only where one of its GPUs finishes one more sample: the
// smallest deadline is one of those moments, and is found by halving what is left of them. A range
// of sizes is discarded at once if even the exchange of its smallest and the units of its largest
// could not beat the best known: branch and bound, exact.
#include <algorithm>
#include <optional>

#include "libplanner/plan/price/alike_units.hpp"
#include "libplanner/plan/price/balanced.hpp"
#include "libplanner/plan/price/curve.hpp"
#include "libplanner/plan/price/field.hpp"

namespace hora::plan {

namespace {

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
    Search(const Pricing& pricing, bool only_fastest)
        : pricing_(pricing), only_fastest_(only_fastest) {}

    void explore(Field& field, const PartClass& part, const Range& range) {
        const Point known = known_at(range);
        if (!field.may_keep(range, beaten(known, range))) {
            return;
        }
        if (range.first == range.last) {
            note({domain::Mode::balanced,
                  {range.first, range.each},
                  smallest_deadline(field, part, range, known.price),
                  0});
            return;
        }
        const std::uint64_t middle = range.first + (range.last - range.first) / 2;
        explore(field, part, {range.first, middle, range.each});
        explore(field, part, {middle + 1, range.last, range.each});
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
    // What a set of the range has to beat.
    Point known_at(const Range& range) const {
        if (only_fastest_) {
            return best_;
        }
        const std::uint64_t members = range.first * range.each;
        return range.first == range.last && members < points_.size() ? points_[members] : Point();
    }

    // A smaller set, or one of as many GPUs in fewer units, may equal it; any other has to beat it.
    static Price beaten(const Point& known, const Range& range) {
        const Size smallest{range.first, range.each};
        return smallest.order() < known.size.order() ? known.price : just_below(known.price);
    }

    Price smallest_deadline(Field& field, const PartClass& part, const Range& range, Price known) {
        const double time = field.smallest_time(range, known.time);
        if (pricing_.request().steps()) {
            return {time, 0};
        }
        const std::vector<double> overheads = overheads_of(part);
        const auto tie =
            std::partition_point(overheads.begin(), overheads.end(), [&](double overhead) {
                return !field.may_keep(range, {time, overhead});
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

    const Pricing& pricing_;
    bool only_fastest_;
    Point best_;
    std::vector<Point> points_;  // by members
};

// Ranges of sizes without gaps, of one number of GPUs that a unit gives each.
std::vector<Range> ranges_of(const std::vector<Size>& sizes) {
    std::vector<Range> ranges;
    for (const Size& size : sizes) {
        const auto same = std::find_if(ranges.begin(), ranges.end(), [&](const Range& range) {
            return range.each == size.each && range.last + 1 == size.units;
        });
        if (same == ranges.end()) {
            ranges.push_back({size.units, size.units, size.each});
        } else {
            same->last = size.units;
        }
    }
    return ranges;
}

// Those of the range that the part has; there are as many units as the smallest of them takes.
std::optional<Range> sizes_in(const PartClass& part, const Range& range) {
    const Range all{range.first, std::min(range.last, part.units), range.each};
    if (part.only == 0) {
        return all;
    }
    const std::uint64_t units = part.only / range.each;
    const bool is_there = part.suits(units * range.each) && all.first <= units && units <= all.last;
    return is_there ? std::optional(Range{units, units, range.each}) : std::nullopt;
}

}  // namespace

bool can_keep(Pricing& pricing, const FreeGpus& free, const LinkClasses& link,
              const PartClass& part, const Size& size, Price deadline) {
    return part.units >= size.units && part.suits(size.members()) &&
           Field(pricing, free, link, part).may_keep({size.units, size.units, size.each}, deadline);
}

std::vector<Point> balanced_curve(Pricing& pricing, const FreeGpus& free, bool only_fastest) {
    Search search(pricing, only_fastest);
    UnitClasses classes(pricing, free);
    for (const Range& range : ranges_of(sizes_of_several(pricing, free, Sizes::all))) {
        for (const LinkClasses& link : classes.of(range.each)) {
            for (const PartClass& part : link.classes) {
                if (part.units < range.first) {
                    break;
                }
                if (const auto sizes = sizes_in(part, range)) {
                    Field field(pricing, free, link, part);
                    search.explore(field, part, *sizes);
                }
            }
        }
    }
    return search.curve();
}

}  // namespace hora::plan
