// Which tour from a start through all other places and back is best, exactly?
//
// Both searches go over sets of visited places, a bit each. The first asks only whether a tour
// exists over the links that are at least so fast; a set's possible last places are one word, so a
// step is a few operations, and the threshold is found by bisection. The second is Held and Karp's:
// least cost of the way home from each (set, last place), over the links that are fast enough.
#include "libplanner/plan/ring/ring_search.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace hora::plan {
namespace {

using Set = std::uint32_t;

constexpr std::uint64_t no_way = std::numeric_limits<std::uint64_t>::max();

constexpr Set only(std::size_t place) {
    return Set{1} << place;
}

// The places of a set, ascending.
template <class Visit>
void for_each(Set set, Visit visit) {
    for (; set != 0; set &= set - 1) {
        visit(static_cast<std::size_t>(std::countr_zero(set)));
    }
}

// Links of at least a threshold.
struct Neighbours {
    std::vector<Set> of;  // by place
    Set of_start = 0;
};

Neighbours neighbours_at(const TourProblem& problem, Bandwidth threshold) {
    Neighbours neighbours{std::vector<Set>(problem.places, 0), 0};
    for (std::size_t a = 0; a < problem.places; ++a) {
        for (std::size_t b = 0; b < problem.places; ++b) {
            if (a != b && problem.bandwidths[a * problem.places + b] >= threshold) {
                neighbours.of[a] |= only(b);
            }
        }
        if (problem.start_bandwidths[a] >= threshold) {
            neighbours.of_start |= only(a);
        }
    }
    return neighbours;
}

bool has_tour(const Neighbours& neighbours, std::size_t places) {
    const Set all = only(places) - 1;
    std::vector<Set> last(std::size_t{all} + 1, 0);
    for_each(neighbours.of_start, [&](std::size_t place) { last[only(place)] = only(place); });
    for (Set visited = 1; visited <= all; ++visited) {
        Set next = 0;
        for_each(last[visited], [&](std::size_t place) { next |= neighbours.of[place]; });
        for_each(next & ~visited,
                 [&](std::size_t place) { last[visited | only(place)] |= only(place); });
    }
    return (last[all] & neighbours.of_start) != 0;
}

// The greatest threshold that leaves a tour; the least bandwidth of all leaves every tour.
Bandwidth best_bottleneck(const TourProblem& problem) {
    std::vector<Bandwidth> steps = problem.bandwidths;
    steps.insert(steps.end(), problem.start_bandwidths.begin(), problem.start_bandwidths.end());
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    const auto first_without =
        std::partition_point(steps.begin() + 1, steps.end(), [&](Bandwidth threshold) {
            return has_tour(neighbours_at(problem, threshold), problem.places);
        });
    return *(first_without - 1);
}

// Least cost of the rest of the tour from each (visited, last place).
class WaysHome {
  public:
    WaysHome(const TourProblem& problem, Neighbours neighbours)
        : problem_(problem),
          neighbours_(std::move(neighbours)),
          costs_((std::size_t{1} << problem.places) * problem.places, no_way) {
        const Set all = only(problem.places) - 1;
        for_each(neighbours_.of_start,
                 [&](std::size_t place) { at(all, place) = problem_.start_costs[place]; });
        for (Set visited = all - 1; visited > 0; --visited) {
            for_each(visited, [&](std::size_t last) { at(visited, last) = least(visited, last); });
        }
    }

    // The smallest next place that keeps the cost at its least.
    std::size_t next(Set visited, std::size_t last) const {
        const std::uint64_t wanted = cost(visited, last);
        Set places = neighbours_.of[last] & ~visited;
        while (via(visited, last, static_cast<std::size_t>(std::countr_zero(places))) != wanted) {
            places &= places - 1;
        }
        return static_cast<std::size_t>(std::countr_zero(places));
    }

    std::size_t first() const {
        std::size_t best = 0;
        std::uint64_t least = no_way;
        for_each(neighbours_.of_start, [&](std::size_t place) {
            const std::uint64_t rest = cost(only(place), place);
            if (rest != no_way && problem_.start_costs[place] + rest < least) {
                least = problem_.start_costs[place] + rest;
                best = place;
            }
        });
        return best;
    }

  private:
    std::uint64_t& at(Set visited, std::size_t last) {
        return costs_[visited * problem_.places + last];
    }
    std::uint64_t cost(Set visited, std::size_t last) const {
        return costs_[visited * problem_.places + last];
    }
    std::uint64_t via(Set visited, std::size_t last, std::size_t place) const {
        const std::uint64_t rest = cost(visited | only(place), place);
        return rest == no_way ? no_way : problem_.costs[last * problem_.places + place] + rest;
    }
    std::uint64_t least(Set visited, std::size_t last) const {
        std::uint64_t best = no_way;
        for_each(neighbours_.of[last] & ~visited,
                 [&](std::size_t place) { best = std::min(best, via(visited, last, place)); });
        return best;
    }

    const TourProblem& problem_;
    Neighbours neighbours_;
    std::vector<std::uint64_t> costs_;
};

}  // namespace

std::vector<std::uint32_t> best_tour(const TourProblem& problem) {
    if (problem.places == 0) {
        return {};
    }
    const Bandwidth bottleneck = best_bottleneck(problem);
    const WaysHome ways(problem, neighbours_at(problem, bottleneck));
    std::size_t last = ways.first();
    Set visited = only(last);
    std::vector<std::uint32_t> tour{static_cast<std::uint32_t>(last)};
    while (tour.size() < problem.places) {
        last = ways.next(visited, last);
        visited |= only(last);
        tour.push_back(static_cast<std::uint32_t>(last));
    }
    return tour;
}

}  // namespace hora::plan
