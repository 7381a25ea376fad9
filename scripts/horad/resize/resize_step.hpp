// What is to be done next for one resize? A pure function of what was written down and what is
// seen: whatever was done already is seen, so that repeating it after a crash does no harm.
#pragma once

#include <optional>
#include <string>

#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/journal/resize.hpp"
#include "scripts/horad/observe/controller_age.hpp"

namespace hora::horad {

struct ResizeLimits {
    Seconds ready{120};          // from the request to the checkpoint, and before that to progress
    Seconds fallback{30};        // how long it waits to start before it goes back to its old size
    Seconds first_step{60};      // how long a first step after the restart is waited for
    bool reserves_nodes = true;  // those of a job, for the time of its restart
};

// By the steady clock; a daemon that starts anew counts anew, but for `ready`.
struct Waiting {
    Seconds since;                    // in this state
    std::optional<Seconds> ready;     // since when the checkpoint stands
    std::optional<Seconds> eligible;  // since when it may begin
    std::optional<Seconds> woken;     // when slurmctld was last told to look
    std::optional<Seconds> unheard;   // since when it is requeued, with no word of its checkpoint
    bool has_asked = false;           // for a checkpoint: what was said since was heard here
    std::int64_t latest = 0;          // that slurmctld's clock has shown
    std::string waits_for;            // the last reason that Slurm gave
    // Just now, or an earlier daemon has, so that a hold may have been overridden.
    bool has_raised = false;
    std::string refusal;  // the last one
};

enum class Act { none, signal, change, hold, requeue };

struct ResizeStep {
    ResizeEntry entry;  // to be journalled before the act
    Act act = Act::none;
    slurm::JobChange change;
    bool holds_by_user = false;
    std::optional<ResizeState> then;  // the state after it is done
    std::optional<Ending> ending;     // it is over, once the act is done
    std::string remark;
};

struct Scene {
    const std::optional<slurm::Job>& job;  // empty: slurmctld knows none
    SlurmEdge& slurm;                      // to be asked, not to be told
    const Listener& listener;
    const Shaper& shaper;
    ControllerAge& controller;
    const ResizeLimits& limits;
    Moment now;
    bool are_nodes_reserved = false;  // those of its start before
};

ResizeStep next_step(const ResizeEntry& entry, Waiting& waiting, const Scene& scene);

}  // namespace hora::horad
