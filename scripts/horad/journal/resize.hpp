// What is asked of a job that is to grow or shrink, and how far has it come?
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/job_options.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"

namespace hora::horad {

// Deadlines go by a clock that nobody sets; what is written down and told to Slurm, by the wall's.
struct Moment {
    double wall = 0;  // seconds since the epoch
    Seconds steady;
};

// What of its time limit is a job to have at its next start?
struct LimitRule {
    // Slurm gives each start the whole time limit: this one gets what is left of it.
    bool is_lowered = false;
    // In GPU-time: the GPUs that the limit was stated for, and the longest limit that Slurm takes
    // (0: any). By the clock: 0.
    std::uint32_t stated_for = 0;
    Seconds longest{};

    friend bool operator==(const LimitRule&, const LimitRule&) = default;
};

struct Resize {
    std::uint32_t job = 0;
    std::uint32_t restarts = 0;        // the start that was looked at
    std::uint32_t from = 0;            // GPUs
    std::uint32_t to = 0;              // of one that runs, the same as `from`: to fewer nodes; 0:
                                       // it is suspended
    std::uint32_t min = 1;             // what it falls back to
    std::vector<std::uint32_t> sizes;  // that are allowed from min to max; empty: each
    std::string why;                   // "idle GPUs", "shrunk for a pending job"
    LimitRule limit{};
    bool is_manual = false;  // an administrator's word, and no policy's
    domain::CheckpointSignal signal = domain::CheckpointSignal::usr1;
    std::uint64_t batch = 0;  // the global one of the next start; 0: as before
    // This start has been asked for a checkpoint before and wrote none. Known to the daemon that
    // has asked.
    bool is_unanswered = false;

    friend bool operator==(const Resize&, const Resize&) = default;
};

inline bool is_suspension(const Resize& resize) {
    return resize.from > 0 && resize.to == 0;
}

// It is restarted for fewer nodes or another batch.
inline bool keeps_size(const Resize& resize) {
    return resize.from == resize.to;
}

// For a person: "4 to 8 GPUs", "suspension".
inline std::string kind_of(const Resize& resize) {
    return is_suspension(resize)
               ? "suspension"
               : std::to_string(resize.from) + " to " + std::to_string(resize.to) + " GPUs";
}

// Likewise: "idle GPUs, with a batch of 512". A restart for the batch says so itself.
inline std::string reason_of(const Resize& resize) {
    return resize.batch == 0 || keeps_size(resize)
               ? resize.why
               : resize.why + ", with a batch of " + std::to_string(resize.batch);
}

// In the order in which they are passed through. Each stands in the journal before what it says
// is done.
enum class ResizeState {
    queued,                // waits until the job has reported progress since its start
    checkpoint_requested,  // told to write its checkpoint
    updating_request,      // requeued: gets its new size, and a priority above what waits beside it
    waiting_to_start,      // until its last run is cleaned up, and it may begin a second later
    verifying,             // runs again: its priority is given back
};

constexpr std::string_view resize_state_names[] = {
    "queued", "checkpoint requested", "updating request", "waiting to start", "verifying"};

constexpr std::string_view name_of(ResizeState state) {
    return resize_state_names[static_cast<std::size_t>(state)];
}

// One line of the journal. Times are seconds since the epoch, 0: not yet.
struct ResizeEntry {
    std::uint64_t number = 0;  // never used twice
    Resize resize;
    std::uint32_t uid = 0;        // with the next one it tells apart jobs of the same id
    std::int64_t submitted = 0;   // of the start that was looked at, as Slurm has it
    std::string where;            // the nodes of that start; "": it did not run, or it is not known
    bool reserves_nodes = false;  // these, until it runs again
    ResizeState state = ResizeState::queued;
    bool was_pending = false;  // it had not started: nothing to be checkpointed
    slurm::JobShape was;       // as the request was when it was asked for
    slurm::JobShape wanted;
    slurm::JobShape wanted_before;  // the last one that was given up
    std::uint32_t restarts = 0;     // when it was requeued
    std::uint32_t max_nodes = 0;    // of the request, likewise
    std::string rest_of_request;    // likewise; "": not requeued yet
    std::uint32_t priority = 0;     // its own, when it was requeued; 0: not requeued yet
    std::uint32_t raised = 0;       // what it was given instead; 0: it keeps its own
    std::uint32_t tries = 0;        // of the change that is being made
    std::int64_t waits_until = 0;   // when Slurm by itself would let it begin again
    std::int64_t begins = 0;        // what Slurm was told instead
    std::int64_t latest = 0;        // that slurmctld's clock has shown, about the requeue and since
    std::int64_t controller = 0;    // when slurmctld had started, at the request; 0: unknown
    // It did not start in time at the new size, and asks for its old one again: what it waited for,
    // in Slurm's words; "": it has not.
    std::string returned_for;
    bool has_fallen_back = false;  // nor at that: it asks for what is free
    std::int64_t began = 0;        // the start that was looked at; 0: it did not run
    Seconds limit{};               // the time limit of that start; 0: none
    // The same on the job's own request; once it is requeued, what is left of that.
    Seconds own_limit{};
    Seconds rest_of_limit{};  // what is left of `limit` by the clock; 0: all of it
    Seconds next_limit{};     // of the next start; 0: it stays
    // By the word of its comment (batch_word.hpp), 0: without one: as it was, and as it is to be.
    std::uint64_t batch_was = 0;
    std::uint64_t next_batch = 0;
    double asked = 0;
    double ready = 0;  // checkpoint written, or else seen to be requeued
    double runs = 0;

    friend bool operator==(const ResizeEntry&, const ResizeEntry&) = default;
};

// Has it ended a start of the job, which the next one follows?
inline bool is_requeued(const ResizeEntry& entry) {
    return !entry.was_pending && entry.state >= ResizeState::updating_request;
}

// Has slurmctld, which counts each requeue, been killed before it saved this one?
inline bool is_requeue_forgotten(const ResizeEntry& entry, const slurm::Job& job) {
    return is_requeued(entry) && job.restarts < entry.restarts;
}

// The one of this job; null: none.
inline const ResizeEntry* entry_of(std::uint32_t job, const std::vector<ResizeEntry>& entries) {
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const ResizeEntry& entry) {
        return entry.resize.job == job;
    });
    return found == entries.end() ? nullptr : &*found;
}

enum class Ending {
    done,           // at the size that was requested
    other_size,     // runs, but at another
    pending,        // resized while it waited
    no_checkpoint,  // in time: it simply runs on
    held,           // its owner or an administrator holds it
    changed,        // its owner changed it meanwhile
    ended,          // it is over
    refused,        // by Slurm, before anything was done
    reverted,       // resized while it waited, but Slurm can never run it so
    suspended,      // requeued, with its request as it is
    released,       // no resize: slurmctld held it by mistake
    preempted,      // by Slurm, for another job, before it was requeued for the resize
};

constexpr std::string_view ending_names[] = {"done",     "other size", "pending",  "no checkpoint",
                                             "held",     "cancelled",  "ended",    "refused",
                                             "reverted", "suspended",  "released", "preempted"};

constexpr std::string_view name_of(Ending ending) {
    return ending_names[static_cast<std::size_t>(ending)];
}

// What has come of one, for the history.
struct Resized {
    ResizeEntry entry;
    Ending ending = Ending::ended;
    std::uint32_t gpus = 0;  // it holds now; 0: it does not run
    double first_step = 0;   // reported after the restart; 0: not waited for
    std::string remark;
};

}  // namespace hora::horad
