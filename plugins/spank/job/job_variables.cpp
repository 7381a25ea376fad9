// Which variables are the same for every task of a job?
#include "plugins/spank/job/job_variables.hpp"

#include <algorithm>
#include <limits>

#include "libplanner/read/settings/checkpoint_path.hpp"
#include "libplanner/read/settings/job_options.hpp"
#include "libplanner/read/whole_number.hpp"

namespace hora::spank {
namespace {

std::uint64_t number_or(const std::string* text, std::uint64_t otherwise) {
    constexpr read::WholeRange any{0, std::numeric_limits<std::uint64_t>::max()};
    return text == nullptr ? otherwise : read::parse_whole_number(*text, any).value_or(otherwise);
}

std::string text_or_empty(const std::string* text) {
    return text == nullptr ? std::string() : *text;
}

}  // namespace

const std::string* find_given(const Environment& environment, std::string_view name) {
    const std::string* const own = environment.find(name);
    return own != nullptr ? own : environment.find("SLURM_SPANK_" + std::string(name));
}

std::string option_variable(std::string_view option) {
    std::string name = "SLURM_SPANK__SLURM_SPANK_OPTION_hora_" + std::string(option);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

std::vector<std::pair<std::string, std::string>> passed_options(const Environment& environment) {
    std::vector<std::pair<std::string, std::string>> options;
    for (const read::JobOption& option : read::job_options()) {
        const std::string* const value = environment.find(option_variable(option.name));
        if (value != nullptr) {
            options.emplace_back(option.name, *value);
        }
    }
    return options;
}

domain::JobOptions read_options(const TaskFacts& facts) {
    domain::JobOptions options;
    for (const auto& [name, value] : facts.options) {
        static_cast<void>(read::set_job_option(options, name, value));
    }
    return options;
}

std::string_view mode_name(domain::Mode mode) {
    switch (mode) {
        case domain::Mode::independent:
            return "independent";
        case domain::Mode::sync:
            return "sync";
        case domain::Mode::async:
            return "async";
        case domain::Mode::balanced:
            return "balanced";
    }
    return "sync";
}

Variables job_variables(const Environment& environment, const TaskFacts& facts,
                        const ComputeSettings& settings) {
    const domain::JobOptions options = read_options(facts);
    Variables variables;
    if (options.mode) {
        variables["HORA_MODE"] = mode_name(*options.mode);
    }
    if (options.batch) {
        variables["HORA_BATCH"] = std::to_string(*options.batch);
    }
    if (options.batch && options.max_batch) {
        variables["HORA_BATCH_MIN"] = std::to_string(*options.batch);
    }
    // What the plan says comes before what was asked for.
    for (const char* const name :
         {"HORA_MODE", "HORA_BATCH", "HORA_SAMPLE_RATE", "HORA_EXCHANGE"}) {
        if (const std::string* const given = find_given(environment, name); given != nullptr) {
            variables[name] = *given;
        }
    }
    if (facts.batch) {
        variables["HORA_BATCH"] = std::to_string(*facts.batch);
    }
    // Such a job comes back with another number of GPUs: each step sees for itself.
    if (const auto mode = variables.find("HORA_MODE");
        options.is_elastic && mode != variables.end() &&
        (mode->second == "sync" || mode->second == "independent")) {
        variables.erase(mode);
    }
    if (!settings.socket_interface.empty()) {
        variables["NCCL_SOCKET_IFNAME"] = settings.socket_interface;
    }
    if (!settings.ib_hca.empty()) {
        variables["NCCL_IB_HCA"] = settings.ib_hca;
    }
    return variables;
}

Expected<std::string> checkpoint_folder(const Environment& environment, const TaskFacts& facts,
                                        const ComputeSettings& settings) {
    const std::uint64_t submit = number_or(find_given(environment, "HORA_SUBMIT"), 0);
    const std::uint64_t job = number_or(environment.find("SLURM_JOB_ID"), 0);
    if (submit == 0 || job == 0 || job > std::numeric_limits<std::uint32_t>::max()) {
        return std::string();
    }
    // A step's own working directory may differ from the job's.
    const std::string* const submitted_from =
        facts.is_batch ? nullptr : environment.find("SLURM_SUBMIT_DIR");
    return read::checkpoint_path(
        settings.checkpoint_path,
        {.user = facts.user,
         .uid = facts.uid,
         .cluster = text_or_empty(environment.find("SLURM_CLUSTER_NAME")),
         .job = static_cast<std::uint32_t>(job),
         .submit = submit,
         .work_directory = submitted_from == nullptr ? facts.work_directory : *submitted_from});
}

}  // namespace hora::spank
