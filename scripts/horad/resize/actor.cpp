// Which resizes are under way, and what has to be done for them now?
#include "scripts/horad/resize/actor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plugins/slurm/jobs/batch_word.hpp"
#include "scripts/horad/journal/raised_priority.hpp"
#include "scripts/horad/resize/begin_resize.hpp"

namespace hora::horad {
namespace {

// More steps in one call than any resize can take without waiting.
constexpr int most_steps = 8;
// Slurm does not give a priority back: after so many refusals it is left to PrioritySweep.
constexpr int most_refusals = 20;

// How long a job that waits to start is looked at often.
constexpr Seconds longest_pressing(60);

bool is_same(const ResizeEntry& a, const ResizeEntry& b) {
    return a.state == b.state && a.wanted == b.wanted && a.priority == b.priority &&
           a.raised == b.raised && a.wanted_before == b.wanted_before && a.restarts == b.restarts &&
           a.max_nodes == b.max_nodes && a.rest_of_request == b.rest_of_request &&
           a.reserves_nodes == b.reserves_nodes && a.tries == b.tries && a.begins == b.begins &&
           a.waits_until == b.waits_until && a.returned_for == b.returned_for &&
           a.has_fallen_back == b.has_fallen_back && a.limit == b.limit &&
           a.own_limit == b.own_limit && a.rest_of_limit == b.rest_of_limit &&
           a.next_limit == b.next_limit && a.next_batch == b.next_batch && a.ready == b.ready &&
           a.runs == b.runs;
}

}  // namespace

Actor::Actor(SlurmEdge& slurm, Journal<ResizeEntry>& journal, PendingChanges& pending,
             ResizeHistory& history, ResizeLimits limits, Log log)
    : slurm_(slurm),
      journal_(journal),
      pending_(pending),
      history_(history),
      nodes_(slurm),
      limits_(limits),
      log_(std::move(log)) {}

Actor::Item Actor::begun(ResizeEntry entry, Moment now) {
    Item item;
    item.entry = std::move(entry);
    item.waiting.since = now.steady;
    return item;
}

Expected<void> Actor::recover(Moment now) {
    const auto entries = journal_.load();
    if (!entries) {
        return unexpected(entries.error());
    }
    for (const ResizeEntry& entry : *entries) {
        Item item = begun(entry, now);
        item.waiting.has_raised = entry.raised != 0;
        if (entry.ready > 0) {
            item.waiting.ready = now.steady - Seconds(std::max(now.wall - entry.ready, 0.0));
        }
        items_.push_back(std::move(item));
        controller_.see(entry.controller, now.steady);
        pending_.skip_numbers(entry.number);
        log_(fmt::format("job {}: going on with its resize to {} GPUs ({})", entry.resize.job,
                         entry.resize.to, name_of(entry.state)));
    }
    controller_.see(slurm_.started(), now.steady);
    has_recovered_ = true;
    return {};
}

Expected<void> Actor::request(const Resize& resize, const Shaper& shaper, Moment now) {
    if (!has_recovered_) {
        return failure("the journal of resizes could not be read; see the log");
    }
    if (is_resizing(resize.job)) {
        return failure(fmt::format("job {} is being resized already", resize.job));
    }
    const auto job = slurm_.look_at(resize.job);
    if (!job) {
        return unexpected(job.error());
    }
    const std::int64_t started = slurm_.started();
    if (started == 0) {
        return failure("slurmctld does not say since when it runs");
    }
    controller_.see(started, now.steady);
    if (const auto can = can_begin(resize, *job); !can) {
        return can;
    }
    auto wanted = is_suspension(resize) ? Expected<slurm::JobShape>((*job)->shape)
                                        : shaper.shape(**job, resize.to);
    if (!wanted) {
        return unexpected(wanted.error());
    }
    const bool has_batch =
        resize.batch == 0 || slurm::batch_word((*job)->admin_comment) == resize.batch;
    if ((*job)->runs() && has_batch && resize.to == (*job)->gpus &&
        wanted->nodes >= (*job)->allocation.size()) {
        return failure(
            fmt::format("job {} cannot be moved: no fewer nodes give its GPUs now", resize.job));
    }
    ResizeEntry entry = first_entry(resize, **job, std::move(*wanted), now);
    entry.number = pending_.take_number();
    entry.controller = started;
    if (const auto kept = journal_.keep(entry); !kept) {
        return kept;
    }
    log_(fmt::format("job {}: {}: {}", resize.job, kind_of(entry.resize), reason_of(resize)));
    items_.push_back(begun(std::move(entry), now));
    return {};
}

void Actor::step(const Listener& listener, const Shaper& shaper, Moment now) {
    if (!has_recovered_) {
        return;
    }
    keep_nodes(now);
    for (Item& item : items_) {
        item.lacks_journal = false;
        item.is_over = advance(item, listener, shaper, now);
        const bool is_soon = item.entry.state != ResizeState::waiting_to_start ||
                             now.steady - item.waiting.since < longest_pressing;
        // A full disk stays so for long.
        item.is_pressing = is_soon && !item.lacks_journal;
    }
    std::erase_if(items_, [](const Item& item) { return item.is_over; });
    keep_nodes(now);
}

void Actor::keep_nodes(Moment now) {
    const std::string why = nodes_.keep(under_way(), limits_, now);
    if (!why.empty() && std::exchange(refusal_, why) != why) {
        log_(fmt::format("no nodes are reserved for jobs that restart: {}", why));
    }
}

// Whether it is over.
bool Actor::advance(Item& item, const Listener& listener, const Shaper& shaper, Moment now) {
    const bool was_requeued = is_requeued(item.entry);
    for (int i = 0; i < most_steps; ++i) {
        const auto job = slurm_.look_at(item.entry.resize.job);
        if (!job) {
            return false;  // slurmctld is away: the job waits, runs or ends without us
        }
        // A requeue is noted between two rounds, from the entries. Where slurmctld, killed, forgets
        // it in the round that saw it, the entry alone tells of it until then.
        if (!was_requeued && *job && is_requeue_forgotten(item.entry, **job)) {
            return false;
        }
        const Scene scene{.job = *job,
                          .slurm = slurm_,
                          .listener = listener,
                          .shaper = shaper,
                          .controller = controller_,
                          .limits = limits_,
                          .now = now,
                          .are_nodes_reserved = nodes_.has(item.entry)};
        const ResizeStep step = next_step(item.entry, item.waiting, scene);
        const bool waits =
            step.act == Act::none && !step.then && !step.ending && is_same(step.entry, item.entry);
        if (waits || !carry_out(item, step, *job, now)) {
            return false;
        }
        if (step.ending) {
            return close(item, step, *job, now);
        }
        if (step.act != Act::none && !step.then) {
            return false;  // what came of it shows at the next call
        }
    }
    return false;
}

// Journals, acts, journals. False where it has to be tried again at the next call.
bool Actor::carry_out(Item& item, const ResizeStep& step, const std::optional<slurm::Job>& job,
                      Moment now) {
    if (!keep_before(item, step, job) || !keep(item, step.entry, now)) {
        wait_for_journal(item, job);
        return false;
    }
    const slurm::Answered answered = act(item, step, job);
    if (answered.reply == slurm::Reply::unreachable) {
        return false;
    }
    if (answered.reply == slurm::Reply::refused) {
        complain(item, answered.why);
        item.waiting.refusal = answered.why;
        return step.ending && ++item.refusals >= most_refusals;
    }
    if (!step.then) {
        return true;
    }
    ResizeEntry after = item.entry;
    after.state = *step.then;
    after.tries = 0;
    return keep(item, after, now);
}

// Nothing more can be done for the job until then, and that may be long: it waits with its own
// priority, which needs no disk.
void Actor::wait_for_journal(Item& item, const std::optional<slurm::Job>& job) {
    if (!job || job->state != slurm::JobState::pending) {
        return;
    }
    item.entry.reserves_nodes = false;
    const bool is_raised = find_raised(job->admin_comment).has_value();
    if (has_ours(*job) && slurm_.change(job->id, give_back(*job)).reply == slurm::Reply::done &&
        is_raised) {
        log_(fmt::format("job {}: has its own priority back; the journal cannot be written",
                         job->id));
    }
}

// What a waiting job is to have again, should slurmctld never be able to run it.
bool Actor::keep_before(Item& item, const ResizeStep& step, const std::optional<slurm::Job>& job) {
    if (!step.entry.was_pending || !step.change.shape || !job) {
        return true;
    }
    PendingChange change = change_of(step.entry);
    change.before.features = change.given->features = job->features;
    change.before.prefer = change.given->prefer = job->prefer;
    return is_written(item, pending_.keep(change));
}

bool Actor::keep(Item& item, const ResizeEntry& entry, Moment now) {
    if (is_same(entry, item.entry)) {
        return true;
    }
    // A job that runs is only given its own priority back, and twice does no harm.
    if (!is_written(item, journal_.keep(entry)) && entry.runs == 0) {
        return false;
    }
    const bool is_new_state = entry.state != item.entry.state;
    if (is_new_state) {
        item.waiting.since = now.steady;
        log_(fmt::format("job {}: {}", entry.resize.job, name_of(entry.state)));
    }
    if (entry.ready != item.entry.ready) {
        item.waiting.ready = now.steady;
    }
    item.entry = entry;
    // Before the program is asked for its checkpoint, and for as long again once that stands.
    if (is_new_state && (entry.state == ResizeState::checkpoint_requested ||
                         entry.state == ResizeState::updating_request)) {
        keep_nodes(now);
    }
    return true;
}

// The journal takes its time, and somebody may have changed the limit or the begin meanwhile. What
// is set after this look, slurmctld's plugin knows.
slurm::JobChange Actor::still_due(slurm::JobChange change, const ResizeEntry& entry,
                                  const slurm::Job& seen) {
    if (!change.time_limit && !change.begins) {
        return change;
    }
    slurm_.yield_times(entry.resize.job, entry.uid);
    const auto job = slurm_.look_at(entry.resize.job);
    if (!job || !*job || (*job)->time_limit != seen.time_limit) {
        change.time_limit.reset();
    }
    if (!job || !*job || (*job)->eligible != entry.waits_until) {
        change.begins.reset();
    }
    return change;
}

slurm::Answered Actor::change(std::uint32_t job, const slurm::JobChange& change) {
    const slurm::Answered answered = slurm_.change(job, change);
    if (answered.reply == slurm::Reply::done && change.time_limit) {
        log_(fmt::format("job {}: time limit {:.0f} min", job, change.time_limit->count() / 60));
    }
    return answered;
}

slurm::Answered Actor::act(Item& item, const ResizeStep& step,
                           const std::optional<slurm::Job>& seen) {
    const std::uint32_t job = item.entry.resize.job;
    switch (step.act) {
        case Act::none:
            break;
        case Act::signal:
            return slurm_.ask_for_checkpoint(job, item.entry.resize.signal);
        case Act::hold:
            return slurm_.hold(job, step.holds_by_user);
        case Act::requeue:
            return slurm_.requeue(*seen);
        case Act::change:
            item.waiting.has_raised =
                item.waiting.has_raised || (step.change.priority && item.entry.raised != 0 &&
                                            step.change.priority == item.entry.raised);
            return change(job, still_due(step.change, item.entry, *seen));
    }
    return {};
}

bool Actor::close(Item& item, const ResizeStep& step, const std::optional<slurm::Job>& job,
                  Moment now) {
    if (*step.ending != Ending::pending) {
        pending_.forget_unless_given(item.entry.number);
    }
    if (!is_written(item, journal_.forget(item.entry.number))) {
        return false;
    }
    const bool runs = job && job->state == slurm::JobState::running;
    const bool has_stepped = runs && item.entry.state == ResizeState::verifying &&
                             now.steady - item.waiting.since < limits_.first_step;
    // What it took is no affair of whoever sets the clock.
    const auto& ready = item.waiting.ready;
    const double first_step = ready ? item.entry.ready + (now.steady - *ready).count() : now.wall;
    const Resized resized{.entry = item.entry,
                          .ending = *step.ending,
                          .gpus = runs ? job->gpus : 0,
                          .first_step = has_stepped ? first_step : 0,
                          .remark = step.remark};
    history_.record(resized);
    return true;
}

bool Actor::is_written(Item& item, const Expected<void>& written) {
    if (!written) {
        item.lacks_journal = true;
        complain(item, written.error().message);
    }
    return written.has_value();
}

// Each thing once, however often it is tried.
void Actor::complain(Item& item, const std::string& what) {
    if (std::exchange(item.complaint, what) != what) {
        log_(fmt::format("job {}: {}: {}", item.entry.resize.job, name_of(item.entry.state), what));
    }
}

bool Actor::is_busy() const {
    return std::any_of(items_.begin(), items_.end(), [](const Item& item) {
        // One that waits for GPUs to come free may do so for hours, and a suspended one two
        // minutes.
        return item.is_pressing && !item.entry.has_fallen_back &&
               !(is_suspension(item.entry.resize) && is_requeued(item.entry));
    });
}

bool Actor::is_resizing(std::uint32_t job) const {
    return std::any_of(items_.begin(), items_.end(),
                       [&](const Item& item) { return item.entry.resize.job == job; });
}

std::vector<ResizeEntry> Actor::under_way() const {
    std::vector<ResizeEntry> entries;
    for (const Item& item : items_) {
        entries.push_back(item.entry);
    }
    return entries;
}

}  // namespace hora::horad
