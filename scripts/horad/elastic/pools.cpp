// Which jobs share which GPUs, and what is known of each?
#include "scripts/horad/elastic/pools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "libplanner/cost/measured_table.hpp"
#include "plugins/slurm/jobs/batch_word.hpp"
#include "scripts/horad/elastic/limit_rule.hpp"
#include "scripts/horad/observe/allowed_sizes.hpp"
#include "scripts/horad/observe/gpu_map.hpp"
#include "scripts/horad/observe/headroom.hpp"
#include "scripts/horad/observe/reserved.hpp"
#include "scripts/horad/progress/stated_work.hpp"
#include "scripts/horad/resize/resize_rules.hpp"

namespace hora::horad {
namespace {

Seconds seconds(std::int64_t time) {
    return Seconds(static_cast<double>(time));
}

// Waits as any job without Hora.
bool is_fixed(const ObservedJob& job) {
    return !why_fixed(job.memory->decision).empty();
}

class Pools {
  public:
    explicit Pools(const PoolSources& sources)
        : sources_(sources),
          seen_(sources.seen),
          gpus_(*seen_.cluster, nodes_apart(*seen_.cluster, seen_.jobs, seen_.now)) {}

    std::vector<elastic::Pool> build() {
        sources_.speeds.share_slow_downs();
        for (const GpuGroup& group : gpus_.groups()) {
            elastic::Pool pool;
            pool.name = group.name;
            pool.now = seconds(seen_.now);
            pool.idle = group.idle;
            pool.gpus_per_node = group.gpus_per_node;
            pool.free = group.free;
            pool.rescale = sources_.rescales.shared.value_or(
                sources_.settings.get<Seconds>("elastic.rescale"));
            pool.reserves_nodes = sources_.reserves_nodes;
            pool.constants.least_run = sources_.settings.get<Seconds>("elastic.suspend_after");
            pools_.push_back(std::move(pool));
        }
        for (const ObservedJob& job : seen_.jobs) {
            if (const auto place = gpus_.group_of(job); place && job.gpus > 0) {
                add(job, *place);
            }
        }
        for (const std::size_t place : unknown_places_) {
            pools_[place].free.clear();
        }
        for (elastic::Pool& pool : pools_) {
            std::stable_sort(pool.jobs.begin(), pool.jobs.end(), [](const auto& a, const auto& b) {
                return a.submitted < b.submitted;
            });
            add_strangers(pool);
        }
        return std::move(pools_);
    }

  private:
    void add(const ObservedJob& job, std::size_t place) {
        elastic::Pool& pool = pools_[place];
        pool.reserves_nodes = pool.reserves_nodes && job.reservation.empty();
        const ResizeEntry* const entry = entry_of(job.id, sources_.under_way);
        if (entry != nullptr && is_suspension(entry->resize) && !job.holds_nodes()) {
            return;  // it takes no part until Slurm may start it
        }
        if (entry != nullptr) {
            // What it is to have is its own already.
            const std::uint32_t held = job.runs() ? job.gpus : 0;
            const std::uint32_t more = entry->resize.to - std::min(entry->resize.to, held);
            const std::uint32_t fewer = held - std::min(entry->resize.to, held);
            pool.idle += fewer;  // soon, for a pending job: no other job needs to make room
            pool.is_suspending = pool.is_suspending || is_suspension(entry->resize);
            pool.idle -= std::min(pool.idle, more);
            unknown_places_.insert(place);
        } else if (is_elastic(job) && !sources_.manual.contains(job.id) &&
                   (job.runs() || (waits_for_gpus(job, seen_.now) && !is_fixed(job)))) {
            pool.jobs.push_back(seen_job(job, pool, place));
            if (job.runs() && pool.jobs.back().nodes.empty()) {
                unknown_places_.insert(place);
            }
        } else if (waits_for_gpus(job, seen_.now)) {
            strangers_[&pool].push_back(&job);
        }
    }

    void add_strangers(elastic::Pool& pool) {
        std::vector<const ObservedJob*>& queue = strangers_[&pool];
        std::stable_sort(queue.begin(), queue.end(),
                         [](const auto* a, const auto* b) { return a->priority > b->priority; });
        for (const ObservedJob* const job : queue) {
            pool.others.push_back({job->gpus, waited(*job)});
        }
    }

    Seconds waited(const ObservedJob& job) const {
        return seconds(seen_.now - std::max(job.eligible, job.submitted));
    }

    elastic::SeenJob seen_job(const ObservedJob& job, const elastic::Pool& pool,
                              std::size_t place) const {
        const JobMemory& memory = *job.memory;
        elastic::SeenJob seen;
        seen.id = job.id;
        seen.gpus = job.runs() ? job.gpus : 0;
        seen.asks = job.runs() ? 0 : job.gpus;
        seen.waited = waited(job);
        seen.asks_as_resized = !job.runs() && sources_.resized.contains(job.id);
        seen.requested = own_gpus(job);
        const auto most =
            static_cast<std::uint32_t>(sources_.settings.get<std::uint64_t>("plan.max_gpus"));
        const domain::GpuRange range = memory.options.gpus.value_or(domain::GpuRange{1, most});
        const std::uint32_t headroom =
            std::min(most_gpus(job, *seen_.cluster, pool.gpus_per_node).value_or(range.max),
                     sources_.limits.most(job.id).value_or(range.max));
        const auto usable = gpus_.usable_for(job, place, seen_.now);
        seen.min = range.min;
        seen.max = std::max(range.min, std::min({range.max, gpus_.groups()[place].usable,
                                                 usable.value_or(range.max), headroom}));
        seen.sizes = allowed_sizes(memory, seen.min, seen.max);
        seen.yields = memory.options.yields;
        seen.may_be_suspended = memory.options.may_be_suspended;
        seen.submitted =
            seconds(memory.decision.submitted != 0 ? memory.decision.submitted : job.submitted);
        add_work(job, seen);
        add_past(job, seen);
        const JobReports* const reports = reports_of(job);
        seen.batch = slurm::batch_of_start(job.admin_comment, memory.options);
        if (job.runs()) {
            seen.nodes = gpus_.held_by(job, place);
            seen.keeps_nodes = sources_.keep_nodes.contains(job.id);
        }
        if (const auto kept = sources_.keep_sizes.find(job.id);
            job.runs() && kept != sources_.keep_sizes.end() && seen_.now < kept->second) {
            seen.max = std::max(seen.min, std::min(seen.max, seen.gpus));
        }
        seen.curve = sources_.speeds.of(
            job, {.pool = pool.name,
                  .most = std::max({seen.max, seen.gpus, seen.requested}),
                  .gpus_per_node = pool.gpus_per_node,
                  .links = links_of(gpus_.groups()[place]),
                  .batches = memory.options.max_batch
                                 ? std::optional(sources_.noise_scales.range_of(job, reports))
                                 : std::nullopt,
                  .points = reports == nullptr ? std::vector<elastic::SpeedPoint>()
                                               : points_of(*reports)});
        seen.rescale =
            sources_.rescales.of(job.uid, cost::model_key(memory.options.model.value_or("")));
        seen.stays = why_it_stays(job);
        if (memory.options.sizes.kind != domain::SizeRule::Kind::any && seen.sizes.empty()) {
            seen.stays = "no number of GPUs that it may have is one of --hora-sizes";
        }
        if (!usable && seen.stays.empty()) {
            seen.stays = usable.error().message;
        }
        return seen;
    }

    std::optional<elastic::NodeLinks> links_of(const GpuGroup& group) const {
        const domain::Cluster& cluster = seen_.cluster->cluster;
        return cluster.parts.empty() || group.free.size() < 2
                   ? std::nullopt
                   : std::optional(elastic::NodeLinks{.inside = group.inside,
                                                      .between = cluster.parts[0].link});
    }

    void add_work(const ObservedJob& job, elastic::SeenJob& seen) const {
        if (const auto stated = stated_steps(job.memory->options)) {
            seen.steps = static_cast<double>(*stated);
        }
        const JobReports* const reports = reports_of(job);
        if (reports != nullptr && reports->progress) {
            seen.steps_done = steps_done(job.memory->options, *reports->progress);
        }
    }

    const JobReports* reports_of(const ObservedJob& job) const {
        const auto found = sources_.reports.find(job.id);
        return found == sources_.reports.end() ? nullptr : &found->second;
    }

    void add_past(const ObservedJob& job, elastic::SeenJob& seen) const {
        const JobPast* const past = sources_.past_runs.find(job);
        put_time_left(seen, job, past, seen_, sources_.settings);
        if (past == nullptr) {
            return;
        }
        seen.started = seconds(past->first_started);
        seen.resized = seconds(past->last_started);
        seen.attained = past->attained;
        seen.restarts = past->restarts - past->first_restarts;
    }

    std::string why_it_stays(const ObservedJob& job) const {
        // Slurm looks at a new job first.
        constexpr std::int64_t first_look = 5;
        if (std::string why = why_fixed(job.memory->decision); !why.empty()) {
            return why;
        }
        if (const auto rest = sources_.rests.find(job.id);
            rest != sources_.rests.end() && seen_.now < rest->second) {
            return "could not be resized a moment ago";
        }
        if (!job.runs()) {
            return seen_.now - job.eligible < first_look ? "has only just come" : std::string();
        }
        const auto report = sources_.reports.find(job.id);
        const bool has_progress = report != sources_.reports.end() && report->second.progress &&
                                  report->second.restarts == job.restarts;
        if (!has_progress) {
            return "has reported no progress since its start";
        }
        const Seconds cooldown = sources_.settings.get<Seconds>("elastic.cooldown");
        // A clock that was set back says nothing of the time since.
        if (job.started <= seen_.now && seconds(seen_.now - job.started) < cooldown) {
            return "was started or resized not long ago";
        }
        return is_reserved(job, *seen_.cluster, seen_.now)
                   ? "a reservation begins before it may have ended"
                   : std::string();
    }

    const PoolSources& sources_;
    const Observation& seen_;
    GpuMap gpus_;
    std::vector<elastic::Pool> pools_;
    std::map<const elastic::Pool*, std::vector<const ObservedJob*>> strangers_;
    // Pools of which it is not known which nodes can give what.
    std::set<std::size_t> unknown_places_;
};

}  // namespace

bool is_elastic(const ObservedJob& job) {
    return job.memory && job.memory->decision.has_plan && job.memory->options.is_elastic &&
           !job.memory->options.is_off && job.is_batch && !job.is_array && !job.is_het &&
           job.may_requeue;
}

std::vector<elastic::Pool> pools_of(const PoolSources& sources) {
    return Pools(sources).build();
}

std::optional<PooledJob> find_job(std::uint32_t job, const std::vector<elastic::Pool>& pools) {
    for (const elastic::Pool& pool : pools) {
        for (const elastic::SeenJob& seen : pool.jobs) {
            if (seen.id == job) {
                return PooledJob{.job = seen, .pool = pool};
            }
        }
    }
    return std::nullopt;
}

}  // namespace hora::horad
