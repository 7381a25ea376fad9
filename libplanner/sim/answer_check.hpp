// Does a policy's answer keep to what each job takes and to the GPUs there are?
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "libplanner/domain/elastic.hpp"
#include "libplanner/domain/job_trace.hpp"

namespace hora::sim {

// `gpus`: what it gives to each job of the state. What is wrong with that, or nothing. The trace
// has the jobs' names, by their ids.
std::string broken_promise(const domain::ElasticState& state, std::span<const std::uint32_t> gpus,
                           const domain::JobTrace& trace);

}  // namespace hora::sim
