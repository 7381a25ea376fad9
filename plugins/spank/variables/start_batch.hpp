// Which global batch does this start of a job have, where its owner has given a range?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "plugins/spank/job/compute_settings.hpp"
#include "plugins/spank/job/task_facts.hpp"
#include "plugins/spank/process/bounded_run.hpp"

namespace hora::spank {

// The program that asks slurmctld, which a step must not do itself. Nothing for what is no batch
// script, for a job without a range, and where the site has no such program. Also at the first
// start: a job may have been given another size while it waited.
std::optional<std::vector<std::string>> batch_call(const TaskFacts& facts,
                                                   const ComputeSettings& settings);

// What it has answered; empty: the job has its smallest batch. A number that is not in the range is
// passed over. Fails, in words for the user, where it has not answered.
Expected<std::optional<std::uint64_t>> batch_of(const RunResult& result, const TaskFacts& facts,
                                                const ComputeSettings& settings);

}  // namespace hora::spank
