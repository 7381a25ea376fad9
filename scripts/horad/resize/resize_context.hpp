// What is seen of a job that is being resized, beside what was written down of it?
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plugins/slurm/jobs/job_end.hpp"
#include "plugins/slurm/jobs/restart_time.hpp"
#include "scripts/horad/journal/raised_priority.hpp"
#include "scripts/horad/pending/rollback.hpp"
#include "scripts/horad/resize/resize_step.hpp"

namespace hora::horad {

// Slurm has not taken what was asked of it after so many: then it is left.
constexpr std::uint32_t most_tries = 3;

// Does a job ask for one of two sizes, or is it on the way from one to the other? Its tasks a node
// are changed by a call of their own (see change_job()).
bool is_between(const slurm::JobShape& now, const slurm::JobShape& a, const slurm::JobShape& b);

// Everything must outlive it. All but is_alive() and finish() need a job that is there.
class ResizeContext {
  public:
    ResizeContext(const ResizeEntry& entry, Waiting& waiting, const Scene& scene)
        : entry_(entry), waiting_(waiting), scene_(scene) {}

    const ResizeEntry& entry() const { return entry_; }
    Waiting& waiting() const { return waiting_; }
    const Scene& scene() const { return scene_; }
    const slurm::Job& job() const { return *scene_.job; }

    bool is_pending() const { return job().state == slurm::JobState::pending; }
    bool is_running() const { return job().state == slurm::JobState::running; }
    bool has_restarted() const { return job().restarts > entry_.resize.restarts; }
    // Without being counted: slurmctld was killed as the job, requeued, was being cleaned up.
    bool has_begun_anew() const { return slurm::has_begun_since(job(), entry_.began); }
    Heard heard() const { return scene_.listener.heard_of(job().id, job().restarts); }
    // Of the start that was asked for its checkpoint.
    bool has_checkpointed() const {
        return scene_.listener.heard_of(job().id, entry_.resize.restarts).has_checkpointed;
    }
    Seconds waited() const { return scene_.now.steady - waiting_.since; }
    bool is_alive() const;
    // Does slurmctld run for long enough?
    bool has_settled() const;
    // A suspended job leaves its nodes to others, and one with a reservation has those of that.
    bool may_reserve_nodes() const;
    // When it may begin again, if that is before Slurm lets it; empty where slurmctld does not run
    // for long enough to say, too.
    std::optional<std::int64_t> next_begin() const;
    // The latest that slurmctld's clock is known to have shown, by this look.
    std::int64_t latest() const { return slurm::latest_shown(job(), has_restarted()); }
    bool has_our_priority() const;
    // Has it a priority of ours, or the reservation of restarts?
    bool has_ours() const;
    // Takes both from it, and nothing else.
    slurm::JobChange give_back() const;
    // Its own priority has to be known before it is raised: see ask_whose(). Empty where it is
    // known, or stays as it is, or slurmctld does not answer.
    std::optional<slurm::JobChange> ask_for_own() const;
    // Gives it one above what waits beside it, which is written into `entry`; nothing where it has
    // that already.
    slurm::JobChange raise(ResizeEntry& entry) const;
    // Has anybody else changed its request since it was requeued? Then that stands, and it is left
    // alone.
    bool is_changed() const;
    // For its restart: at the head of the queue nothing may stay for ever.
    bool has_waited_enough() const;

    // Steps.
    ResizeStep wait() const;
    ResizeStep go_to(ResizeState state) const;
    // To what its owner asks for now.
    ResizeStep leave() const;
    // What it has of ours is taken from it, too.
    ResizeStep finish(Ending ending, std::string remark) const;

  private:
    // What it is to be given, if that is more than it has.
    std::optional<std::uint32_t> above_others() const;
    // What it was given before, where it has that still.
    std::optional<RaisedPriority> given() const;
    // Where slurmctld computes priorities, and has not been asked, this one as well.
    std::uint32_t own() const;

    const ResizeEntry& entry_;
    Waiting& waiting_;
    const Scene& scene_;
};

}  // namespace hora::horad
