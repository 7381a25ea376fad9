// How long does horad take to look at all elastic jobs once, as jobs, GPUs and sizes grow?
#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/elastic/decide.hpp"
#include "libplanner/elastic/policies/policy.hpp"
#include "scripts/horad/elastic/pools.hpp"
#include "tests/bench/clusters.hpp"

namespace {

using namespace hora;

constexpr std::int64_t now = 100'000;
constexpr std::uint32_t gpus_per_node = 8;

// One type of GPU, so that all jobs share one pool.
std::shared_ptr<const domain::Snapshot> snapshot_of(std::uint32_t gpus) {
    auto snapshot =
        std::make_shared<domain::Snapshot>(bench::make_snapshot(gpus / gpus_per_node, 0.95));
    for (domain::Gpu& gpu : snapshot->cluster.gpus) {
        gpu.device = 0;
    }
    return snapshot;
}

// A third of the jobs wait, the others were timed on three sizes, one of two nodes.
class Scene {
  public:
    Scene(std::uint32_t jobs, std::uint32_t gpus, std::uint32_t sizes) {
        seen_.now = now;
        seen_.cluster = snapshot_of(gpus);
        const auto nodes = static_cast<std::uint32_t>(seen_.cluster->cluster.nodes.size());
        for (std::uint32_t id = 1; id <= jobs; ++id) {
            const bool runs = id % 3 != 0;
            add(id, runs ? "n" + std::to_string(id % nodes) : "", sizes);
            if (runs) {
                report(id);
            }
        }
        past_runs_.see(seen_);
        // What each job shows of exchanges between nodes, others expect in the next round.
        for (int round = 0; round < 3; ++round) {
            pools();
        }
    }

    // The reports of every n-th job, n being `part`; 0: of none.
    void hear(std::uint32_t part) {
        ++heard_;
        for (std::uint32_t id = part; part > 0 && id <= seen_.jobs.size(); id += part) {
            if (seen_.jobs[id - 1].runs()) {
                report(id);
            }
        }
    }

    std::vector<elastic::Pool> pools() {
        return horad::pools_of({seen_,
                                reports_.all(),
                                past_runs_,
                                {},
                                {},
                                {},
                                {},
                                limits_,
                                speeds_,
                                noise_scales_,
                                {},
                                {},
                                costs_,
                                settings_});
    }

  private:
    void add(std::uint32_t id, const std::string& where, std::uint32_t sizes) {
        horad::JobMemory memory;
        memory.decision.has_plan = true;
        memory.decision.gpus = 8;
        memory.decision.nodes = 1;
        memory.decision.breakdown.compute = Seconds(1 + id % 7);
        memory.decision.breakdown.exchange = Seconds(0.02 * (id % 5));
        for (const char* const field :
             {"min_nodes", "max_nodes", "num_tasks", "ntasks_per_node", "tres_per_node"}) {
            memory.decision.changes.push_back({field, "", "1"});
        }
        memory.options.model = "m" + std::to_string(id % 20);
        memory.options.is_elastic = true;
        memory.options.gpus = domain::GpuRange{.min = 1, .max = sizes};
        memory.options.batch = memory.options.epochs = 1;
        memory.options.samples = 10'000 + 1000 * (id % 90);
        horad::ObservedJob job;
        job.id = id;
        job.partition = "p";
        job.state = where.empty() ? slurm::JobState::pending : slurm::JobState::running;
        job.waits_for = slurm::WaitsFor::resources;
        job.is_batch = job.may_requeue = true;
        job.gpus = 8;
        job.where = where;
        if (!where.empty()) {
            job.allocation = {{.node = where, .gpus = 8, .indices = {}}};
        }
        job.shape.nodes = 1;
        job.shape.tres_per_node = "gres:gpu:t4:8";
        job.submitted = job.eligible = now - 20'000 + id;
        job.started = where.empty() ? 0 : now - 5000;
        job.memory = std::make_shared<const horad::JobMemory>(std::move(memory));
        seen_.jobs.push_back(std::move(job));
    }

    void report(std::uint32_t id) {
        for (const std::uint32_t gpus : {4U, 8U, 16U}) {
            slurm::Report progress{.job = id, .kind = slurm::ReportKind::progress};
            progress.step = 100 * (heard_ + 1);
            progress.step_seconds = Seconds((8.0 + id % 11) / gpus + 0.1);
            progress.gpus = gpus;
            progress.nodes = (gpus - 1) / gpus_per_node + 1;
            reports_.put(progress, static_cast<double>(now));
        }
    }

    horad::Observation seen_;
    horad::Reports reports_;
    horad::JournalFile journal_{"/nonexistent"};
    horad::PastRuns past_runs_{journal_};
    horad::FoundLimits limits_;
    horad::SeenSpeeds speeds_;
    horad::NoiseScales noise_scales_;
    cost::RescaleCosts costs_;
    read::Settings settings_;
    std::uint64_t heard_ = 0;
};

// `heard`: every how manieth job has reported since the round before.
void look_at_jobs(benchmark::State& state) {
    Scene scene(static_cast<std::uint32_t>(state.range(0)),
                static_cast<std::uint32_t>(state.range(1)),
                static_cast<std::uint32_t>(state.range(2)));
    const auto policy = elastic::make_policy("hora");
    for (auto _ : state) {
        state.PauseTiming();
        scene.hear(static_cast<std::uint32_t>(state.range(3)));
        state.ResumeTiming();
        for (const elastic::Pool& pool : scene.pools()) {
            benchmark::DoNotOptimize(elastic::decide(pool, **policy));
        }
    }
}

// The same without the policy's decision.
void know_jobs(benchmark::State& state) {
    Scene scene(static_cast<std::uint32_t>(state.range(0)),
                static_cast<std::uint32_t>(state.range(1)),
                static_cast<std::uint32_t>(state.range(2)));
    for (auto _ : state) {
        state.PauseTiming();
        scene.hear(static_cast<std::uint32_t>(state.range(3)));
        state.ResumeTiming();
        benchmark::DoNotOptimize(scene.pools());
    }
}

void sizes_of(benchmark::internal::Benchmark* benchmark) {
    benchmark->ArgNames({"jobs", "gpus", "sizes", "heard"})->Unit(benchmark::kMillisecond);
    for (const std::int64_t heard : {0, 10, 1}) {
        benchmark->Args({1000, 10'000, 64, heard})->Args({1000, 10'000, 1024, heard});
        benchmark->Args({10'000, 100'000, 1024, heard});
    }
}

BENCHMARK(know_jobs)->Apply(sizes_of);
BENCHMARK(look_at_jobs)->Apply(sizes_of);

}  // namespace

BENCHMARK_MAIN();
