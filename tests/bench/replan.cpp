// How long does horad's loop stand still for one waiting job that is looked at for a new plan?
#include "scripts/horad/pending/replan.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "libplanner/plan/request.hpp"
#include "libplanner/request/planned.hpp"
#include "libplanner/request/stated_options.hpp"
#include "plugins/slurm/tres.hpp"
#include "plugins/slurm/version.hpp"
#include "tests/bench/clusters.hpp"

namespace {

using namespace hora;

constexpr std::uint32_t version = slurm::version_number(22, 5, 8);

// Four types of GPU over leaf switches, and as many of them in use as are said.
domain::Snapshot snapshot_of(std::uint32_t nodes, double busy) {
    domain::Snapshot snapshot = bench::make_snapshot(nodes, busy);
    for (std::uint32_t node = 0; node < nodes; ++node) {
        snapshot.states[node].features = {snapshot.cluster.devices[node / 16 % 4].name};
    }
    return snapshot;
}

// A job as it waits since all was in use, and the cluster as it is now.
struct Scene {
    domain::Snapshot snapshot;
    read::Settings settings;
    domain::JobOptions options;
    slurm::Job job;
    domain::Decision decision;

    Scene(std::uint32_t nodes, double busy) : snapshot(snapshot_of(nodes, 1)) {
        options.model = "resnet50";
        options.batch = 4096;
        options.samples = 1281167;
        options.epochs = 90;
        options.gpus = domain::GpuRange{.min = 1, .max = 64};
        request::Submission asked;
        asked.is_batch = true;
        const auto workload = request::workload_of(asked, options);
        const request::Planned planned =
            request::plan_request(asked, plan::request_of(options, **workload, settings), snapshot,
                                  {.now = 1000, .spell = slurm::gpu_spelling(version)});
        decision = planned.decision;
        decision.operating = "act";
        const request::Rewrite& rewrite = planned.rewrite;
        job.id = 7;
        job.state = slurm::JobState::pending;
        job.is_batch = true;
        job.eligible = 1000;
        job.partition = decision.partition;
        job.features = rewrite.features.value_or("");
        job.shape = {.nodes = rewrite.min_nodes.value_or(0),
                     .tasks = rewrite.num_tasks.value_or(0),
                     .tasks_per_node = rewrite.ntasks_per_node.value_or(0),
                     .cpus = rewrite.min_cpus.value_or(0),
                     .cpus_per_task = rewrite.cpus_per_task.value_or(0),
                     .tres_per_node = rewrite.tres_per_node.value_or(""),
                     .tres_per_socket = rewrite.tres_per_socket.value_or(""),
                     .sockets_per_node = rewrite.sockets_per_node.value_or(0),
                     .cores_per_socket = rewrite.cores_per_socket.value_or(0)};
        job.max_nodes = rewrite.max_nodes.value_or(0);
        snapshot = snapshot_of(nodes, busy);
    }
};

// `busy`: in per cent.
void plan_anew(benchmark::State& state) {
    const Scene scene(static_cast<std::uint32_t>(state.range(0)),
                      static_cast<double>(state.range(1)) / 100);
    const horad::ReplanScene of{
        .snapshot = scene.snapshot, .settings = scene.settings, .now = 2000, .version = version};
    for (auto _ : state) {
        const auto plan = horad::plan_anew(scene.job, scene.decision, scene.options, of);
        if (!plan) {
            state.SkipWithError(plan.error().message.c_str());
            return;
        }
        benchmark::DoNotOptimize(plan->has_value());
    }
    state.counters["gpus"] = static_cast<double>(scene.snapshot.cluster.gpus.size());
}

// Once a round, for what was measured is put into it.
void copy_snapshot(benchmark::State& state) {
    const domain::Snapshot snapshot = snapshot_of(static_cast<std::uint32_t>(state.range(0)), 0.9);
    for (auto _ : state) {
        domain::Snapshot copy = snapshot;
        benchmark::DoNotOptimize(copy.cluster.gpus.data());
    }
}

BENCHMARK(plan_anew)
    ->ArgNames({"nodes", "busy"})
    ->ArgsProduct({{64, 1000, 10000}, {30, 95, 100}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(copy_snapshot)->ArgName("nodes")->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
