// Does horad change the same jobs to the same sizes as a simulation that it is shown to?
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <memory>

#include "libplanner/elastic/decide.hpp"
#include "libplanner/elastic/speed/speed_prior.hpp"
#include "libplanner/sim/daemon_view.hpp"
#include "libplanner/sim/time_limit.hpp"
#include "plugins/slurm/jobs/batch_word.hpp"
#include "scripts/horad/elastic/pools.hpp"
#include "tests/unit/request/cluster.hpp"

namespace hora::horad {
namespace {

constexpr std::int64_t now = 100'000;
constexpr std::uint32_t nodes = 4;  // with titanx
constexpr std::uint32_t gpus_per_node = 4;
constexpr std::uint64_t smallest_batch = 64;
constexpr std::uint64_t largest_batch = 512;

// One job as a simulation has it; horad is shown the same by Slurm and by the job's reports.
struct SomeJob {
    domain::TraceJob described;
    std::uint32_t gpus = 0;  // 0: it waits
    sim::Shares shares;      // where it runs
    std::uint32_t asks = 0;
    std::uint32_t age = 0;  // seconds since its start, or since it came
    std::uint32_t steps_done = 0;
    bool rests = false;
    double alone = 1;         // of a step on one GPU
    std::uint64_t batch = 0;  // of its range; 0: it has one batch
    std::uint64_t noise_scale = 0;
};

SomeJob some_job(std::uint32_t free, double submitted) {
    SomeJob job;
    job.described.submitted = Seconds(submitted);
    job.described.is_elastic = *rc::gen::inRange(0, 4) > 0;
    job.described.yields = job.described.is_elastic && *rc::gen::arbitrary<bool>();
    job.described.suspends = job.described.is_elastic && *rc::gen::arbitrary<bool>();
    job.described.requested = *rc::gen::inRange(1U, 5U);
    job.described.min = *rc::gen::inRange(1U, job.described.requested + 1);
    job.described.max = *rc::gen::inRange(job.described.requested, 9U);
    job.described.epochs = *rc::gen::inRange(100, 100'000);
    const auto most =
        std::min(free, job.described.is_elastic ? gpus_per_node : job.described.requested);
    const bool runs = most > 0 && *rc::gen::arbitrary<bool>();
    job.gpus = runs ? *rc::gen::inRange(1U, most + 1) : 0;
    job.asks = job.described.is_elastic ? *rc::gen::inRange(1U, 9U) : job.described.requested;
    const auto is_exact = [&](std::uint32_t gpus) {
        return job.described.requested <= gpus ||
               (std::has_single_bit(job.described.requested) && std::has_single_bit(gpus));
    };
    // Halves do not round, and so both see the same of a limit.
    if ((job.gpus == 0 || is_exact(job.gpus)) && is_exact(job.asks) &&
        *rc::gen::arbitrary<bool>()) {
        job.described.limit = Seconds(*rc::gen::inRange(1000, 50'000));
    }
    job.age = *rc::gen::inRange(60U, 4000U);
    job.steps_done = runs ? *rc::gen::inRange(0U, 90U) : 0;
    job.rests = *rc::gen::inRange(0, 8) == 0;
    job.alone = *rc::gen::inRange(1, 9);
    if (job.described.is_elastic && *rc::gen::inRange(0, 3) == 0) {
        job.batch = smallest_batch << *rc::gen::inRange(0U, 3U);
        job.noise_scale = 1ULL << *rc::gen::inRange(6U, 14U);
    }
    return job;
}

struct Scene {
    sim::Setup setup{.nodes = nodes,
                     .gpus_per_node = gpus_per_node,
                     .rescale = read::Settings().get<Seconds>("elastic.rescale"),
                     .round = {},
                     .play = sim::Play::daemon};
    domain::JobTrace trace;
    domain::ElasticState state;
    std::vector<sim::ActiveJob> active;
    sim::Placement placement{nodes, gpus_per_node};

    Observation seen;
    Reports reports;
    std::map<std::uint32_t, std::int64_t> rests;
    std::set<std::uint32_t> resized;
};

void add_to_simulation(Scene& scene, const SomeJob& job, const elastic::SpeedCurve& curve) {
    const auto id = static_cast<std::uint32_t>(scene.trace.jobs.size());
    domain::ElasticJob seen = sim::as_submitted(id, job.described, scene.setup.gpus());
    sim::ActiveJob active;
    active.job = id;
    active.asks = job.asks;
    active.left = job.described.epochs - job.steps_done;
    active.curve = std::make_shared<const elastic::SpeedCurve>(curve);
    active.shares = job.shares;
    active.batch = job.batch;
    if (job.gpus > 0) {
        seen.gpus = job.gpus;
        seen.started = seen.resized = Seconds(static_cast<double>(now - job.age));
        seen.attained = job.gpus * static_cast<double>(job.age);
        active.trains_from = *seen.started;
        active.epoch = Seconds(1);
        active.left += job.age;
    }
    if (job.rests) {
        active.rests_until = Seconds(static_cast<double>(now + 30));
    }
    scene.trace.jobs.push_back(job.described);
    scene.state.jobs.push_back(seen);
    scene.active.push_back(active);
}

void report(Scene& scene, const SomeJob& job, std::uint32_t id) {
    slurm::Report progress{.job = id, .kind = slurm::ReportKind::progress, .step = job.steps_done};
    // Slower over several nodes.
    progress.step_seconds = Seconds(job.alone / job.gpus * static_cast<double>(job.shares.size()));
    progress.gpus = job.gpus;
    progress.nodes = static_cast<std::uint32_t>(job.shares.size());
    progress.samples = smallest_batch * job.steps_done;
    progress.noise_scale = job.noise_scale;
    scene.reports.put(progress, static_cast<double>(now), job.batch);
}

void show_to_horad(Scene& scene, const SomeJob& job, std::uint32_t id,
                   std::shared_ptr<const JobMemory> memory) {
    ObservedJob shown;
    shown.id = id;
    shown.partition = "p";
    shown.state = job.gpus > 0 ? slurm::JobState::running : slurm::JobState::pending;
    shown.waits_for = slurm::WaitsFor::resources;
    shown.gpus = job.gpus > 0 ? job.gpus : job.asks;
    shown.shape.nodes = 1;
    for (const sim::Share& share : job.shares) {
        const std::string& name = scene.seen.cluster->cluster.nodes[share.node].name;
        shown.where += (shown.where.empty() ? "" : ",") + name;
        shown.allocation.push_back({.node = name, .gpus = share.gpus, .indices = {}});
    }
    shown.shape.tres_per_node = "gres:gpu:titanx:1";
    shown.submitted = shown.eligible = static_cast<std::int64_t>(job.described.submitted.count());
    shown.started = job.gpus > 0 ? now - job.age : 0;
    if (job.described.limit) {
        // As it was set when it got this size.
        shown.time_limit =
            *job.described.limit * sim::stretch_on(job.described, shown.gpus, scene.setup.limits);
    }
    shown.priority = 1'000'000 - id;
    shown.memory = job.described.is_elastic ? std::move(memory) : nullptr;
    shown.admin_comment = slurm::with_batch({}, job.batch);
    scene.seen.jobs.push_back(shown);
    if (job.gpus == 0) {
        scene.resized.insert(id);
    }
    if (job.rests) {
        scene.rests[id] = now + 30;
    }
}

JobMemory memory_of(const SomeJob& job) {
    JobMemory memory;
    memory.decision.operating = "act";
    memory.decision.has_plan = true;
    memory.decision.gpus = job.described.requested;
    memory.decision.nodes = 1;
    memory.decision.breakdown.compute = Seconds(job.alone / job.described.requested);
    memory.decision.submitted = static_cast<std::int64_t>(job.described.submitted.count());
    for (const char* const field :
         {"min_nodes", "max_nodes", "num_tasks", "ntasks_per_node", "tres_per_node"}) {
        memory.decision.changes.push_back({field, "", "1"});
    }
    memory.options.is_elastic = true;
    memory.options.yields = job.described.yields;
    memory.options.gpus = domain::GpuRange{.min = job.described.min, .max = job.described.max};
    memory.options.may_be_suspended = job.described.suspends;
    memory.options.batch = job.batch == 0 ? 1 : smallest_batch;
    memory.options.epochs = 1;
    memory.options.samples =
        static_cast<std::uint64_t>(job.described.epochs) * *memory.options.batch;
    if (job.batch != 0) {
        memory.options.max_batch = largest_batch;
        memory.options.noise_scale = job.noise_scale;
    }
    return memory;
}

// While they start, GPUs are in use by others that have ended since, so that some are spread.
void place(std::vector<SomeJob>& jobs, sim::Placement& placement) {
    sim::Shares ended;
    for (int left = *rc::gen::inRange(2, 6); left > 0; --left) {
        ended.push_back(placement.take(*rc::gen::inRange(2U, gpus_per_node)).front());
    }
    for (SomeJob& job : jobs) {
        if (job.gpus > 0 && !placement.find_even(job.gpus).empty()) {
            job.shares = placement.take_even(job.gpus);
        } else {
            job.gpus = 0;
            job.steps_done = 0;
        }
    }
    placement.give_back(ended);
}

// Rigid jobs, which came before the others, have the rest.
void leave_none_idle(std::vector<SomeJob>& jobs, sim::Placement& placement) {
    while (placement.idle() > 0) {
        SomeJob job;
        job.gpus = *std::max_element(placement.free().begin(), placement.free().end());
        job.shares = placement.take(job.gpus);
        job.age = 1000;
        job.described.is_elastic = false;
        job.described.requested = job.described.min = job.described.max = job.gpus;
        job.described.epochs = 1000;
        job.described.submitted = Seconds(static_cast<double>(now - 5000));
        jobs.insert(jobs.begin(), job);
    }
}

std::optional<elastic::BatchRange> range_of(const SomeJob& job) {
    return job.batch == 0
               ? std::nullopt
               : std::optional(elastic::BatchRange{smallest_batch, largest_batch,
                                                   rounded_noise_scale(job.noise_scale)});
}

std::unique_ptr<Scene> some_scene() {
    auto made = std::make_unique<Scene>();
    Scene& scene = *made;
    auto cluster = std::make_shared<domain::Snapshot>(request::small_cluster());
    scene.seen.now = now;
    scene.state.now = Seconds(static_cast<double>(now));
    std::vector<SomeJob> jobs;
    for (int left = *rc::gen::inRange(1, 8); left > 0; --left) {
        jobs.push_back(some_job(gpus_per_node, now - 2000 + 10.0 * left));
    }
    std::sort(jobs.begin(), jobs.end(), [](const SomeJob& one, const SomeJob& other) {
        return one.described.submitted < other.described.submitted;
    });
    place(jobs, scene.placement);
    if (*rc::gen::arbitrary<bool>()) {
        leave_none_idle(jobs, scene.placement);
    }
    for (std::uint32_t node = 0; node < nodes; ++node) {
        const std::uint32_t held = gpus_per_node - scene.placement.free()[node];
        cluster->states[node].free_cpus -= held;
        for (std::uint32_t index = 0; index < held; ++index) {
            cluster->cluster.gpus[node * gpus_per_node + index].is_free = false;
        }
    }
    scene.seen.cluster = cluster;
    for (std::uint32_t id = 0; id < jobs.size(); ++id) {
        const auto memory = std::make_shared<const JobMemory>(memory_of(jobs[id]));
        if (jobs[id].gpus > 0 && jobs[id].described.is_elastic) {
            report(scene, jobs[id], id);
        }
        show_to_horad(scene, jobs[id], id, memory);
        const std::uint32_t most =
            std::max({jobs[id].described.max, jobs[id].gpus, jobs[id].described.requested});
        add_to_simulation(
            scene, jobs[id],
            elastic::seen_speed(memory->decision, most, gpus_per_node,
                                points_of(scene.reports.of(id).value_or(JobReports())), {}, {},
                                range_of(jobs[id])));
    }
    return made;
}

std::vector<elastic::Pool> pools_seen(const Scene& scene) {
    JournalFile journal{"/nonexistent"};
    PastRuns past_runs{journal};
    past_runs.see(scene.seen);
    const FoundLimits limits;
    const cost::RescaleCosts costs;
    const read::Settings settings;
    SeenSpeeds speeds;
    NoiseScales noise_scales;
    return pools_of({scene.seen,
                     scene.reports.all(),
                     past_runs,
                     {},
                     scene.rests,
                     {},
                     {},
                     limits,
                     speeds,
                     noise_scales,
                     {},
                     scene.resized,
                     costs,
                     settings,
                     true});
}

RC_GTEST_PROP(SameChanges, OfWhatIsSeenAndOfWhatIsSimulated, ()) {
    const auto made = some_scene();
    const Scene& scene = *made;
    const auto name = *rc::gen::element("hora", "knapsack", "afs");
    const auto policy = *elastic::make_policy(name);
    const auto settled = *rc::gen::inRange<std::uint32_t>(0, scene.placement.idle() + 1);
    const elastic::Decision simulated =
        elastic::decide(sim::daemon_view(scene.state, scene.active, scene.trace, scene.setup,
                                         scene.placement, settled),
                        *policy);
    elastic::Decision seen;
    for (elastic::Pool& pool : pools_seen(scene)) {
        pool.settled = settled;
        if (pool.name.starts_with("titanx")) {
            seen = elastic::decide(pool, *policy);
        } else {
            RC_ASSERT(pool.jobs.empty() && pool.others.empty());
        }
    }
    RC_CLASSIFY(!seen.now.empty(), "some change");
    RC_CLASSIFY(std::any_of(seen.now.begin(), seen.now.end(),
                            [](const elastic::Change& change) { return change.nodes > 0; }),
                "with as many GPUs");
    RC_CLASSIFY(std::any_of(seen.now.begin(), seen.now.end(),
                            [](const elastic::Change& change) { return change.to == 0; }),
                "suspended");
    RC_ASSERT(seen.now == simulated.now);
    RC_ASSERT(seen.later == simulated.later);
    RC_ASSERT(seen.held == simulated.held);
}

}  // namespace
}  // namespace hora::horad
