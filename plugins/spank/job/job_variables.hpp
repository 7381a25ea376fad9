// Which variables are the same for every task of a job?
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/job_options.hpp"
#include "plugins/spank/job/compute_settings.hpp"
#include "plugins/spank/job/task_facts.hpp"

namespace hora::spank {

// Is there where the request has one task a node, as the controller's plugin read it.
constexpr std::string_view launch_variable = "HORA_LAUNCH";

// What a submit-side plugin gave the job: as NAME, or as Slurm passes on job control variables.
const std::string* find_given(const Environment& environment, std::string_view name);

// The variable in which Slurm passes on an option of ours: "hora-gpus".
std::string option_variable(std::string_view option);

// The options that these variables name: of the job whose shell or script this is.
std::vector<std::pair<std::string, std::string>> passed_options(const Environment& environment);

// Values that are not accepted are passed over: they were checked on submit, and a job never fails
// here.
domain::JobOptions read_options(const TaskFacts& facts);

// "sync", as in HORA_MODE and --hora-mode.
std::string_view mode_name(domain::Mode mode);

// HORA_MODE, HORA_BATCH, HORA_SAMPLE_RATE and HORA_EXCHANGE where known, HORA_BATCH_MIN of a range
// of batches, and what the site set for NCCL.
Variables job_variables(const Environment& environment, const TaskFacts& facts,
                        const ComputeSettings& settings);

// The job's folder; empty where the time of submission was not noted. Fails on a bad template.
Expected<std::string> checkpoint_folder(const Environment& environment, const TaskFacts& facts,
                                        const ComputeSettings& settings);

}  // namespace hora::spank
