// Where do all jobs stand at this moment of a simulation, and what changes next?
#include "libplanner/sim/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "libplanner/elastic/decide.hpp"
#include "libplanner/elastic/policies/backfill.hpp"
#include "libplanner/elastic/suspension.hpp"
#include "libplanner/sim/answer_check.hpp"
#include "libplanner/sim/daemon_view.hpp"
#include "libplanner/sim/even_room.hpp"
#include "libplanner/sim/time_limit.hpp"
#include "libplanner/sim/workload/true_speed.hpp"

namespace hora::sim {
namespace {

// Progress reports of so long a stretch of training make a measurement.
constexpr Seconds measuring_time(30);
// A job that is restarted whenever it has restarted would never end, and neither would we.
constexpr std::uint32_t most_restarts = 100'000;
// How soon horad decides again after it has changed something, how soon it knows that a job trains,
// and how long it leaves a job alone that it could not resize.
constexpr Seconds after_change(1);
constexpr Seconds first_report(1);
constexpr Seconds after_refusal(60);

}  // namespace

Simulation::Simulation(const domain::JobTrace& trace, const elastic::Policy& policy,
                       const Setup& setup)
    : trace_(trace),
      policy_(policy),
      setup_(setup),
      knowledge_(
          make_knowledge(setup.knowledge, trace,
                         {setup.gpus_per_node, setup.network, setup.seed, setup.shares_fits})),
      placement_(setup.nodes, setup.gpus_per_node) {
    state_.gpus = setup.gpus();
    state_.gpus_per_node = setup.gpus_per_node;
    state_.rescale = setup.rescale;
    state_.constants = setup.constants;
    // For ever before.
    idle_.see(Seconds(-INFINITY), setup.gpus());
    result_.gpus = setup.gpus();
    result_.jobs.resize(trace.jobs.size());
    for (std::uint32_t job = 0; job < trace.jobs.size(); ++job) {
        result_.jobs[job].job = job;
        result_.jobs[job].submitted = trace.jobs[job].submitted;
        result_.limited += trace.jobs[job].limit ? 1 : 0;
    }
}

bool Simulation::has_next() const {
    return next_arrival_ < trace_.jobs.size() || !active_.empty() || !queue_.empty();
}

// When something happens next. Idle, it leaves out the rounds in which nothing can.
Seconds Simulation::next_moment() {
    Seconds next(INFINITY);
    if (next_arrival_ < trace_.jobs.size()) {
        next = trace_.jobs[next_arrival_].submitted;
    }
    if (!events_.is_empty()) {
        next = std::min(next, events_.top().time);
    }
    if (has_rounds() && active_.empty()) {
        round_ = std::max(round_, static_cast<std::uint64_t>(std::ceil(next / setup_.round)));
    } else if (has_rounds()) {
        next = std::min(next, next_round());
    }
    return next;
}

void Simulation::take_events() {
    while (!events_.is_empty() && events_.top().time <= state_.now) {
        const Event event = events_.top();
        events_.pop();
        const std::size_t place = place_of(event.job, active_);
        if (place == active_.size() || active_[place].job != event.job ||
            active_[place].starts != event.start) {
            continue;
        }
        if (event.kind == EventKind::is_measured) {
            measure(active_[place]);
        } else if (event.kind != EventKind::is_looked_at) {
            result_.jobs[event.job].is_cut_off = event.kind == EventKind::is_cut_off;
            end(place);
        }
    }
    if (ended_ > 0) {
        remove_ended(active_, state_.jobs);
        ended_ = 0;
    }
}

void Simulation::step() {
    state_.now = next_moment();
    take_events();
    while (next_arrival_ < trace_.jobs.size() &&
           trace_.jobs[next_arrival_].submitted <= state_.now) {
        queue_.push_back(next_arrival_++);
    }
    show_queue();
    if (setup_.play == Play::daemon) {
        start_pending();
        see_idle();
    }
    wants_decision_ = !has_rounds() || state_.now >= next_round();
    if (has_rounds() && wants_decision_) {
        ++round_;
    }
    wants_decision_ = wants_decision_ && !active_.empty() && !is_settled();
}

void Simulation::show_queue() {
    while (!queue_.empty() && active_.size() - running_ < policy_.looks_at(placement_.idle())) {
        show(queue_.front());
        queue_.pop_front();
    }
}

void Simulation::show(std::uint32_t job) {
    const domain::TraceJob& described = trace_.jobs[job];
    state_.jobs.push_back(as_submitted(job, described, setup_.gpus()));
    ActiveJob active;
    active.job = job;
    active.left = described.epochs;
    active.asks = described.is_elastic ? first_size(described) : described.requested;
    active_.push_back(std::move(active));
    look_up(active_.size() - 1);
    if (described.is_elastic) {
        ++elastic_jobs_;
    } else {
        rigid_waiting_.insert(described.requested);
    }
}

void Simulation::look_up(std::size_t place) {
    active_[place].curve = knowledge_->curve(active_[place].job);
    state_.jobs[place].epoch_seconds = active_[place].curve->step;
    state_.jobs[place].uncertainty = active_[place].curve->uncertainty;
}

void Simulation::end(std::size_t place) {
    ActiveJob& active = active_[place];
    JobResult& row = result_.jobs[active.job];
    active.has_ended = true;
    row.ended = state_.now;
    row.gpu_seconds = active.attained +
                      state_.jobs[place].gpus * (state_.now - state_.jobs[place].resized).count();
    row.restarts = state_.jobs[place].restarts;
    placement_.give_back(active.shares);
    elastic_jobs_ -= trace_.jobs[active.job].is_elastic ? 1 : 0;
    --running_;
    ++ended_;
}

void Simulation::measure(const ActiveJob& active) {
    const std::size_t place = place_of(active.job, active_);
    has_learned_ = knowledge_->observe(active.job, state_.jobs[place].gpus,
                                       static_cast<std::uint32_t>(active.shares.size()),
                                       active.batch, active.epoch) ||
                   has_learned_;
}

// With rigid jobs alone there is only to decide who starts, and somebody must fit.
bool Simulation::is_settled() const {
    return elastic_jobs_ == 0 &&
           (rigid_waiting_.empty() || *rigid_waiting_.begin() > placement_.idle());
}

void Simulation::refresh(std::size_t place) {
    const ActiveJob& active = active_[place];
    domain::ElasticJob& job = state_.jobs[place];
    if (job.gpus == 0) {
        return;
    }
    job.epochs_left = stated_left(trace_.jobs[active.job], active.left_at(state_.now));
    job.attained = active.attained + job.gpus * (state_.now - job.resized).count();
}

void Simulation::refresh_all() {
    for (std::size_t place = 0; place < active_.size(); ++place) {
        if (has_learned_) {
            look_up(place);
        }
        refresh(place);
    }
    if (result_.limited > 0 && setup_.play == Play::policy) {
        heed_limits(state_, active_, trace_, setup_.limits);
    }
    has_learned_ = false;
}

std::string Simulation::decide() {
    refresh_all();
    ++result_.decisions;
    if (setup_.play == Play::daemon) {
        play_daemon();
    } else if (std::string problem = play_policy(); !problem.empty()) {
        return problem;
    }
    if (is_endless_) {
        return fmt::format("has restarted a job {} times", most_restarts);
    }
    return is_stuck() ? fmt::format("lets {} jobs wait for ever on an idle cluster", active_.size())
                      : std::string();
}

bool Simulation::is_stuck() const {
    return running_ == 0 && !active_.empty() && next_arrival_ == trace_.jobs.size() &&
           std::none_of(active_.begin(), active_.end(), [&](const ActiveJob& active) {
               return active.suspended_until > state_.now;
           });
}

std::string Simulation::play_policy() {
    const elastic::Allocation allocation = policy_.decide(state_);
    if (std::string problem = broken_promise(state_, allocation.gpus, trace_); !problem.empty()) {
        return problem;
    }
    apply(result_.limited > 0 ? without_danger(state_, allocation.gpus) : allocation.gpus);
    return {};
}

void Simulation::play_daemon() {
    const elastic::Decision decision = elastic::decide(
        daemon_view(state_, active_, trace_, setup_, placement_, idle_.least(setup_.cooldown)),
        policy_);
    for (const elastic::Change& change : decision.now) {
        carry_out(change);
    }
    start_pending();
    see_idle();
}

// GPUs that have become idle count once they have been so for a while: then it looks again.
void Simulation::see_idle() {
    const std::uint32_t idle = placement_.idle();
    if (idle > idle_.now() && !active_.empty()) {
        look_again(active_.front(), state_.now + setup_.cooldown);
    }
    idle_.see(state_.now, idle);
}

// As slurmctld with sched/backfill: none delays any that came before it, by their time limits. For
// one that no nodes can hold yet, as many GPUs as it requests are reserved from the moment on when
// they can; slurmctld reserves these very nodes, so that it may wait longer here.
void Simulation::start_pending() {
    if (running_ == active_.size() || placement_.idle() == 0) {
        return;
    }
    elastic::BackfillPlan plan(setup_.gpus(), elastic::Reservations::all);
    EvenRoom room(placement_);
    for (std::size_t place = 0; place < active_.size(); ++place) {
        if (state_.jobs[place].gpus > 0) {
            plan.hold(state_.jobs[place].gpus, limit_left(place));
            room.hold(active_[place].shares, limit_left(place));
        }
    }
    for (std::size_t place = 0; place < active_.size() && placement_.idle() > 0; ++place) {
        if (plan.is_over()) {
            return;
        }
        const std::uint32_t asks = active_[place].asks;
        if (state_.jobs[place].gpus > 0 || active_[place].suspended_until > state_.now) {
            continue;
        }
        const Seconds from = is_even(place, asks) ? room.from(asks) : Seconds(0);
        if (plan.starts(asks, limit_left(place), from)) {
            start(place, asks);
            room.hold(active_[place].shares, limit_left(place));
        }
    }
}

// By Slurm's clock: of one that waits, on the GPUs that it asks for.
Seconds Simulation::limit_left(std::size_t place) const {
    const ActiveJob& active = active_[place];
    const domain::TraceJob& described = trace_.jobs[active.job];
    const domain::ElasticJob& job = state_.jobs[place];
    if (!described.limit) {
        return elastic::unlimited - (job.gpus > 0 ? state_.now - *job.started : Seconds(0));
    }
    return own_limit_left(described, active, job, setup_.limits, state_.now) *
           stretch_on(described, job.gpus > 0 ? job.gpus : active.asks, setup_.limits);
}

// Its request, which Slurm gives it unevenly where nodes cannot share it otherwise. Where that is
// none of its sizes, the nearest of these, smaller ones first, and such first as nodes can give
// evenly.
std::uint32_t Simulation::first_size(const domain::TraceJob& job) const {
    if (job.sizes.empty()) {
        return job.requested;
    }
    const auto above = std::upper_bound(job.sizes.begin(), job.sizes.end(), job.requested);
    if (above != job.sizes.begin() && *std::prev(above) == job.requested) {
        return job.requested;
    }
    const auto can_be_even = [&](std::uint32_t gpus) { return placement_.can_be_even(gpus); };
    const auto smaller =
        std::find_if(std::make_reverse_iterator(above), job.sizes.rend(), can_be_even);
    if (smaller != job.sizes.rend()) {
        return *smaller;
    }
    const auto larger = std::find_if(above, job.sizes.end(), can_be_even);
    if (larger != job.sizes.end()) {
        return *larger;
    }
    return above == job.sizes.begin() ? *above : *std::prev(above);
}

bool Simulation::is_even(std::size_t place, std::uint32_t gpus) const {
    return setup_.play == Play::daemon && state_.jobs[place].is_elastic &&
           placement_.can_be_even(gpus);
}

// A waiting job asks for less from now on; one that runs restarts on the first size that nodes
// have.
void Simulation::carry_out(const elastic::Change& change) {
    const std::size_t place = place_of(static_cast<std::uint32_t>(change.id), active_);
    ActiveJob& active = active_[place];
    if (change.to == 0) {
        suspend(place);
        look_again(active, state_.now + after_change);
        return;
    }
    std::vector<std::uint32_t> sizes = change.instead;
    sizes.insert(sizes.begin(), change.to);
    const auto size = std::find_if(sizes.begin(), sizes.end(), [&](std::uint32_t gpus) {
        if (change.waits) {
            return placement_.can_be_even(gpus);
        }
        const std::size_t nodes = placement_.find_even(gpus, active.shares).size();
        return nodes > 0 && (change.nodes == 0 || nodes <= change.nodes);
    });
    if (size == sizes.end()) {
        active.rests_until = state_.now + after_refusal;
        look_again(active, active.rests_until);
        return;
    }
    if (change.waits) {
        active.asks = *size;
    } else {
        stop(place);
        start(place, *size);
    }
    look_again(active, state_.now + after_change);
}

void Simulation::look_again(const ActiveJob& active, Seconds when) {
    events_.push({when, active.job, active.starts, EventKind::is_looked_at});
}

void Simulation::apply(const std::vector<std::uint32_t>& gpus) {
    std::vector<std::size_t> changed;
    for (std::size_t place = 0; place < gpus.size(); ++place) {
        if (gpus[place] != state_.jobs[place].gpus) {
            changed.push_back(place);
        }
    }
    for (const std::size_t place : changed) {
        if (state_.jobs[place].gpus > 0) {
            stop(place);
        }
    }
    // P5's order: the largest is the hardest to place.
    std::stable_sort(changed.begin(), changed.end(), [&gpus](std::size_t one, std::size_t other) {
        return gpus[one] > gpus[other];
    });
    for (const std::size_t place : changed) {
        start(place, gpus[place]);
    }
}

void Simulation::stop(std::size_t place) {
    ActiveJob& active = active_[place];
    const domain::ElasticJob& job = state_.jobs[place];
    active.left = active.left_at(state_.now);
    active.limit_used +=
        (state_.now - job.resized) / stretch_on(trace_.jobs[active.job], job.gpus, setup_.limits);
    active.attained = state_.jobs[place].attained;
    is_endless_ = ++state_.jobs[place].restarts >= most_restarts || is_endless_;
    placement_.give_back(active.shares);
}

// It asks for what it had.
void Simulation::suspend(std::size_t place) {
    ActiveJob& active = active_[place];
    domain::ElasticJob& job = state_.jobs[place];
    stop(place);
    active.asks = std::exchange(job.gpus, 0);
    active.shares.clear();
    active.suspended_until = state_.now + elastic::suspended_for;
    ++active.starts;  // what was to come of the last one is void
    --running_;
    result_.jobs[active.job].segments.push_back({state_.now, 0, 0, 0});
    look_again(active, active.suspended_until);
}

void Simulation::start(std::size_t place, std::uint32_t gpus) {
    ActiveJob& active = active_[place];
    domain::ElasticJob& job = state_.jobs[place];
    JobResult& row = result_.jobs[active.job];
    const bool is_first = !job.started;
    if (is_first) {
        job.started = state_.now;
        row.started = state_.now;
        if (!job.is_elastic) {
            rigid_waiting_.erase(rigid_waiting_.find(job.requested));
        }
    }
    running_ += job.gpus == 0 ? 1 : 0;
    job.gpus = gpus;
    job.resized = state_.now;
    active.shares = is_even(place, gpus) ? placement_.take_even(gpus) : placement_.take(gpus);
    const auto nodes = static_cast<std::uint32_t>(active.shares.size());
    active.trains_from =
        state_.now + (is_first && !setup_.charges_start ? Seconds(0) : setup_.rescale);
    const domain::TraceJob& described = trace_.jobs[active.job];
    active.batch =
        known_batch(trace_, described, elastic::fastest_batch(*active.curve, gpus, nodes), gpus);
    active.epoch = epoch_on(speed_with(trace_, described, active.batch), gpus, nodes);
    ++active.starts;
    row.segments.push_back({state_.now, gpus, nodes, active.batch});
    schedule_end(place);
    if (setup_.play == Play::daemon && job.is_elastic) {
        look_again(active, std::max(state_.now + std::max(setup_.cooldown, setup_.rescale),
                                    active.trains_from + first_report));
    }
}

void Simulation::schedule_end(std::size_t place) {
    constexpr Seconds rounding(1e-6);
    const ActiveJob& active = active_[place];
    const Seconds done = active.trains_from + active.epoch * active.left;
    const Seconds limit =
        trace_.jobs[active.job].limit ? state_.now + limit_left(place) : Seconds(INFINITY);
    const bool is_cut_off = done > limit + rounding;
    const Seconds end = is_cut_off ? limit : done;
    events_.push(
        {end, active.job, active.starts, is_cut_off ? EventKind::is_cut_off : EventKind::ends});
    if (setup_.knowledge == KnowledgeKind::learned && active.trains_from + measuring_time < end) {
        events_.push({active.trains_from + measuring_time, active.job, active.starts,
                      EventKind::is_measured});
    }
}

}  // namespace hora::sim
