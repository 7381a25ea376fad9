// Which --hora-... options exist, and what a value given to one of them means.
#pragma once

#include <span>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/job_options.hpp"
#include "libplanner/read/whole_number.hpp"

namespace hora::read {

// Samples of a global batch.
constexpr WholeRange batch_range{1, 1'000'000'000};

struct JobOption {
    std::string_view name;      // as typed after the two dashes: "hora-model"
    std::string_view argument;  // what --help shows behind '='; empty: a switch without a value
    std::string_view help;      // one line
};

// The one table: sbatch --help, the checks on both sides and the manual page follow it.
std::span<const JobOption> job_options();

// Sets one option, whose name may have '_' for '-', as in Slurm's environment; a later value
// replaces an earlier one. On failure the options are unchanged and the message says what was
// wrong, what is allowed and gives an example.
Expected<void> set_job_option(domain::JobOptions& options, std::string_view name,
                              std::string_view value);

// What no option can be refused for by itself: fails where two of them leave nothing, or one needs
// another.
Expected<void> check_job_options(const domain::JobOptions& options);

}  // namespace hora::read
