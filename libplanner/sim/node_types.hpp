// What becomes of a trace where a cluster has nodes of several types?
//
// Slurm never moves a job to another type of GPU than it requests: the jobs of each type have its
// nodes for themselves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libplanner/domain/job_trace.hpp"
#include "libplanner/sim/result.hpp"

namespace hora::sim {

// The jobs of one type, as a trace of them alone has them.
struct TypeTrace {
    domain::JobTrace trace;
    std::vector<std::uint32_t> places;  // of each job in the whole trace
};

TypeTrace trace_of(const domain::JobTrace& whole, const std::string& gpu_type);

// Adds what became of these jobs, whose type is the next one. Precondition: `all` has a row for
// each job of the whole trace.
void add_type(Result& all, Result result, const TypeTrace& of);

}  // namespace hora::sim
