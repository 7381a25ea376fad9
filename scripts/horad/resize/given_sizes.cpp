// Can a waiting job run at the size that it was given, and what if it never can?
#include "scripts/horad/resize/given_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "libplanner/base/counted.hpp"
#include "scripts/horad/resize/resize_context.hpp"
#include "scripts/horad/resize/rollback.hpp"

namespace hora::horad {
namespace {

constexpr std::size_t most_of_a_job = 4;
// For which a job is left alone that somebody holds, or that keeps its size: it may be otherwise
// then.
constexpr Seconds a_while(60);

// Has the job that it was kept for started, ended or become another one?
bool is_over(const ResizeEntry& entry, const ObservedJob* job) {
    return job == nullptr || job->state != slurm::JobState::pending || job->uid != entry.uid ||
           job->submitted != entry.submitted || job->restarts != entry.resize.restarts;
}

std::string what_was_wrong(const slurm::JobShape& wanted, const slurm::Job& job) {
    const std::uint32_t nodes = std::max(wanted.nodes, 1U);
    return fmt::format(
        "slurmctld can never run it with {} and {} on {} (BadConstraints); ask for what the nodes "
        "and limits of partition \"{}\" allow",
        wanted.tres_per_node, counted(wanted.cpus / nodes, "CPU"),
        nodes == 1 ? "one node" : fmt::format("each of {} nodes", nodes), job.partition);
}

}  // namespace

GivenSizes::GivenSizes(SlurmEdge& slurm, Journal& journal, ResizeHistory& history, Log log)
    : slurm_(slurm), journal_(journal), history_(history), complaints_(std::move(log)) {}

Expected<void> GivenSizes::load() {
    entries_.clear();
    const auto entries = journal_.load();
    if (!entries) {
        return unexpected(entries.error());
    }
    for (const ResizeEntry& entry : *entries) {
        entries_[entry.number] = entry;
    }
    return {};
}

std::uint64_t GivenSizes::next_number() const {
    return entries_.empty() ? 1 : entries_.rbegin()->first + 1;
}

Expected<void> GivenSizes::keep(const ResizeEntry& entry) {
    auto kept = journal_.keep(entry);
    if (kept) {
        entries_[entry.number] = entry;
        kept = make_room(entry.resize.job);
    }
    return kept;
}

// One that is joined is written before the other is forgotten: killed in between, both lead back.
Expected<void> GivenSizes::make_room(std::uint32_t job) {
    std::vector<ResizeEntry> of_job;
    for (const auto& [number, entry] : entries_) {
        if (entry.resize.job == job) {
            of_job.push_back(entry);
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
        entries_[spared.joined->number] = *spared.joined;
    }
    for (const std::uint64_t number : spared.forgotten) {
        if (const auto forgotten = forget(number); !forgotten) {
            return forgotten;
        }
    }
    return {};
}

Expected<void> GivenSizes::forget(std::uint64_t number) {
    auto forgotten = journal_.forget(number);
    if (forgotten) {
        entries_.erase(number);
    }
    return forgotten;
}

void GivenSizes::forget_unless_given(const ResizeEntry& entry) {
    if (!entries_.contains(entry.number)) {
        return;
    }
    const auto job = slurm_.look_at(entry.resize.job);
    if (!job || (*job && still_asks_for(entry.wanted, (*job)->shape))) {
        return;
    }
    if (const auto forgotten = forget(entry.number); !forgotten) {
        complaints_.complain(entry.resize.job, forgotten.error().message);
    }
}

std::set<std::uint32_t> GivenSizes::manual() const {
    std::set<std::uint32_t> jobs;
    for (const auto& [number, entry] : entries_) {
        if (entry.resize.is_manual) {
            jobs.insert(entry.resize.job);
        } else {
            jobs.erase(entry.resize.job);
        }
    }
    return jobs;
}

void GivenSizes::step(const Observation& seen, const std::vector<ResizeEntry>& under_way,
                      Moment now) {
    forget_what_is_over(seen);
    std::erase_if(rests_, [&](const auto& one) { return one.second <= now.steady; });
    std::set<std::uint32_t> due;
    for (const auto& [number, entry] : entries_) {
        const ObservedJob* const job = seen.find(entry.resize.job);
        const bool is_due = job != nullptr &&
                            (job->is_impossible() || entry.state == ResizeState::waiting_to_start);
        if (is_due && entry_of(job->id, under_way) == nullptr && !rests_.contains(job->id)) {
            due.insert(job->id);
        }
    }
    for (const std::uint32_t job : due) {
        rests_[job] = now.steady + a_while;
        look_after(job);
    }
}

void GivenSizes::forget_what_is_over(const Observation& seen) {
    std::vector<std::uint64_t> over;
    for (const auto& [number, entry] : entries_) {
        if (is_over(entry, seen.find(entry.resize.job))) {
            over.push_back(number);
        }
    }
    for (const std::uint64_t number : over) {
        const std::uint32_t job = entries_.at(number).resize.job;
        if (const auto forgotten = forget(number); !forgotten) {
            complaints_.complain(job, forgotten.error().message);
            return;
        }
        complaints_.forget(job);
    }
}

const ResizeEntry* GivenSizes::newest_of(
    std::uint32_t job, const std::function<bool(const ResizeEntry&)>& holds) const {
    const auto found = std::find_if(entries_.rbegin(), entries_.rend(), [&](const auto& one) {
        return one.second.resize.job == job && holds(one.second);
    });
    return found == entries_.rend() ? nullptr : &found->second;
}

void GivenSizes::look_after(std::uint32_t id) {
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

const ResizeEntry* GivenSizes::begun_rollback(const slurm::Job& job) const {
    return newest_of(job.id, [&](const ResizeEntry& entry) {
        return entry.state == ResizeState::waiting_to_start && still_asks_for(entry.was, job.shape);
    });
}

// Its request; it is free then, and has its priority back in finish(), since slurmctld takes one
// only of a job that is free.
bool GivenSizes::has_rolled_back(const slurm::Job& job) {
    const ResizeEntry* const begun = begun_rollback(job);
    if (begun != nullptr && begun->tries < most_tries) {
        return has_sent_back(*begun, job);
    }
    const ResizeEntry* const found = newest_of(
        job.id, [&](const ResizeEntry& entry) { return still_asks_for(entry.wanted, job.shape); });
    if (found == nullptr) {
        return false;  // somebody else has given it the size that it has
    }
    ResizeEntry entry = *found;
    entry.state = ResizeState::waiting_to_start;
    entry.tries = 0;
    if (const auto kept = keep(entry); !kept) {
        complaints_.complain(job.id, kept.error().message);
        return false;
    }
    return has_sent_back(entry, job);
}

// Where slurmctld took a part, the job seems to ask for all of it already.
bool GivenSizes::has_sent_back(ResizeEntry entry, const slurm::Job& job) {
    slurm::JobChange change;
    change.shape = entry.was;
    change.is_of_impossible = job.is_impossible();
    const slurm::Answered answered = slurm_.change(job.id, change);
    if (answered.reply == slurm::Reply::refused && still_asks_for(entry.was, job.shape)) {
        ++entry.tries;
        if (const auto kept = keep(entry); !kept) {
            complaints_.complain(job.id, kept.error().message);
        }
    }
    return is_done(answered, job.id,
                   what_was_wrong(entry.wanted, job) + "; it does not take the size before");
}

// Where it was not reached, it is asked again in the next round.
bool GivenSizes::is_done(const slurm::Answered& answered, std::uint32_t job,
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
void GivenSizes::finish(const slurm::Job& job, bool is_whole) {
    const ResizeEntry* const found = begun_rollback(job);
    if (found == nullptr) {
        return;
    }
    const ResizeEntry entry = *found;
    const bool is_due = !is_whole && entry.tries < most_tries;
    if (is_due && !has_sent_back(entry, job)) {
        return;
    }
    if (job.is_held() || has_own_priority(entry, job)) {
        end(entry, job, is_whole || is_due);
    }
}

// After the call. slurmctld has given it a new one when it freed it.
bool GivenSizes::has_own_priority(const ResizeEntry& entry, const slurm::Job& job) {
    if (entry.priority == 0 || job.priority == entry.priority || slurm_.computes_priorities()) {
        return true;
    }
    slurm::JobChange change;
    change.priority = entry.priority;
    const slurm::Answered answered = slurm_.change(job.id, change);
    if (!is_done(answered, job.id, "slurmctld does not take its priority")) {
        return answered.reply == slurm::Reply::refused;
    }
    // A hold may have come between our look and our change.
    const auto now = slurm_.look_at(job.id);
    if (now && *now && (*now)->state == slurm::JobState::pending &&
        (*now)->former_hold != slurm::Hold::none) {
        slurm_.hold(job.id, (*now)->former_hold == slurm::Hold::user);
    }
    return true;
}

void GivenSizes::end(ResizeEntry entry, const slurm::Job& job, bool is_whole) {
    if (const auto forgotten = forget(entry.number); !forgotten) {
        complaints_.complain(job.id, forgotten.error().message);
        return;
    }
    complaints_.forget(job.id);
    entry.resize.why += "; " + what_was_wrong(entry.wanted, job);
    history_.record(
        {.entry = entry,
         .ending = Ending::reverted,
         .gpus = 0,
         .first_step = 0,
         .remark = fmt::format("it asks for {} again{}", counted(entry.resize.from, "GPU"),
                               is_whole ? "" : "; slurmctld has not taken all of the request")});
}

}  // namespace hora::horad
