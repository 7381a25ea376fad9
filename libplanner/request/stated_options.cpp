// What does the job want, by Hora's own options and its workload?
#include "libplanner/request/stated_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "libplanner/model/networks/builtin.hpp"
#include "libplanner/model/workload.hpp"
#include "libplanner/read/model/workload_text.hpp"
#include "libplanner/read/settings/job_options.hpp"

namespace hora::request {
namespace {

constexpr std::size_t longest_recorded = 128;

std::string as_typed(std::string name) {
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

bool is_builtin(const std::string& name) {
    const auto names = model::builtin_names();
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Expected<domain::JobOptions> options_of(const Submission& submission) {
    domain::JobOptions options;
    for (const auto& [name, value] : submission.options) {
        if (auto done = read::set_job_option(options, name, value); !done) {
            return unexpected(done.error());
        }
    }
    if (auto checked = read::check_job_options(options); !checked) {
        return unexpected(checked.error());
    }
    return options;
}

Expected<std::optional<domain::Workload>> workload_of(const Submission& submission,
                                                      const domain::JobOptions& options) {
    if (!submission.workload.empty()) {
        auto workload = read::read_workload_text(submission.workload);
        if (!workload) {
            return unexpected(workload.error().within("HORA_WORKLOAD"));
        }
        return std::optional(std::move(*workload));
    }
    if (!options.model || !is_builtin(*options.model)) {
        return std::nullopt;
    }
    const auto network = model::builtin_network(*options.model);
    if (!network) {
        return unexpected(network.error());
    }
    return std::optional(model::to_workload(*network, options.data_type));
}

std::vector<std::pair<std::string, std::string>> typed_options(const Submission& submission,
                                                               const Contract& contract) {
    std::vector<std::pair<std::string, std::string>> typed;
    for (const auto& [name, value] : submission.options) {
        std::string option = as_typed(name);
        const bool is_of_elastic = option == "hora-elastic" || option == "hora-yield";
        const bool is_left_out = (is_of_elastic && !contract.is_elastic) ||
                                 (option == "hora-requeue" && !contract.requeues);
        if (!is_left_out) {
            // Slurm's word for a switch.
            typed.emplace_back(std::move(option), value == "(null)"
                                                      ? std::string()
                                                      : value.substr(0, longest_recorded));
        }
    }
    return typed;
}

}  // namespace hora::request
