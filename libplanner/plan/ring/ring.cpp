// In which order does a ring pass the GPUs, so that its slowest link is as fast as can be?
#include "libplanner/plan/ring/ring.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "libplanner/plan/ring/large_ring.hpp"
#include "libplanner/plan/ring/link_table.hpp"
#include "libplanner/plan/ring/ring_search.hpp"

namespace hora::plan {
namespace {

using Order = std::vector<std::uint32_t>;

constexpr Bandwidth endless{std::numeric_limits<double>::infinity()};

// The links among the GPUs from `first` on.
TourProblem problem_of(const LinkTable& links, std::size_t first) {
    TourProblem problem;
    problem.places = links.count() - first;
    for (std::size_t a = first; a < links.count(); ++a) {
        for (std::size_t b = first; b < links.count(); ++b) {
            problem.bandwidths.push_back(a == b ? endless : links.bandwidth(a, b));
            problem.costs.push_back(links.cost(a, b));
        }
    }
    return problem;
}

Order exact_cycle(const LinkTable& links) {
    TourProblem problem = problem_of(links, 1);
    for (std::size_t gpu = 1; gpu < links.count(); ++gpu) {
        problem.start_bandwidths.push_back(links.bandwidth(0, gpu));
        problem.start_costs.push_back(links.cost(0, gpu));
    }
    Order order{0};
    for (const std::uint32_t place : best_tour(problem)) {
        order.push_back(place + 1);
    }
    return order;
}

Order exact_path(const LinkTable& links) {
    TourProblem problem = problem_of(links, 0);
    problem.start_bandwidths.assign(links.count(), endless);
    problem.start_costs.assign(links.count(), 0);
    return best_tour(problem);
}

Ring measured(std::span<const Bandwidth> between, std::size_t count, Order order, bool is_closed) {
    const LinkTable links(between, count);
    Ring ring{std::move(order), Bandwidth(0), Seconds(0)};
    const std::size_t places = ring.order.size();
    const std::size_t last = is_closed || places == 0 ? places : places - 1;
    for (std::size_t i = 0; i < last && places > 1; ++i) {
        const Bandwidth link = links.bandwidth(ring.order[i], ring.order[(i + 1) % places]);
        ring.bottleneck = i == 0 ? link : std::min(ring.bottleneck, link);
        ring.byte_time += Bytes(1) / link;
    }
    return ring;
}

}  // namespace

Ring best_ring(std::span<const Bandwidth> between, std::size_t count) {
    if (count == 0) {
        return {};
    }
    const LinkTable links(between, count);
    return measured(between, count,
                    count > most_exact_gpus ? large_cycle(links) : exact_cycle(links), true);
}

Ring best_chain(std::span<const Bandwidth> between, std::size_t count) {
    const LinkTable links(between, count);
    return measured(between, count, count > most_exact_gpus ? large_path(links) : exact_path(links),
                    false);
}

Ring ring_of(std::span<const Bandwidth> between, std::size_t count, Order order) {
    return measured(between, count, std::move(order), true);
}

Ring chain_of(std::span<const Bandwidth> between, std::size_t count, Order order) {
    return measured(between, count, std::move(order), false);
}

std::vector<Bandwidth> bandwidths_between(const domain::Topology& topology,
                                          std::span<const std::uint32_t> gpus) {
    std::vector<Bandwidth> between(gpus.size() * gpus.size());
    if (topology.paths.empty()) {
        return between;
    }
    for (std::size_t a = 0; a < gpus.size(); ++a) {
        for (std::size_t b = 0; b < gpus.size(); ++b) {
            between[a * gpus.size() + b] = topology.path(gpus[a], gpus[b]).bandwidth;
        }
    }
    return between;
}

}  // namespace hora::plan
