// How long do the orders of GPUs and of nodes take, against enumeration, Slurm's order and a greedy
// one?
#include "libplanner/plan/ring/ring.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "libplanner/plan/ring/node_order.hpp"

namespace {

using namespace hora;
using Order = std::vector<std::uint32_t>;

// Many different speeds, so that the search has many thresholds and few ties.
std::vector<Bandwidth> any_links(std::size_t count) {
    std::mt19937 random(static_cast<std::uint32_t>(count));
    std::vector<Bandwidth> between(count * count);
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a + 1; b < count; ++b) {
            between[a * count + b] = between[b * count + a] =
                Bandwidth(1e9 * static_cast<double>(1 + random() % 100));
        }
    }
    return between;
}

// Pairs on switches, switches on two sockets.
std::vector<Bandwidth> machine_links(std::size_t count) {
    std::vector<Bandwidth> between(count * count);
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = 0; b < count; ++b) {
            const bool is_near = a / 2 == b / 2;
            const bool is_inside = a * 2 / count == b * 2 / count;
            between[a * count + b] = Bandwidth(is_near ? 12e9 : is_inside ? 10e9 : 6e9);
        }
    }
    return between;
}

void ring_of_any_links(benchmark::State& state) {
    const auto count = static_cast<std::size_t>(state.range(0));
    const auto between = any_links(count);
    for (auto _ : state) {
        benchmark::DoNotOptimize(plan::best_ring(between, count));
    }
}

void chain_of_any_links(benchmark::State& state) {
    const auto count = static_cast<std::size_t>(state.range(0));
    const auto between = any_links(count);
    for (auto _ : state) {
        benchmark::DoNotOptimize(plan::best_chain(between, count));
    }
}

void ring_of_a_machine(benchmark::State& state) {
    const auto count = static_cast<std::size_t>(state.range(0));
    const auto between = machine_links(count);
    for (auto _ : state) {
        benchmark::DoNotOptimize(plan::best_ring(between, count));
    }
}

// All orders that start with GPU 0.
void ring_by_enumeration(benchmark::State& state) {
    const auto count = static_cast<std::size_t>(state.range(0));
    const auto between = any_links(count);
    for (auto _ : state) {
        Order order(count);
        std::iota(order.begin(), order.end(), 0u);
        double best = 0;
        do {
            double slowest = std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < count; ++i) {
                slowest =
                    std::min(slowest, between[order[i] * count + order[(i + 1) % count]].count());
            }
            best = std::max(best, slowest);
        } while (std::next_permutation(order.begin() + 1, order.end()));
        benchmark::DoNotOptimize(best);
    }
}

// Leaves of 32 nodes below pods of 16 leaves, in random order as a busy cluster hands them out.
struct Nodes {
    plan::Fabric fabric;
    Order given;
};

Nodes nodes_of(std::size_t count) {
    Nodes nodes;
    const std::size_t leaves = (count + 31) / 32;
    const std::size_t pods = (leaves + 15) / 16;
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
        nodes.fabric.switches.push_back({"leaf", static_cast<std::uint32_t>(leaves + leaf / 16)});
    }
    for (std::size_t pod = 0; pod < pods; ++pod) {
        nodes.fabric.switches.push_back({"pod", static_cast<std::uint32_t>(leaves + pods)});
    }
    nodes.fabric.switches.push_back({"core", domain::no_fabric_switch});
    for (std::size_t node = 0; node < count; ++node) {
        nodes.fabric.attached_to.push_back(static_cast<std::uint32_t>(node / 32));
    }
    nodes.given.resize(count);
    std::iota(nodes.given.begin(), nodes.given.end(), 0u);
    std::shuffle(nodes.given.begin(), nodes.given.end(), std::mt19937(1));
    return nodes;
}

void node_order(benchmark::State& state) {
    const Nodes nodes = nodes_of(static_cast<std::size_t>(state.range(0)));
    Order order;
    for (auto _ : state) {
        order = plan::order_nodes(nodes.fabric, nodes.given);
        benchmark::DoNotOptimize(order.data());
    }
    state.counters["crossings"] = static_cast<double>(plan::crossings(nodes.fabric, order));
}

// What a job gets without an order of its own; the time is that of counting.
void node_order_as_given(benchmark::State& state) {
    const Nodes nodes = nodes_of(static_cast<std::size_t>(state.range(0)));
    std::uint64_t crossings = 0;
    for (auto _ : state) {
        crossings = plan::crossings(nodes.fabric, nodes.given);
        benchmark::DoNotOptimize(crossings);
    }
    state.counters["crossings"] = static_cast<double>(crossings);
}

// By name, as Slurm ranks them where leaves are filled in turn.
void node_order_by_name(benchmark::State& state) {
    Nodes nodes = nodes_of(static_cast<std::size_t>(state.range(0)));
    const std::size_t leaves = (nodes.given.size() + 31) / 32;
    for (std::size_t node = 0; node < nodes.given.size(); ++node) {
        nodes.fabric.attached_to[node] = static_cast<std::uint32_t>(node % leaves);
    }
    std::sort(nodes.given.begin(), nodes.given.end());
    std::uint64_t crossings = 0;
    for (auto _ : state) {
        crossings = plan::crossings(nodes.fabric, nodes.given);
        benchmark::DoNotOptimize(crossings);
    }
    state.counters["crossings"] = static_cast<double>(crossings);
}

// Always the nearest of the nodes that are left.
void node_order_by_nearest(benchmark::State& state) {
    const Nodes nodes = nodes_of(static_cast<std::size_t>(state.range(0)));
    const auto distance = [&](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t leaf_a = nodes.fabric.attached_to[a];
        const std::uint32_t leaf_b = nodes.fabric.attached_to[b];
        return leaf_a == leaf_b ? 0 : leaf_a / 16 == leaf_b / 16 ? 2 : 4;
    };
    Order order;
    for (auto _ : state) {
        order = nodes.given;
        for (std::size_t i = 0; i + 1 < order.size(); ++i) {
            std::size_t nearest = i + 1;
            for (std::size_t k = i + 2; k < order.size(); ++k) {
                if (distance(order[i], order[k]) < distance(order[i], order[nearest])) {
                    nearest = k;
                }
            }
            std::swap(order[i + 1], order[nearest]);
        }
        benchmark::DoNotOptimize(order.data());
    }
    state.counters["crossings"] = static_cast<double>(plan::crossings(nodes.fabric, order));
}

BENCHMARK(ring_of_any_links)
    ->Arg(4)
    ->Arg(8)
    ->Arg(9)
    ->Arg(12)
    ->Arg(16)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(chain_of_any_links)->Arg(8)->Arg(16)->Unit(benchmark::kMillisecond);
BENCHMARK(ring_of_a_machine)->Arg(8)->Arg(16)->Arg(64)->Arg(256)->Unit(benchmark::kMillisecond);
BENCHMARK(ring_by_enumeration)->Arg(8)->Arg(9)->Arg(10)->Unit(benchmark::kMillisecond);
BENCHMARK(node_order)->Arg(1000)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);
BENCHMARK(node_order_as_given)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(node_order_by_name)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(node_order_by_nearest)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
