// A Slurm with one job, a journal and a program, each of which can fail at any call.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/journal/pending_change.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

// AddressSanitizer's, in builds with it.
extern "C" void __asan_handle_no_return() __attribute__((weak));

// Thrown in the place of a kill.
struct Killed {};

// Then a new actor is made of what is on disk. AddressSanitizer keeps the frames that the exception
// has left until it is asked here to free them; thousands of kills later it searches long for a
// free one at each call.
template <typename Work>
bool is_killed_in(Work work) {
    try {
        work();
    } catch (const Killed&) {
        if (__asan_handle_no_return != nullptr) {
            __asan_handle_no_return();
        }
        return true;
    }
    return false;
}

inline slurm::JobShape shape_with(std::uint32_t gpus) {
    return {.nodes = 1,
            .tasks = gpus,
            .tasks_per_node = gpus,
            .cpus = 2 * gpus,
            .tres_per_node = "gres:gpu:" + std::to_string(gpus),
            .tres_per_socket = {},
            .sockets_per_node = 0,
            .cores_per_socket = 0};
}

// What the world does meanwhile, and counts calls so that any of them can be the last.
class FakeSlurm : public SlurmEdge {
  public:
    static constexpr std::uint32_t own_priority = 1000;
    // Of a job that was stopped: the last place in the queue.
    static constexpr std::uint32_t priority_of_the_freed = 900;

    FakeSlurm() {
        job_.id = 7;
        job_.uid = 1000;
        job_.submitted = 100;
        job_.state = slurm::JobState::running;
        job_.priority = own_priority;
        job_.shape = shape_with(2);
        job_.rest_of_request = "as it was";
        job_.partition = "main";
        job_.where = "n1";
        ask_for(2);
        hold_gpus(2);
    }

    // It has run on two nodes, with one GPU each.
    void spread() {
        first_nodes_ = job_.shape.nodes = 2;
        job_.shape.tasks_per_node = 1;
        job_.allocation = {{.node = "n1", .gpus = 1, .indices = {}},
                           {.node = "n2", .gpus = 1, .indices = {}}};
    }

    Expected<std::optional<slurm::Job>> look_at(std::uint32_t job) override {
        count();
        if (is_away) {
            return failure("slurmctld is away");
        }
        job_.updated = clock();
        return job == job_.id && !is_gone ? std::optional(job_) : std::optional<slurm::Job>();
    }

    void yield_times(std::uint32_t, std::uint32_t) override {
        count();
        yields_times = true;
    }

    slurm::Answered change(std::uint32_t, const slurm::JobChange& asked) override {
        count();
        slurm::JobChange change = asked;
        if (change.time_limit && sets_limit_meanwhile) {
            job_.time_limit = std::exchange(sets_limit_meanwhile, std::nullopt);
            if (yields_times) {
                change.time_limit.reset();
            }
        }
        if (change.begins && sets_begin_meanwhile) {
            job_.eligible = *std::exchange(sets_begin_meanwhile, std::nullopt);
            if (yields_times) {
                change.begins.reset();
            }
        }
        if (is_away) {
            return {slurm::Reply::unreachable, "slurmctld is away"};
        }
        if (change.seen && !slurm::still_asks_for(*change.seen, job_)) {
            return {slurm::Reply::refused, "its request was changed meanwhile"};
        }
        if (holds_meanwhile && change.priority) {
            user_holds();
        }
        if (job_.is_impossible() && !change.is_of_impossible &&
            (change.priority || change.forgets_priority)) {
            return {slurm::Reply::refused, "Job is in held state, pending scheduler release"};
        }
        limits += change.time_limit ? 1 : 0;
        begins += change.begins ? 1 : 0;
        if (change.time_limit && (refuses_limits || *change.time_limit > refuses_limits_above)) {
            return {slurm::Reply::refused, "not this limit"};
        }
        if (job_.state == slurm::JobState::ended &&
            (change.priority || change.forgets_priority || change.nice)) {
            return {slurm::Reply::refused, "Job/step already completing or completed"};
        }
        if (change.nice && refuses_nice) {
            return {slurm::Reply::refused, "no nice value"};
        }
        if (change.reservation && !change.reservation->empty() && !reserved_) {
            change.priority.reset();
            change.admin_comment.reset();
            change.reservation.reset();
            apply(change);  // what is changed in its owner's name comes first
            return {slurm::Reply::refused, "Requested reservation is invalid"};
        }
        if (change.shape && refuses_sizes) {
            return {slurm::Reply::refused, "not this size"};
        }
        if (change.shape && job_.state != slurm::JobState::pending) {
            return {slurm::Reply::refused, "the job is not pending"};
        }
        if (change.shape && change.shape->tasks == refuses_cpus_of) {
            apply_but_for_cpus(change);
            return {slurm::Reply::refused, "not these CPUs"};
        }
        apply(change);
        count();
        return {};
    }

    slurm::Answered hold(std::uint32_t, bool by_user) override {
        count();
        set_priority(0);
        job_.hold = by_user ? slurm::Hold::user : slurm::Hold::administrator;
        count();
        return {};
    }

    slurm::Answered ask_for_checkpoint(std::uint32_t, domain::CheckpointSignal) override {
        count();
        ++signals;
        if (job_.state == slurm::JobState::running && !ignores_signals) {
            requeues_at = now + 0.3;
        }
        count();
        return {};
    }

    slurm::Answered requeue(const slurm::Job&) override {
        count();
        if (is_away) {
            return {slurm::Reply::unreachable, "slurmctld is away"};
        }
        if (job_.state == slurm::JobState::pending) {
            return {slurm::Reply::refused, "Job is pending execution"};
        }
        job_.has_failed = false;
        requeue();
        count();
        return {};
    }

    slurm::Answered reserve(const slurm::ReservedNodes& reserved) override {
        count();
        if (is_away) {
            return {slurm::Reply::unreachable, "slurmctld is away"};
        }
        if (refuses_reservations) {
            return {slurm::Reply::refused, "Access/permission denied"};
        }
        reserved_ = reserved;
        ++reservations;
        count();
        return {};
    }

    slurm::Answered end_reservation() override {
        count();
        const bool has_job =
            job_.is_in_restart_reservation && job_.state != slurm::JobState::ended && !is_gone;
        if (is_away || has_job) {
            return {slurm::Reply::unreachable, is_away ? "slurmctld is away" : "a job is in it"};
        }
        reserved_.reset();
        count();
        return {};
    }
    const std::optional<slurm::ReservedNodes>& reserved() const { return reserved_; }

    bool computes_priorities() override { return computes; }
    bool users_swap_priorities() override { return owners_swap; }
    std::int64_t started() override {
        ++starts_asked;
        return says_no_start ? 0 : started_;
    }
    Expected<std::int64_t> newest_slurmd(const std::string& nodes) override {
        count();
        asked_nodes = nodes;
        return is_away ? Expected<std::int64_t>(failure("slurmctld is away"))
                       : Expected<std::int64_t>(slurmd_started);
    }
    Expected<std::uint32_t> highest_beside(const slurm::Job&) override {
        return is_away ? Expected<std::uint32_t>(failure("slurmctld is away"))
                       : Expected<std::uint32_t>(highest);
    }

    // Its nodes tell the new one of their GPUs a moment later.
    void restart() {
        started_ = clock();
        settled_at = now + 3;
    }

    // Killed within a second of the job's start, it has forgotten that. It tells the node to end
    // the job three seconds later, and the node refuses what begins before it has.
    void forget_start() {
        const bool has_just_begun = job_.state == slurm::JobState::running && now - started_at <= 1;
        restart();
        if (has_just_begun) {
            job_.state = slurm::JobState::pending;
            job_.began = 0;
            release_gpus();
            refuses_until = settled_at;
        }
    }

    // Killed as it was to be told of the end of the job's run, which it is told a minute later.
    void restart_slurmd() {
        slurmd_started = clock();
        tells_end_at = now + 60;
    }

    // The world between two ticks of the actor.
    void advance(double seconds) {
        now += seconds;
        if (requeues_at && now >= *requeues_at && job_.state == slurm::JobState::running) {
            checkpoint_of = job_.restarts;
            requeue();
        }
        if (job_.is_completing && now >= cleaned_at) {
            job_.is_completing = false;
            job_.eligible = clock() + 121;  // Slurm counts anew
            job_.submitted = clock();
            ended_at = now;
            last_second = std::max(last_second, clock());
        }
        if (others_run_until && now >= *others_run_until) {
            others_run_until.reset();
        }
        if (reserved_ && clock() >= reserved_->until) {
            reserved_.reset();
            job_.is_in_restart_reservation =
                job_.is_in_restart_reservation && job_.state != slurm::JobState::pending;
        }
        const bool asks_for_more = job_.asked_gpus > 2 || job_.shape.cpus > shape_with(2).cpus;
        if (finds_sizes_impossible && job_.state == slurm::JobState::pending && asks_for_more) {
            job_.priority = 0;
            job_.hold = slurm::Hold::impossible;
        }
        const bool is_kept =
            !refuses_to_start.empty() && (job_.asked_gpus != 2 || job_.shape.nodes < first_nodes_);
        job_.reason = is_kept ? refuses_to_start : "Resources";
        const bool is_closed = others_run_until || (reserved_ && !job_.is_in_restart_reservation);
        const bool may_begin = job_.state == slurm::JobState::pending && !job_.is_completing &&
                               !job_.is_held() && !job_.is_impossible() &&
                               clock() >= job_.eligible && job_.asked_gpus <= free_gpus &&
                               !is_kept && !is_closed;
        if (may_begin) {
            // A node that remembers the end refuses what is not later.
            is_too_early = is_too_early || (clock() <= last_second && now < ended_at + 119);
            has_been_refused = has_been_refused || now < refuses_until;
            job_.state = slurm::JobState::running;
            hold_gpus(job_.asked_gpus);
            started_at = now;
            job_.began = job_.started = clock();
        }
        if (tells_end_at && now >= *tells_end_at) {
            tells_end_at.reset();
            if (job_.state == slurm::JobState::running) {
                job_.state = slurm::JobState::ended;
                job_.has_failed = true;
                release_gpus();
            }
        }
    }

    void requeue() {
        requeues_at.reset();
        job_.state = slurm::JobState::pending;
        job_.is_completing = true;
        ++job_.restarts;
        job_.began = 0;
        job_.eligible = clock() + 121;
        last_second = clock();
        release_gpus();
        cleaned_at = now + cleaning;
        if (others_wait && !reserved_) {
            others_run_until = now + 100;
        }
    }

    void waits() {
        job_.state = slurm::JobState::pending;
        release_gpus();
    }
    void user_holds() {
        if (job_.state == slurm::JobState::pending) {
            set_priority(0);
            job_.hold = slurm::Hold::user;
            has_been_held = true;
        }
    }
    // The start that it did not know of is refused by the node: it is requeued and held.
    void holds_by_launch() {
        job_.state = slurm::JobState::pending;
        ++job_.restarts;
        release_gpus();
        job_.submitted = clock();
        job_.eligible = clock() + 121;
        set_priority(0);
        job_.hold = slurm::Hold::launch;
    }
    void user_cancels() {
        job_.state = slurm::JobState::ended;
        release_gpus();
    }
    void user_changes() {
        if (job_.state == slurm::JobState::pending) {
            job_.shape = shape_with(3);
            ask_for(3);
            has_been_changed = true;
        }
    }
    void user_makes_it_depend() {
        if (job_.state == slurm::JobState::pending) {
            job_.rest_of_request = "afterany:8";
            has_been_changed = true;
        }
    }
    // Slurm lets it begin in two minutes.
    void user_cancels_and_requeues() {
        if (job_.state == slurm::JobState::pending) {
            ++job_.restarts;
            job_.submitted = clock();
            job_.eligible = clock() + 121;
        }
    }
    void user_postpones() {
        if (job_.state == slurm::JobState::pending) {
            job_.eligible = clock() + 5000;
            is_postponed = true;
        }
    }

    const slurm::Job& job() const { return job_; }
    slurm::Job& job() { return job_; }

    // What slurmctld takes for the time, in whole seconds.
    std::int64_t clock() const { return static_cast<std::int64_t>(std::floor(now + clock_is_off)); }

    std::uint32_t highest = 5000;  // of what waits beside the job
    double now = 100'000;          // by a clock that nobody sets
    double clock_is_off = 0;
    double started_at = 0;
    double cleaning = 0.7;
    std::uint32_t free_gpus = 8;
    int signals = 0;
    bool is_away = false;
    bool is_gone = false;
    bool says_no_start = false;  // since when it runs
    int starts_asked = 0;        // how often it was asked for that
    bool finds_sizes_impossible = false;
    bool holds_meanwhile = false;  // the owner, between the actor's look and its change
    std::string refuses_to_start;  // any size but its first, for this reason
    bool refuses_sizes = false;
    std::uint32_t refuses_cpus_of = 0;  // tasks: such a change is half done
    bool refuses_reservations = false;
    int reservations = 0;      // that were made or changed
    bool others_wait = false;  // for all GPUs that a job leaves, where they are not reserved
    std::optional<double> others_run_until{};
    bool refuses_limits = false;
    Seconds refuses_limits_above{1e9};
    // The owner, after the actor's last look and before its change.
    std::optional<Seconds> sets_limit_meanwhile{};
    std::optional<std::int64_t> sets_begin_meanwhile{};  // likewise
    bool yields_times = false;
    int limits = 0;  // that were asked for
    int begins = 0;  // times to begin, likewise
    bool ignores_signals = false;
    bool computes = false;
    bool owners_swap = false;  // priorities of jobs of theirs, by scontrol top
    bool is_set =
        false;  // its priority, by an operator: then slurmctld computes none, takes no nice
    bool refuses_nice = false;
    bool is_too_early = false;
    bool has_been_held = false;
    bool has_been_changed = false;
    bool is_postponed = false;
    std::optional<double> requeues_at;             // by its program, at its checkpoint
    std::optional<std::uint32_t> checkpoint_of{};  // the start that has said so
    std::int64_t slurmd_started = 0;               // the newest of those that were asked for
    std::string asked_nodes;
    std::optional<double> tells_end_at;
    double refuses_until = 0;
    bool has_been_refused = false;
    int calls = 0;
    int killed_at = -1;

    int meanwhile_at = -1;
    std::function<void()> meanwhile;

    void count() {
        if (calls == meanwhile_at) {
            meanwhile();
        }
        if (calls++ == killed_at) {
            throw Killed();
        }
    }

  private:
    void set_priority(std::uint32_t priority) {
        if (job_.is_held() && priority != 0) {
            job_.former_hold = job_.hold;
        }
        job_.priority = priority;
        job_.hold = priority == 0 ? slurm::Hold::administrator : slurm::Hold::none;
    }

    void apply_but_for_cpus(slurm::JobChange change) {
        change.shape->cpus = job_.shape.cpus;
        change.priority.reset();
        apply(change);
    }

    void apply(const slurm::JobChange& change) {
        if (change.shape && job_.is_impossible()) {
            is_set = false;
            set_priority(priority_of_the_freed);
            apply_but_for_cpus({.shape = change.shape, .priority = {}, .begins = {}});
            count();
        }
        if (change.shape) {
            job_.shape = *change.shape;
            job_.max_nodes = change.shape->nodes;
            ask_for(change.shape->tasks);
        }
        if (change.priority) {
            set_priority(*change.priority);
            is_set = true;
        }
        if (change.forgets_priority) {
            set_priority(own_priority + 1);
            is_set = false;
        }
        if (change.priority || change.forgets_priority) {
            job_.nice = 0;
        }
        if (change.nice && (!is_set || job_.priority == 0)) {
            job_.nice = *change.nice;
        }
        if (change.reservation) {
            job_.is_in_restart_reservation = !change.reservation->empty();
        }
        job_.admin_comment = change.admin_comment.value_or(job_.admin_comment);
        job_.features = change.features.value_or(job_.features);
        job_.prefer = change.prefer.value_or(job_.prefer);
        job_.time_limit = change.time_limit ? change.time_limit : job_.time_limit;
        if (change.begins) {
            job_.eligible = *change.begins;
            is_too_early =
                is_too_early || now + static_cast<double>(job_.eligible - clock()) < settled_at;
        }
    }

    void hold_gpus(std::uint32_t gpus) {
        job_.allocation = {{.node = "n1", .gpus = gpus, .indices = {}}};
        job_.gpus = gpus;
    }
    void release_gpus() {
        job_.allocation.clear();
        job_.gpus = job_.asked_gpus;
    }
    void ask_for(std::uint32_t gpus) {
        job_.asked_gpus = gpus;
        job_.gpus = job_.state == slurm::JobState::pending ? gpus : job_.gpus;
    }

    slurm::Job job_;
    std::optional<slurm::ReservedNodes> reserved_;
    std::uint32_t first_nodes_ = 1;
    double cleaned_at = 0;
    double ended_at = 0;
    double settled_at = 0;
    std::int64_t started_ = 1;
    std::int64_t last_second = 0;  // in which its last run ended
};

class FakeShaper : public Shaper {
  public:
    Expected<slurm::JobShape> shape(const slurm::Job&, std::uint32_t gpus) const override {
        return shape_with(gpus);
    }
    Expected<slurm::JobShape> fallback(const slurm::Job&, const Resize& resize,
                                       std::uint32_t) const override {
        return shape_with(resize.min);
    }
};

// A program that reports half a second after each start.
class FakeListener : public Listener {
  public:
    explicit FakeListener(const FakeSlurm& slurm) : slurm_(slurm) {}
    Heard heard_of(std::uint32_t, std::uint32_t restarts) const override {
        const bool is_heard = restarts == slurm_.job().restarts &&
                              slurm_.job().state == slurm::JobState::running &&
                              slurm_.now >= slurm_.started_at + 0.5 && !is_silent;
        return {.has_progressed = is_heard,
                .has_checkpointed = slurm_.checkpoint_of == restarts ||
                                    (has_checkpointed && restarts == slurm_.job().restarts),
                .last = is_heard ? slurm_.now + clock_is_off : 0};
    }
    bool is_silent = false;
    bool has_checkpointed = false;
    double clock_is_off = 0;  // horad's, by which it is heard

  private:
    const FakeSlurm& slurm_;
};

template <class Entry>
class FakeJournal : public Journal<Entry> {
  public:
    explicit FakeJournal(FakeSlurm& slurm) : slurm_(slurm) {}
    Expected<void> keep(const Entry& entry) override {
        slurm_.count();
        if (is_full) {
            return failure("no space left");
        }
        entries[entry.number] = entry;
        meanwhile(entry);
        slurm_.count();
        return {};
    }
    Expected<void> forget(std::uint64_t number) override {
        slurm_.count();
        if (is_full) {
            return failure("no space left");
        }
        entries.erase(number);
        slurm_.count();
        return {};
    }
    Expected<std::vector<Entry>> load() override {
        std::vector<Entry> list;
        for (const auto& [number, entry] : entries) {
            list.push_back(entry);
        }
        return list;
    }
    std::map<std::uint64_t, Entry> entries;
    std::function<void(const Entry& entry)> meanwhile = [](const Entry&) {};
    bool is_full = false;

  private:
    FakeSlurm& slurm_;
};

class FakeHistory : public ResizeHistory {
  public:
    void record(const Resized& resized) override { list.push_back(resized); }
    std::vector<Resized> list;
};

// What slurmctld lists of it.
inline ObservedJob listed(const slurm::Job& job) {
    ObservedJob one;
    static_cast<slurm::Job&>(one) = job;
    return one;
}

}  // namespace hora::horad
