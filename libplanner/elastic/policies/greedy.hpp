// Who gets the next GPU, when each step goes to the job that values it most?
#pragma once

#include <cstdint>
#include <functional>

#include "libplanner/elastic/policies/policy.hpp"

namespace hora::elastic {

// What a job's step from `from` to `to` GPUs is worth for each GPU; a step worth nothing or less is
// not taken. 0 GPUs: it waits.
using StepValue =
    std::function<double(const domain::ElasticJob&, std::uint32_t from, std::uint32_t to)>;

// Solves anew: started jobs hold their lowest size, one GPU is left for each request from outside,
// and the rest goes step by step to the greatest value; among equals the first submitted wins.
// A job whose next step does not fit is done. The objective stays 0.
// O((jobs + GPUs) log jobs).
Allocation allocate_greedily(const domain::ElasticState& state, const StepValue& value);

}  // namespace hora::elastic
