// How long does a policy take to divide 10,000 GPUs among 1,000 jobs?
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "libplanner/elastic/policies/policy.hpp"
#include "tests/unit/elastic/states.hpp"

namespace {

using namespace hora;

constexpr std::uint32_t jobs = 1000;
constexpr std::uint32_t gpus = 10'000;

// A third of the jobs wait. Each takes up to `most` GPUs, and has its own curve and age.
void make(elastic::MadeState& made, std::uint32_t most) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(0, 1);
    made.state.gpus = gpus;
    made.state.now = Seconds(100'000);
    made.state.rescale = Seconds(10);
    for (std::uint32_t i = 0; i < jobs; ++i) {
        const double exchange = 0.1 + 0.2 * unit(random);
        std::vector<double> seconds;
        for (std::uint32_t g = 1; g <= most; ++g) {
            seconds.push_back(1000.0 / g + 1000 * exchange * (g - 1) / g + 20);
        }
        domain::ElasticJob& job =
            made.add(i % 3 == 0 ? 0U : 1 + static_cast<std::uint32_t>(random() % 10),
                     1 + 100 * unit(random), seconds);
        job.requested = std::min(most, 8U);
        job.submitted = Seconds(99'000 * unit(random));
        if (job.gpus > 0) {
            job.started = job.submitted;
        }
    }
}

void decide(benchmark::State& state, const std::string& name) {
    const auto policy = elastic::make_policy(name);
    elastic::MadeState made;
    make(made, static_cast<std::uint32_t>(state.range(0)));
    for (auto _ : state) {
        benchmark::DoNotOptimize((*policy)->decide(made.state));
    }
}

}  // namespace

int main(int count, char** arguments) {
    for (const elastic::PolicyInfo& policy : elastic::policies()) {
        benchmark::RegisterBenchmark(std::string(policy.name).c_str(), decide,
                                     std::string(policy.name))
            ->ArgName("max")
            ->Arg(64)
            ->Arg(gpus)
            ->Unit(benchmark::kMillisecond);
    }
    benchmark::Initialize(&count, arguments);
    benchmark::RunSpecifiedBenchmarks();
}
