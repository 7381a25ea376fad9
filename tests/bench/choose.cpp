// How long does a choice take as the cluster grows, against enumeration and a greedy search?
#include "libplanner/plan/choose.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "libplanner/cost/exchange.hpp"
#include "libplanner/cost/step.hpp"
#include "libplanner/model/links/set_bandwidth.hpp"
#include "libplanner/model/networks/builtin.hpp"
#include "libplanner/model/workload.hpp"
#include "tests/bench/clusters.hpp"
#include "tests/unit/model/meshes.hpp"
#include "tests/unit/plan/brute_force.hpp"

namespace {

using namespace hora;

domain::Request request_for(std::uint64_t batch) {
    domain::Request request;
    request.workload =
        model::to_workload(*model::builtin_network("resnet50"), domain::DataType::fp32);
    request.batch = batch;
    request.samples = 1281167;
    request.epochs = 90;
    return request;
}

void run(benchmark::State& state, const domain::Request& request, const domain::Cluster& cluster) {
    std::size_t members = 0;
    for (auto _ : state) {
        const domain::Plan plan = plan::choose(request, cluster);
        members = plan.members.size();
        benchmark::DoNotOptimize(members);
    }
    state.counters["gpus"] = static_cast<double>(cluster.gpus.size());
    state.counters["chosen"] = static_cast<double>(members);
    state.SetComplexityN(static_cast<std::int64_t>(cluster.gpus.size()));
}

void choose_any(benchmark::State& state) {
    run(state, request_for(4096),
        bench::make_cluster(static_cast<std::uint32_t>(state.range(0)), 0.3, false));
}

void choose_uniform(benchmark::State& state) {
    domain::Request request = request_for(4096);
    request.layout = domain::Layout::uniform;
    run(state, request,
        bench::make_cluster(static_cast<std::uint32_t>(state.range(0)), 0.3, false));
}

void choose_uniform_with_history(benchmark::State& state) {
    domain::Request request = request_for(4096);
    request.layout = domain::Layout::uniform;
    run(state, request, bench::make_cluster(static_cast<std::uint32_t>(state.range(0)), 0.3, true));
}

void choose_any_with_history(benchmark::State& state) {
    run(state, request_for(4096),
        bench::make_cluster(static_cast<std::uint32_t>(state.range(0)), 0.3, true));
}

void choose_balanced(benchmark::State& state) {
    domain::Request request = request_for(4096);
    request.accepts_balanced = true;
    run(state, request,
        bench::make_cluster(static_cast<std::uint32_t>(state.range(0)), 0.3, false));
}

void choose_async(benchmark::State& state) {
    domain::Request request = request_for(4096);
    request.accepts_async = true;
    run(state, request,
        bench::make_cluster(static_cast<std::uint32_t>(state.range(0)), 0.3, false));
}

// Every node a DGX-1V, whose GPUs are free in many ways.
void choose_meshes(benchmark::State& state) {
    using namespace hora::literals;
    domain::Request request = request_for(4096);
    request.layout = state.range(1) != 0 ? domain::Layout::uniform : domain::Layout::any;
    domain::Cluster cluster =
        bench::make_cluster(static_cast<std::uint32_t>(state.range(0)), 0.3, false);
    cluster.meshes = {{8, 3_us, model::all_set_bandwidths(tests::dgx1v())}};
    for (Bandwidth& bandwidth : cluster.meshes[0].bandwidths) {
        bandwidth = std::max(bandwidth, 24_GBps);  // the parts' own
    }
    for (domain::Node& node : cluster.nodes) {
        node.mesh = 0;
    }
    run(state, request, cluster);
}

// What a submission costs without --hora-gpus.
void choose_on_submit(benchmark::State& state) {
    domain::Request request = request_for(256);
    request.layout = domain::Layout::uniform;
    request.max_gpus = 8;
    request.min_efficiency = 0.5;
    request.accepts_balanced = state.range(1) != 0;
    request.accepts_async = state.range(1) != 0;
    run(state, request,
        bench::make_cluster(static_cast<std::uint32_t>(state.range(0)), 0.3, false));
}

// Few GPUs of very many that are alike: the tie decides.
void choose_few(benchmark::State& state) {
    domain::Request request = request_for(256);
    request.layout = domain::Layout::uniform;
    request.min_gpus = static_cast<std::uint32_t>(state.range(1));
    request.max_gpus = request.min_gpus;
    run(state, request,
        bench::make_cluster(static_cast<std::uint32_t>(state.range(0)), 0.3, false));
}

// Baseline for small clusters: every set.
void enumerate_sets(benchmark::State& state) {
    domain::Cluster cluster = bench::make_cluster(2, 0, false);
    cluster.gpus.resize(static_cast<std::size_t>(state.range(0)));
    const domain::Request request = request_for(256);
    for (auto _ : state) {
        benchmark::DoNotOptimize(tests::try_all_sets(request, cluster));
    }
}
void choose_small(benchmark::State& state) {
    domain::Cluster cluster = bench::make_cluster(2, 0, false);
    cluster.gpus.resize(static_cast<std::size_t>(state.range(0)));
    run(state, request_for(256), cluster);
}

// Baseline for large clusters: in each part the fastest GPUs first, sizes by doubling. Not exact.
void greedy(benchmark::State& state) {
    const domain::Cluster cluster =
        bench::make_cluster(static_cast<std::uint32_t>(state.range(0)), 0.3, false);
    const domain::Request request = request_for(4096);
    const Bytes gradient = cost::gradient_bytes(request.workload);
    for (auto _ : state) {
        std::vector<std::vector<std::uint32_t>> parts(cluster.parts.size());
        for (const domain::Gpu& gpu : cluster.gpus) {
            for (std::uint32_t part = gpu.part; gpu.is_free && part != domain::no_part;
                 part = cluster.parts[part].parent) {
                parts[part].push_back(gpu.device);
            }
        }
        Seconds best(1e9);
        for (std::size_t part = 0; part < parts.size(); ++part) {
            std::sort(parts[part].begin(), parts[part].end(), std::greater<>());
            for (std::size_t n = 2; n <= std::min<std::size_t>(parts[part].size(), 4096); n *= 2) {
                const cost::Step step(request.workload, cluster.devices[parts[part][n - 1]],
                                      4096 / n, request.cost);
                best = std::min(best, step.time(cost::exchange_time(
                                          request.cost.exchange, gradient,
                                          cost::one_on_each_node(n, cluster.parts[part].link))));
            }
        }
        benchmark::DoNotOptimize(best);
    }
}

void sizes(benchmark::internal::Benchmark* bench) {
    bench->Arg(16)->Arg(125)->Arg(1000)->Arg(4000)->Arg(10000)->Unit(benchmark::kMillisecond);
}

BENCHMARK(choose_any)->Apply(sizes)->Complexity();
BENCHMARK(choose_meshes)->ArgsProduct({{125, 1000, 10000}, {0, 1}})->Unit(benchmark::kMillisecond);
BENCHMARK(choose_uniform)->Apply(sizes)->Complexity();
BENCHMARK(choose_uniform_with_history)->Apply(sizes);
BENCHMARK(choose_any_with_history)->Apply(sizes);
BENCHMARK(choose_balanced)->Apply(sizes);
BENCHMARK(choose_async)->Apply(sizes);
BENCHMARK(choose_on_submit)
    ->Args({64, 0})
    ->Args({64, 1})
    ->Args({10000, 0})
    ->Args({10000, 1})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(choose_few)->ArgsProduct({{125, 10000}, {1, 2, 3, 16}})->Unit(benchmark::kMillisecond);
BENCHMARK(greedy)->Apply(sizes);
BENCHMARK(choose_small)->Arg(8)->Arg(12)->Arg(16)->Unit(benchmark::kMicrosecond);
BENCHMARK(enumerate_sets)->Arg(8)->Arg(12)->Arg(16)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
