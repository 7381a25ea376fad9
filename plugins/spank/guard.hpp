// How is an entry point kept from harming sbatch or slurmstepd? No exception leaves it.
#pragma once

#include <exception>

#include "plugins/spank/slurm_spank.hpp"

namespace hora::spank {

// Runs the body; an exception is logged once a call, and the job goes on without Hora.
template <class Body>
int guard(const char* where, Body body) noexcept {
    try {
        return body();
    } catch (const std::exception& error) {
        slurm_error("hora: %s: %s; the job goes on without Hora", where, error.what());
    } catch (...) {
        slurm_error("hora: %s: unknown exception; the job goes on without Hora", where);
    }
    return 0;
}

}  // namespace hora::spank
