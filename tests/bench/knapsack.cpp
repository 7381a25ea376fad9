// How long do P5's two knapsacks take on 1,000 jobs and 10,000 GPUs, against the plain dynamic
// programme on the same groups?
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <ctime>
#include <random>
#include <vector>

#include "libplanner/elastic/policies/grouped_knapsack.hpp"
#include "tests/unit/elastic/plain_knapsack.hpp"

namespace {

using namespace hora;
using elastic::Group;

constexpr std::uint32_t jobs = 1000;
constexpr std::uint32_t gpus = 9999;

enum Kind : std::int64_t { concave, slowing, second_node, powers, nodes, mixed, unordered, alike };

const char* const labels[] = {
    "P5's curve, any size",
    "slow-down at many GPUs",
    "a jump at each further node",
    "powers of two",
    "multiples of 8",
    "all of these mixed",
    "values without any order",
    "1,000 alike, powers of two",
};

// One job's curve, as the kind has it: the seconds that are left on so many GPUs.
class Curve {
  public:
    Curve(Kind kind, std::mt19937& random)
        : kind_(kind == mixed ? static_cast<Kind>(random() % mixed) : kind) {
        std::uniform_real_distribution<double> unit(0, 1);
        work_ = kind == alike ? 3600 : 600 * std::exp(5 * unit(random));
        exchange_ = 0.1 + 0.2 * unit(random);
        fixed_ = 0.01 + 0.02 * unit(random);
        jump_ = kind_ == second_node ? 0.02 * unit(random) : 0;
        slow_ = kind_ == slowing ? 0.002 * unit(random) : 0;
        noise_.resize(1025);
        for (double& each : noise_) {
            each = unit(random);
        }
    }

    double seconds(std::uint32_t g) const {
        if (kind_ == unordered) {
            return work_ * noise_[g];
        }
        const double share = (1 - fixed_) / g + exchange_ * (g - 1) / g + fixed_;
        return work_ * (share + jump_ * std::floor((g - 1) / 8.0) + slow_ * g);
    }

    bool is_allowed(std::uint32_t g) const {
        return kind_ == powers || kind_ == alike ? (g & (g - 1)) == 0
               : kind_ == nodes                  ? g % 8 == 0
                                                 : true;
    }

  private:
    Kind kind_;
    double work_ = 0;
    double exchange_ = 0;
    double fixed_ = 0;
    double jump_ = 0;
    double slow_ = 0;
    std::vector<double> noise_;
};

std::vector<Group> growth(Kind kind, std::uint32_t most) {
    std::mt19937 random(7);
    std::vector<Group> groups(jobs);
    for (Group& group : groups) {
        const Curve curve(kind, random);
        const std::uint32_t held = kind == nodes ? 8 : 1 + random() % 4;
        for (std::uint32_t g = held + 1; g <= most; ++g) {
            if (curve.is_allowed(g)) {
                group.push_back({g - held, curve.seconds(held) - curve.seconds(g)});
            }
        }
    }
    return groups;
}

std::vector<Group> shrinkage(Kind kind, std::uint32_t most) {
    std::mt19937 random(7);
    std::vector<Group> groups(jobs);
    for (Group& group : groups) {
        const Curve curve(kind, random);
        for (std::uint32_t g = most - 1; g >= 1; --g) {
            if (curve.is_allowed(g)) {
                group.push_back({most - g, curve.seconds(most) - curve.seconds(g)});
            }
        }
    }
    return groups;
}

// Of this process: other work on the machine does not count.
template <class Pack>
double seconds_of(Pack pack) {
    const std::clock_t start = std::clock();
    benchmark::DoNotOptimize(pack());
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

template <class Fast>
void compare(benchmark::State& state, const std::vector<Group>& groups, std::uint32_t capacity,
             double wanted, double plain, Fast fast) {
    double value = 0;
    double seconds = 0;
    for (auto _ : state) {
        seconds += seconds_of([&] { return value = fast(groups, capacity).value; });
    }
    if (std::abs(value - wanted) > 1e-9 * (1 + std::abs(wanted))) {
        state.SkipWithError("not the value of the plain programme");
    }
    state.SetLabel(labels[state.range(0)]);
    state.counters["plain_ms"] = plain * 1e3;
    state.counters["ratio"] = plain * static_cast<double>(state.iterations()) / seconds;
}

// All of 9,999 GPUs idle, an odd number for those who grow by nodes.
void grow(benchmark::State& state) {
    const std::vector<Group> groups =
        growth(static_cast<Kind>(state.range(0)), static_cast<std::uint32_t>(state.range(1)));
    double value = 0;
    const double plain =
        seconds_of([&] { return value = elastic::plain_packing(groups, gpus).value; });
    compare(state, groups, gpus, value, plain, elastic::pack_at_most);
}

// 16,000 are held, and 2,003 wait for one each.
void shrink(benchmark::State& state) {
    const std::vector<Group> groups =
        shrinkage(static_cast<Kind>(state.range(0)), static_cast<std::uint32_t>(state.range(1)));
    constexpr std::uint32_t wanted = 2003;
    double value = 0;
    const double plain =
        seconds_of([&] { return value = elastic::plainly_at_least(groups, wanted)->value; });
    compare(state, groups, wanted, value, plain, elastic::pack_at_least);
}

}  // namespace

BENCHMARK(grow)
    ->ArgsProduct({benchmark::CreateDenseRange(concave, alike, 1), {64}})
    ->Args({concave, 512})
    ->Args({unordered, 512})
    ->ArgNames({"kind", "max"})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(shrink)
    ->ArgsProduct({benchmark::CreateDenseRange(concave, alike, 1), {16}})
    ->ArgNames({"kind", "held"})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
