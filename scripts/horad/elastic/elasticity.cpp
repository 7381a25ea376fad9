// Which jobs are to grow and shrink, and who does it?
#include "scripts/horad/elastic/elasticity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "libplanner/elastic/decide.hpp"
#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/jobs/as_owner.hpp"
#include "plugins/slurm/jobs/batch_word.hpp"
#include "scripts/horad/elastic/limit_rule.hpp"
#include "scripts/horad/elastic/resize_request.hpp"
#include "scripts/horad/observe/allowed_sizes.hpp"
#include "scripts/horad/observe/job_request.hpp"
#include "scripts/horad/resize/resize_shape.hpp"

namespace hora::horad {
namespace {

const std::string of_journal = "journal";
const std::string of_past_runs = "past_runs";

// What the reports say, in the actor's words.
class ReportListener : public Listener {
  public:
    explicit ReportListener(const Reports& reports) : reports_(reports) {}

    Heard heard_of(std::uint32_t job, std::uint32_t restarts) const override {
        const auto of_job = reports_.of(job);
        if (!of_job || of_job->restarts != restarts) {
            return {};
        }
        return {.has_progressed = of_job->progress.has_value(),
                .has_checkpointed = of_job->checkpoint.has_value(),
                .last = of_job->last_progress};
    }

  private:
    const Reports& reports_;
};

// That a job is to start with on so many GPUs; 0: with the one that it has.
std::uint64_t next_batch(const std::optional<PooledJob>& pooled, std::uint32_t gpus,
                         std::uint32_t nodes) {
    if (!pooled || gpus == 0) {
        return 0;
    }
    const std::uint32_t gpus_per_node = pooled->pool.gpus_per_node;
    const std::uint32_t fewest = (gpus + gpus_per_node - 1) / gpus_per_node;
    const elastic::SeenJob& job = pooled->job;
    const std::uint64_t batch = elastic::fastest_batch(*job.curve, gpus, std::max(nodes, fewest));
    return batch == job.batch ? 0 : batch;
}

}  // namespace

Elasticity::Elasticity(JournalFile& journal, const read::Settings& settings, Plans& plans, Log& log)
    : log_(log),
      plans_(plans),
      settings_(settings),
      slurm_(journal.folder()),
      journal_(journal, list_of_resizes),
      of_pending_(journal),
      history_(settings, log),
      pending_(slurm_, of_pending_, history_,
               [&log](const std::string& line) { log.warning(line); }),
      past_runs_(journal),
      actor_(slurm_, journal_, pending_, history_, ResizeLimits{},
             [&log](const std::string& line) { log.note(line); }),
      sweep_(slurm_, [&log](const std::string& line) { log.warning(line); }),
      restarts_(journal),
      forgotten_(slurm_, restarts_, history_,
                 [&log](const std::string& line) { log.warning(line); }),
      forgotten_requeues_(slurm_, restarts_, history_,
                          [&log](const std::string& line) { log.warning(line); }) {
    take(settings);
    // Else the first list would stand for what is damaged in all of them.
    if (const auto opened = journal.ready(); !opened) {
        log_.warning(opened.error().message);
    }
    for (const auto& loaded : {past_runs_.load(), pending_.load(), restarts_.load()}) {
        if (!loaded) {
            log_.warning(loaded.error().message);
        }
    }
}

void Elasticity::take(const read::Settings& settings) {
    settings_ = settings;
    history_.take(settings);
    // The name was looked at when the settings were read.
    if (auto policy = elastic::make_policy(settings.get<std::string>("elastic.policy"))) {
        policy_ = *std::move(policy);
    }
    actor_.set_limits({.ready = settings.get<Seconds>("elastic.ready_timeout"),
                       .fallback = settings.get<Seconds>("elastic.fallback"),
                       .reserves_nodes = settings.get<bool>("elastic.reserve")});
    forgotten_requeues_.set_patience(settings.get<Seconds>("elastic.ready_timeout"));
    is_due_ = true;
}

std::set<std::uint32_t> Elasticity::resized_jobs() const {
    std::set<std::uint32_t> jobs;
    for (const ResizeEntry& entry : actor_.under_way()) {
        jobs.insert(entry.resize.job);
    }
    return jobs;
}

Moment Elasticity::moment() const {
    const std::chrono::duration<double> wall = std::chrono::system_clock::now().time_since_epoch();
    const std::chrono::duration<double> steady = Clock::now().time_since_epoch();
    return {.wall = wall.count(), .steady = Seconds(steady.count())};
}

std::unique_ptr<Shaper> Elasticity::shaper(const Observation& seen) const {
    return std::make_unique<SnapshotShaper>(seen.cluster, slurm::this_version,
                                            settings_.get<Seconds>("placement.wait"),
                                            plans_.finder());
}

void Elasticity::write_down(const Observation& seen, const Reports& reports,
                            const HistoryWriter::LivingPlans& living_plans) {
    history_.record(seen, reports.all());
    history_.forget(seen.now, living_plans);
}

void Elasticity::step(const Observation& seen, const Reports& reports, bool is_news) {
    // Between two decisions; and at the latest, for time alone changes what is worth it.
    constexpr std::chrono::seconds shortest{1};
    constexpr std::chrono::seconds longest{10};
    past_runs_.see(seen);
    if (const auto kept = past_runs_.keep(seen.now); !kept) {
        log_.trouble(of_past_runs, kept.error().message);
    } else {
        log_.fine(of_past_runs);
    }
    const std::uint64_t heard = reports.count();
    is_due_ = is_due_ || is_news || heard != reports_heard_;
    const auto passed = Clock::now() - decided_;
    // What a job that has ended held would count twice, or what one that has started holds.
    const bool is_later_better = !is_due_ || seen.has_older_cluster;
    if (passed < shortest || (is_later_better && passed < longest)) {
        return;
    }
    reports_heard_ = heard;
    is_due_ = false;
    decided_ = Clock::now();
    decide(seen, reports);
}

// What is known of jobs that are gone.
void Elasticity::forget_gone(const Observation& seen) {
    const auto is_gone = [&](const auto& one) { return seen.find(one.first) == nullptr; };
    std::erase_if(decisions_, is_gone);
    std::erase_if(refused_, is_gone);
    failures_.forget_gone(seen);
    limits_.forget_gone(seen);
    speeds_.forget_gone(seen);
}

void Elasticity::decide(const Observation& seen, const Reports& reports) {
    const auto all = reports.all();
    const auto under_way = actor_.under_way();
    const auto cooldown = settings_.get<Seconds>("elastic.cooldown");
    for (const Resized& failed : history_.take_failed()) {
        rests_[failed.entry.resize.job] =
            seen.now + failures_.rest_after(failed, seen.now, cooldown);
        limits_.learn(failed, seen.now);
    }
    // Nobody rests for longer than that, also where the clock was set back meanwhile.
    const auto is_over = [&](const auto& one) {
        return one.second <= seen.now ||
               one.second > seen.now + FailedResizes::longest_rest(cooldown);
    };
    std::erase_if(rests_, is_over);
    std::erase_if(keep_sizes_, is_over);
    std::erase_if(keep_nodes_, is_over);
    forget_gone(seen);
    seen_.pools =
        pools_of({seen, all, past_runs_, under_way, rests_, keep_sizes_, keep_nodes_, limits_,
                  speeds_, noise_scales_, pending_.manual(), pending_.resized(seen),
                  history_.digest(seen.now).rescales, settings_, actor_.reserves_nodes()});
    see_idle(seen.now, cooldown);
    seen_.curves.clear();
    next_.clear();
    held_.clear();
    stays_.clear();
    for (const elastic::Pool& pool : seen_.pools) {
        decide_on(pool, seen);
    }
}

void Elasticity::see_idle(std::int64_t now, Seconds cooldown) {
    std::map<std::string, elastic::IdleWindow> seen;
    for (elastic::Pool& pool : seen_.pools) {
        elastic::IdleWindow& window = seen[pool.name] = std::move(idle_[pool.name]);
        window.see(Seconds(static_cast<double>(now)), pool.idle);
        pool.settled = window.least(cooldown);
        // The scheduler may take some of its cycles, however long the job had waited before.
        for (elastic::OtherJob& other : pool.others) {
            other.waited = std::min(other.waited, window.lasted(other.gpus));
        }
        for (elastic::SeenJob& job : pool.jobs) {
            job.waited = std::min(job.waited, window.lasted(job.asks));
        }
    }
    idle_ = std::move(seen);
}

void Elasticity::decide_on(const elastic::Pool& pool, const Observation& seen) {
    elastic::Decision decision = elastic::decide(pool, *policy_);
    for (const elastic::HeldBack& held : decision.held) {
        held_[static_cast<std::uint32_t>(held.id)] = {
            .gpus = held.gpus, .otherwise = held.otherwise, .why = held.why};
    }
    for (const elastic::Change& change : decision.now) {
        carry_out(change, seen);
    }
    choose_first_batches(pool, seen);
    for (elastic::Unchanged& unchanged : decision.unchanged) {
        stays_[static_cast<std::uint32_t>(unchanged.id)] = std::move(unchanged.why);
    }
    for (const elastic::SeenJob& job : pool.jobs) {
        const auto id = static_cast<std::uint32_t>(job.id);
        seen_.curves.emplace(id, job.curve);
        if (const auto refused = refused_.find(id);
            refused != refused_.end() && (rests_.contains(id) || keep_sizes_.contains(id))) {
            stays_[id] = refused->second;
        }
    }
    for (const elastic::Change& change : decision.later) {
        next_.push_back({.job = static_cast<std::uint32_t>(change.id),
                         .from = change.from,
                         .to = change.to,
                         .when = std::nullopt,
                         .why = change.why});
    }
}

// A job that waits needs no restart for another batch. The word that says so changes nothing of its
// request, and a start that misses it has the smallest.
void Elasticity::choose_first_batches(const elastic::Pool& pool, const Observation& seen) {
    for (const elastic::SeenJob& waiting : pool.jobs) {
        const std::uint64_t batch =
            waiting.gpus == 0 ? next_batch(PooledJob{waiting, pool}, waiting.asks, 0) : 0;
        const auto id = static_cast<std::uint32_t>(waiting.id);
        const ObservedJob* const job = seen.find(id);
        if (batch == 0 || !waiting.stays.empty() || job == nullptr || actor_.is_resizing(id) ||
            mode_of(*job, *seen.cluster, settings_) != read::OperatingMode::act) {
            continue;
        }
        const auto now = slurm_.look_at(id);
        if (!now || !*now || (*now)->state != slurm::JobState::pending) {
            continue;
        }
        slurm::JobChange change;
        change.admin_comment = slurm::with_batch((*now)->admin_comment, batch);
        if (slurm_.change(id, change).reply == slurm::Reply::done) {
            log_.note(fmt::format("job {}: is to start with a batch of {}", id, batch));
        }
    }
}

void Elasticity::carry_out(const elastic::Change& change, const Observation& seen) {
    const ObservedJob* const job = seen.find(static_cast<std::uint32_t>(change.id));
    if (job == nullptr) {
        return;
    }
    domain::StatusDecision& last = decisions_[job->id];
    const bool is_new = last.to != change.to || last.why != change.why;
    const read::OperatingMode mode = mode_of(*job, *seen.cluster, settings_);
    if (mode == read::OperatingMode::act) {
        if (const auto to = request(change, *job, seen)) {
            last = {.when = seen.now, .to = *to, .is_done = true, .why = change.why};
        }
        return;
    }
    if (is_new) {
        last = {.when = seen.now, .to = change.to, .is_done = false, .why = change.why};
        const std::string what =
            change.to == 0 ? fmt::format("job {} would be suspended {}", job->id, change.why)
                           : fmt::format("job {} would go from {} to {} GPUs: {}", job->id,
                                         change.from, change.to, change.why);
        log_.note(fmt::format("{}; nothing is done in mode \"{}\"", what, read::name_of(mode)));
    }
    next_.push_back(
        {.job = job->id,
         .from = change.from,
         .to = change.to,
         .when = std::nullopt,
         .why = fmt::format("{}; not in mode \"{}\"", change.why, read::name_of(mode))});
}

// Not where this process could not change the job in its owner's name: it would be restarted for
// nothing.
Expected<void> Elasticity::begin(Resize resize, const Observation& seen) {
    const ObservedJob* const job = seen.find(resize.job);
    if (job != nullptr) {
        if (auto can = slurm::as_user(job->uid, [] {}); !can) {
            return can;
        }
    }
    resize.is_unanswered = failures_.is_unanswered(resize.job, resize.restarts);
    return actor_.request(resize, *shaper(seen), moment());
}

std::optional<std::uint32_t> Elasticity::request(const elastic::Change& change,
                                                 const ObservedJob& job, const Observation& seen) {
    Resize resize;
    resize.job = job.id;
    resize.restarts = job.restarts;
    resize.from = change.from;
    resize.to = change.to;
    resize.min = job.memory->options.gpus ? job.memory->options.gpus->min : 1;
    resize.min = std::max(resize.min, change.fallback);
    resize.sizes = allowed_sizes(*job.memory, resize.min, std::max(change.from, change.to));
    resize.why = change.why;
    resize.limit = limit_rule_of(job, seen, settings_);
    resize.signal = job.memory->options.signal;
    const auto pooled = find_job(job.id, seen_.pools);
    resize.batch = next_batch(pooled, change.to, change.nodes);
    auto begun = begin(resize, seen);
    for (std::size_t i = 0; !begun && i < change.instead.size(); ++i) {
        resize.to = change.instead[i];
        resize.batch = next_batch(pooled, resize.to, change.nodes);
        if (begin(resize, seen)) {
            begun = {};
        }
    }
    if (begun) {
        refused_.erase(job.id);
        return resize.to;
    }
    constexpr std::int64_t pause = 60;
    constexpr std::int64_t long_pause = 600;
    if (change.nodes > 0) {
        // Its request or a limit keeps it where it is, and it may be resized all the same.
        keep_nodes_[job.id] = seen.now + long_pause;
    } else {
        // What it is refused it may well give up.
        (change.to > change.from ? keep_sizes_ : rests_)[job.id] = seen.now + pause;
    }
    std::string& known = refused_[job.id];
    if (known != begun.error().message) {
        known = begun.error().message;
        log_.warning(known);
    }
    return std::nullopt;
}

void Elasticity::collect_requests() {
    for (const ResizeRequest& request : requests_.take()) {
        heard_.push_back(request);
    }
}

bool Elasticity::begin_requested(const Observation& seen) {
    const std::vector<ResizeRequest> requests = std::exchange(heard_, {});
    for (const ResizeRequest& request : requests) {
        requests_.answer(
            request, granted(request, seen, seen_.pools, settings_).and_then([&](Resize resize) {
                decisions_.erase(resize.job);  // somebody knows better
                resize.batch = next_batch(find_job(resize.job, seen_.pools), resize.to, 0);
                return begin(resize, seen);
            }));
    }
    return !requests.empty();
}

void Elasticity::act(const Observation& seen, const Reports& reports) {
    if (!has_recovered_) {
        const auto recovered = actor_.recover(moment());
        has_recovered_ = recovered.has_value();
        if (!recovered) {
            log_.trouble(of_journal, recovered.error().message);
            sweep_.step(seen, {}, moment());
            return;
        }
        log_.fine(of_journal);
    }
    slurm_.renew_locks(seen, actor_.under_way());
    forgotten_.note(actor_.under_way());
    if (seen.has_restart_reservation) {
        actor_.suspect_reservation();
    }
    if (actor_.is_open()) {
        actor_.step(ReportListener(reports), *shaper(seen), moment());
    }
    sweep_.step(seen, actor_.under_way(), moment());
    forgotten_.step(seen, actor_.under_way(), moment());
    forgotten_requeues_.step(seen, reports, actor_.under_way(), moment());
    pending_.step(seen, actor_.under_way(), moment());
}

}  // namespace hora::horad
