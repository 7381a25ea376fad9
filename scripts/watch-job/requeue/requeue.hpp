// How does a job go back to the queue at its checkpoint, so that no line of its script after srun
// runs?
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "libplanner/base/units.hpp"
#include "scripts/watch-job/requeue/processes.hpp"

namespace hora::watch {

enum class Outcome {
    requeued,     // the script is over
    refused,      // it goes on
    unreachable,  // it goes on; slurmctld does not answer, and may later
    replaced,     // it goes on; the next start runs, is counted like this one, and may have said so
};

// Of the job's time limit, as the start had it that is over.
struct LimitChange {
    Seconds limit;
    Seconds rest;  // shorter
};

// The start that is over, as slurmctld had it.
struct Run {
    std::string nodes;           // as Slurm lists them
    std::uint32_t restarts = 0;  // that it counts: maybe fewer than there were, where it was killed
    std::int64_t began = 0;      // by its clock
};

struct Attempt {
    Outcome outcome = Outcome::refused;
    std::string why;                        // empty where it is requeued
    std::optional<LimitChange> limit = {};  // of one that is requeued; empty: nothing to change
    Run run = {};                           // likewise
};

// Stops the script, asks slurmctld, and then ends it or lets it go on. Ranks are not stopped: they
// wait for their end by themselves. Asks for nothing where the job is no longer in this start, or
// may not be requeued.
Attempt requeue(const JobMark& mark, pid_t shell);

// Ends the script and the ranks on its node where slurmctld says that the job runs in a later start
// already: slurmd has died, its node was taken for lost, and nobody else ends what goes on there.
// True where it is done.
bool end_if_replaced(const JobMark& mark, pid_t shell);

// Likewise the ranks that a script has left behind, which ended since Slurm told its srun of the
// lost node; also where the job waits for its next start. Once that runs and is counted like this
// one, nothing is ended: the processes of both look the same. slurmctld is asked until it answers,
// for a minute.
void end_what_is_left(const JobMark& mark);

// What the job runs on, and since when by slurmctld's clock.
struct Holding {
    std::uint32_t gpus = 0;
    std::uint32_t nodes = 0;
    std::int64_t began = 0;
};
// Empty where slurmctld does not say, and where the job does not run.
std::optional<Holding> holding_of(std::uint32_t job);

// Lets the requeued job begin as soon as its last run is cleaned up, in place of the two minutes
// that Slurm makes it wait; never in the second in which that run ends, for then slurmd would
// refuse it for good. Where somebody else has seen to it within `grace` seconds, or it is held,
// that is left alone. Its time limit becomes what is left of it, but for one that somebody has
// changed.
void begin_soon(std::uint32_t job, const Run& run, int grace,
                const std::optional<LimitChange>& limit);

}  // namespace hora::watch
