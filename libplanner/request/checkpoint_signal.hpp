// Which signal does Slurm send to a job's steps, for the program to write a checkpoint?
#pragma once

#include <csignal>

#include "libplanner/domain/job_options.hpp"

namespace hora::request {

// The program's own, so that it gets no other; but where that is SIGTERM, by which Slurm ends
// steps, SIGUSR1: Hora's program in the step hands that on as SIGTERM.
constexpr int request_signal(domain::CheckpointSignal own) {
    return own == domain::CheckpointSignal::usr2 ? SIGUSR2 : SIGUSR1;
}

// Is it one that reaches the program, or Hora's beside it, as a request?
constexpr bool is_request(domain::CheckpointSignal own, int signal) {
    return signal == request_signal(own) ||
           (own == domain::CheckpointSignal::term && signal == SIGTERM);
}

}  // namespace hora::request
