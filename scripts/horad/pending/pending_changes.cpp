// Can a pending job run as Hora has changed its request, and what if it never can?
#include "scripts/horad/pending/pending_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "libplanner/base/counted.hpp"
#include "scripts/horad/pending/rollback.hpp"

namespace hora::horad {
namespace {

constexpr std::size_t most_of_a_job = 4;
constexpr std::uint32_t most_tries = 3;  // of a change of which slurmctld takes a part
// For which a job is left alone that somebody holds, or that keeps its request: it may be otherwise
// then.
constexpr Seconds a_while(60);

// Has the job that it was kept for started, ended or become another one?
bool is_over(const PendingChange& change, const ObservedJob* job) {
    return job == nullptr || job->state != slurm::JobState::pending || job->uid != change.uid ||
           (change.submitted != 0 && job->submitted != change.submitted) ||
           job->restarts != change.restarts;
}

std::string what_was_wrong(const PendingChange& change, const slurm::Job& job) {
    const slurm::JobShape& wanted = change.given ? change.given->shape : job.shape;
    const std::uint32_t nodes = std::max(wanted.nodes, 1U);
    return fmt::format(
        "slurmctld can never run it with {} and {} on {} (BadConstraints); ask for what the nodes "
        "and limits of partition \"{}\" allow",
        wanted.tres_per_node, counted(wanted.cpus / nodes, "CPU"),
        nodes == 1 ? "one node" : fmt::format("each of {} nodes", nodes), job.partition);
}

// As it stood in the journal of resizes.
ResizeEntry entry_of(const PendingChange& change, const SizeChange& size) {
    ResizeEntry entry;
    entry.number = change.number;
    entry.resize.job = change.job;
    entry.resize.restarts = change.restarts;
    entry.resize.from = size.from;
    entry.resize.to = size.to;
    entry.resize.why = size.why;
    entry.resize.is_manual = size.is_manual;
    entry.resize.batch = change.given ? change.given->batch.value_or(0) : 0;
    entry.uid = change.uid;
    entry.submitted = change.submitted;
    entry.was_pending = true;
    entry.asked = change.asked;
    return entry;
}

}  // namespace

PendingChanges::PendingChanges(SlurmEdge& slurm, Journal<PendingChange>& journal,
                               ResizeHistory& history, Log log)
    : slurm_(slurm), journal_(journal), history_(history), log_(log), complaints_(std::move(log)) {}

Expected<void> PendingChanges::load() {
    changes_.clear();
    auto changes = journal_.load();
    auto damage = changes ? Expected<void>() : Expected<void>(unexpected(changes.error()));
    if (!changes) {
        changes = journal_.load();  // what is whole of it
    }
    for (PendingChange& change : changes ? *changes : std::vector<PendingChange>()) {
        skip_numbers(change.number);
        changes_[change.number] = std::move(change);
    }
    return damage;
}

void PendingChanges::skip_numbers(std::uint64_t number) {
    next_number_ = std::max(next_number_, number + 1);
}

Expected<void> PendingChanges::keep(const PendingChange& change) {
    const auto known = changes_.find(change.number);
    if (known == changes_.end() || !(known->second == change)) {
        if (auto kept = journal_.keep(change); !kept) {
            return kept;
        }
        changes_[change.number] = change;
    }
    return make_room(change.job);
}

// One that is joined is written before the other is forgotten: killed in between, both lead back.
Expected<void> PendingChanges::make_room(std::uint32_t job) {
    std::vector<PendingChange> of_job;
    for (const auto& [number, change] : changes_) {
        if (change.job == job) {
            of_job.push_back(change);
        }
    }
    if (of_job.size() <= most_of_a_job) {
        return {};
    }
    const Spared spared = spare_one(of_job);
    if (spared.joined) {
        if (const auto kept = journal_.keep(*spared.joined); !kept) {
            return kept;
        }
        changes_[spared.joined->number] = *spared.joined;
    }
    for (const std::uint64_t number : spared.forgotten) {
        if (const auto forgotten = forget(number); !forgotten) {
            return forgotten;
        }
    }
    return {};
}

Expected<void> PendingChanges::forget(std::uint64_t number) {
    auto forgotten = journal_.forget(number);
    if (forgotten) {
        changes_.erase(number);
    }
    return forgotten;
}

void PendingChanges::forget_unless_given(std::uint64_t number) {
    const auto found = changes_.find(number);
    if (found == changes_.end()) {
        return;
    }
    const auto job = slurm_.look_at(found->second.job);
    if (!job || (*job && still_asks_for(found->second, request_of(**job)))) {
        return;
    }
    const std::uint32_t id = found->second.job;
    if (const auto forgotten = forget(number); !forgotten) {
        complaints_.complain(id, forgotten.error().message);
    }
}

std::set<std::uint32_t> PendingChanges::manual() const {
    std::set<std::uint32_t> jobs;
    for (const auto& [number, change] : changes_) {
        if (change.resize && change.resize->is_manual) {
            jobs.insert(change.job);
        } else {
            jobs.erase(change.job);
        }
    }
    return jobs;
}

std::set<std::uint32_t> PendingChanges::resized(const Observation& seen) const {
    std::set<std::uint32_t> jobs;
    for (const auto& [number, change] : changes_) {
        const ObservedJob* const job = seen.find(change.job);
        if (job == nullptr || job->state != slurm::JobState::pending || !change.given ||
            !still_asks_for(change, request_of(*job))) {
            continue;
        }
        if (change.resize && !change.resize->is_manual) {
            jobs.insert(change.job);
        } else {
            jobs.erase(change.job);
        }
    }
    return jobs;
}

std::vector<std::string> PendingChanges::comments_before() const {
    std::vector<std::string> comments;
    for (const auto& [number, change] : changes_) {
        if (!change.admin_comment.empty()) {
            comments.push_back(change.admin_comment);
        }
    }
    return comments;
}

bool PendingChanges::is_of(std::uint32_t job) const {
    return newest_of(job, [](const PendingChange&) { return true; }) != nullptr;
}

void PendingChanges::step(const Observation& seen, const std::vector<ResizeEntry>& under_way,
                          Moment now) {
    forget_what_is_over(seen);
    std::erase_if(rests_, [&](const auto& one) { return one.second <= now.steady; });
    std::set<std::uint32_t> due;
    for (const auto& [number, change] : changes_) {
        const ObservedJob* const job = seen.find(change.job);
        const bool is_due = job != nullptr && (job->is_impossible() || change.is_reverted);
        if (is_due && horad::entry_of(job->id, under_way) == nullptr && !rests_.contains(job->id)) {
            due.insert(job->id);
        }
    }
    for (const std::uint32_t job : due) {
        rests_[job] = now.steady + a_while;
        look_after(job);
    }
}

void PendingChanges::forget_what_is_over(const Observation& seen) {
    std::vector<std::uint64_t> over;
    for (const auto& [number, change] : changes_) {
        if (is_over(change, seen.find(change.job))) {
            over.push_back(number);
        }
    }
    for (const std::uint64_t number : over) {
        const std::uint32_t job = changes_.at(number).job;
        if (const auto forgotten = forget(number); !forgotten) {
            complaints_.complain(job, forgotten.error().message);
            return;
        }
        complaints_.forget(job);
    }
}

const PendingChange* PendingChanges::newest_of(
    std::uint32_t job, const std::function<bool(const PendingChange&)>& holds) const {
    const auto found = std::find_if(changes_.rbegin(), changes_.rend(), [&](const auto& one) {
        return one.second.job == job && holds(one.second);
    });
    return found == changes_.rend() ? nullptr : &found->second;
}

// One of which it is not known what it gave comes last.
const PendingChange* PendingChanges::given_to(const slurm::Job& job) const {
    const PendingRequest now = request_of(job);
    const PendingChange* const known = newest_of(job.id, [&](const PendingChange& change) {
        return change.given && still_asks_for(change, now);
    });
    return known != nullptr
               ? known
               : newest_of(job.id, [](const PendingChange& change) { return !change.given; });
}

void PendingChanges::look_after(std::uint32_t id) {
    auto job = slurm_.look_at(id);
    if (!job) {
        rests_.erase(id);
    }
    const bool is_whole = job && *job && (*job)->is_impossible() && has_rolled_back(**job);
    if (is_whole) {
        job = slurm_.look_at(id);
    }
    const bool waits = job && *job && (*job)->state == slurm::JobState::pending;
    if (waits && !(*job)->is_impossible()) {
        finish(**job, is_whole);
    }
}

const PendingChange* PendingChanges::begun_rollback(const slurm::Job& job) const {
    return newest_of(job.id, [&](const PendingChange& change) {
        return change.is_reverted && asks_for_size(change.before.shape, job.shape);
    });
}

// Its request; it is free then, and has its priority back in finish(), since slurmctld takes one
// only of a job that is free.
bool PendingChanges::has_rolled_back(const slurm::Job& job) {
    const PendingChange* const begun = begun_rollback(job);
    if (begun != nullptr && begun->tries < most_tries) {
        return has_sent_back(*begun, job);
    }
    const PendingChange* const found = given_to(job);
    if (found == nullptr) {
        return false;  // somebody else has given it the request that it has
    }
    PendingChange change = *found;
    change.is_reverted = true;
    change.tries = 0;
    if (const auto kept = keep(change); !kept) {
        complaints_.complain(job.id, kept.error().message);
        return false;
    }
    return has_sent_back(change, job);
}

// Where slurmctld took a part, the job seems to ask for all of it already.
bool PendingChanges::has_sent_back(PendingChange change, const slurm::Job& job) {
    const slurm::Answered answered = slurm_.change(job.id, back_to(change, job));
    if (answered.reply == slurm::Reply::refused && asks_for_size(change.before.shape, job.shape)) {
        ++change.tries;
        if (const auto kept = keep(change); !kept) {
            complaints_.complain(job.id, kept.error().message);
        }
    }
    return is_done(answered, job.id,
                   what_was_wrong(change, job) + "; it does not take the request before");
}

// Where it was not reached, it is asked again in the next round.
bool PendingChanges::is_done(const slurm::Answered& answered, std::uint32_t job,
                             const std::string& refused) {
    if (answered.reply == slurm::Reply::unreachable) {
        rests_.erase(job);
    } else if (answered.reply == slurm::Reply::refused) {
        complaints_.complain(job, fmt::format("{}: {}", refused, answered.why));
    }
    return answered.reply == slurm::Reply::done;
}

// A take-back of which it is not known that slurmctld took all is sent once more: that does no
// harm.
void PendingChanges::finish(const slurm::Job& job, bool is_whole) {
    const PendingChange* const found = begun_rollback(job);
    if (found == nullptr) {
        return;
    }
    const PendingChange change = *found;
    const bool is_due = !is_whole && change.tries < most_tries;
    if (is_due && !has_sent_back(change, job)) {
        return;
    }
    if (job.is_held() || has_own_priority(change, job)) {
        end(change, job, is_whole || is_due);
    }
}

// After the call. slurmctld has given it a new one when it freed it.
bool PendingChanges::has_own_priority(const PendingChange& change, const slurm::Job& job) {
    if (change.priority == 0 || slurm_.computes_priorities()) {
        return true;
    }
    if (job.priority == change.priority) {
        return has_hold_again(job);  // set by a horad that was killed before it had looked again
    }
    slurm::JobChange own;
    own.priority = change.priority;
    const slurm::Answered answered = slurm_.change(job.id, own);
    if (!is_done(answered, job.id, "slurmctld does not take its priority")) {
        return answered.reply == slurm::Reply::refused;
    }
    const auto now = slurm_.look_at(job.id);
    if (!now) {
        rests_.erase(job.id);
    }
    return now && (!*now || has_hold_again(**now));
}

// A hold may have come between our look and our change of the priority, which takes it off.
bool PendingChanges::has_hold_again(const slurm::Job& job) {
    if (job.state != slurm::JobState::pending || job.former_hold == slurm::Hold::none) {
        return true;
    }
    const slurm::Answered answered = slurm_.hold(job.id, job.former_hold == slurm::Hold::user);
    return is_done(answered, job.id, "slurmctld does not hold it again") ||
           answered.reply == slurm::Reply::refused;
}

void PendingChanges::end(const PendingChange& change, const slurm::Job& job, bool is_whole) {
    if (const auto forgotten = forget(change.number); !forgotten) {
        complaints_.complain(job.id, forgotten.error().message);
        return;
    }
    complaints_.forget(job.id);
    const std::string_view part =
        is_whole ? std::string_view() : "; slurmctld has not taken all of the request";
    if (!change.resize) {
        log_(fmt::format("job {} has its old plan back: {}{}", job.id, what_was_wrong(change, job),
                         part));
        return;
    }
    ResizeEntry entry = entry_of(change, *change.resize);
    entry.resize.why += "; " + what_was_wrong(change, job);
    history_.record({.entry = entry,
                     .ending = Ending::reverted,
                     .gpus = 0,
                     .first_step = 0,
                     .remark = fmt::format("it asks for {} again{}",
                                           counted(change.resize->from, "GPU"), part)});
}

}  // namespace hora::horad
