// How is an entry point kept from harming slurmctld? No exception leaves it.
#pragma once

#include <exception>

#include "plugins/job_submit/daemon.hpp"

namespace hora::submit {

// Runs the body; an exception is logged once a call, and `otherwise` is the result: an exception
// that escaped into slurmctld would end it.
template <class Result, class Body>
Result guard(const char* where, Result otherwise, Body body) noexcept {
    try {
        return body();
    } catch (const std::exception& error) {
        slurm_error("hora: %s: %s; the job passes unchanged", where, error.what());
    } catch (...) {
        slurm_error("hora: %s: unknown exception; the job passes unchanged", where);
    }
    return otherwise;
}

}  // namespace hora::submit
