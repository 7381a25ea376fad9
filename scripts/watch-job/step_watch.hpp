// Who asks the programs of a step for a checkpoint, whatever launched them, and who ends them when
// their job is taken from them?
#pragma once

#include "scripts/watch-job/options.hpp"

namespace hora::watch {

// Runs as a child of the slurmstepd of the step, with all signals blocked: what Slurm sends to the
// tasks reaches this process too. Returns when the task and all that it started have ended.
//
// A request (the program's own signal, SIGUSR1 where that is SIGTERM, and SIGTERM while the job
// goes on) is handed on, as the program's own signal, to each first process below slurmstepd that
// has a handler for it and that Slurm has not sent it to.
//
// SIGTERM at the job's end: where it is cancelled, a step whose program would be asked is killed at
// once; where it has gone back to the queue or is over otherwise, as soon as READY stands.
int watch_step(const Options& options);

}  // namespace hora::watch
