// Which program runs beside a batch script, and with which arguments?
#include "plugins/spank/variables/watch_call.hpp"

#include <algorithm>
#include <limits>

#include "libplanner/read/whole_number.hpp"
#include "plugins/spank/job/job_variables.hpp"

namespace hora::spank {
namespace {

struct Limits {
    std::uint64_t restarts = 0;
    std::uint64_t seconds = 0;
};

// Empty where the controller's plugin has not allowed it, or the user has written over it.
std::optional<Limits> find_limits(const std::string& text) {
    constexpr read::WholeRange any{0, std::numeric_limits<std::uint32_t>::max()};
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) {
        return std::nullopt;
    }
    const auto restarts = read::parse_whole_number(text.substr(0, colon), any);
    const auto seconds = read::parse_whole_number(text.substr(colon + 1), any);
    return restarts && seconds ? std::optional(Limits{*restarts, *seconds}) : std::nullopt;
}

// The node's name marks it as a process of this job's.
Variables own_variables(const Environment& environment) {
    Variables variables{{"PATH", "/usr/bin:/bin"}};
    for (const char* const name : {"SLURM_CONF", "SLURMD_NODENAME", "SLURM_JOB_ID", "TZ"}) {
        if (std::string value = text_of(environment, name); !value.empty()) {
            variables.emplace(name, std::move(value));
        }
    }
    return variables;
}

std::string restarts_of(const Environment& environment) {
    std::string restarts = text_of(environment, "SLURM_RESTART_COUNT");
    return restarts.empty() ? "0" : restarts;
}

}  // namespace

std::optional<WatchCall> watch_call(const Environment& environment, const TaskFacts& facts,
                                    const ComputeSettings& settings, const std::string& allowed,
                                    pid_t shell) {
    const std::string folder = text_of(environment, "HORA_CHECKPOINT_DIR");
    const std::string progress = text_of(environment, "HORA_PROGRESS");
    const auto limits = folder.empty() ? std::nullopt : find_limits(allowed);
    if (settings.watcher.empty() || (progress.empty() && !limits)) {
        return std::nullopt;
    }
    WatchCall call{
        {settings.watcher, "--job", std::to_string(facts.job), "--cluster",
         text_of(environment, "SLURM_CLUSTER_NAME"), "--restarts", restarts_of(environment),
         "--shell", std::to_string(shell), "--shell-fd", std::to_string(shell_descriptor),
         "--settings", settings.file, "--progress", progress, "--folder", folder},
        own_variables(environment)};
    if (limits) {
        call.words.insert(call.words.end(),
                          {"--requeue", "--max-restarts", std::to_string(limits->restarts),
                           "--max-time", std::to_string(limits->seconds)});
    }
    const auto has = [&](std::string_view name) {
        return std::any_of(facts.options.begin(), facts.options.end(),
                           [&](const auto& option) { return option.first == name; });
    };
    if (limits && has("hora-elastic") && !has("hora-requeue")) {
        call.words.emplace_back("--lower-limit");
    }
    return call;
}

WatchCall clear_call(const Environment& environment, const TaskFacts& facts,
                     const ComputeSettings& settings, const std::string& folder, int exit_status) {
    WatchCall call{
        {settings.watcher, "--job", std::to_string(facts.job), "--cluster",
         text_of(environment, "SLURM_CLUSTER_NAME"), "--restarts", restarts_of(environment),
         "--folder", folder, "--exit-status", std::to_string(exit_status), "--keep",
         std::to_string(static_cast<std::int64_t>(settings.keep_folders.count()))},
        own_variables(environment)};
    if (settings.removes_finished) {
        call.words.emplace_back("--remove-finished");
    }
    return call;
}

std::optional<WatchCall> step_call(const Prepared& prepared, const TaskFacts& facts,
                                   const ComputeSettings& settings, pid_t task) {
    const Environment& environment = prepared.environment;
    const std::string step = text_of(environment, "SLURM_STEP_ID");
    const bool is_first = facts.is_batch_script || text_of(environment, "SLURM_LOCALID") == "0";
    if (settings.watcher.empty() || prepared.checkpoint_signal.empty() || step.empty() ||
        !is_first) {
        return std::nullopt;
    }
    WatchCall call{
        {settings.watcher, "--job", std::to_string(facts.job), "--restarts",
         restarts_of(environment), "--shell", std::to_string(task), "--shell-fd",
         std::to_string(shell_descriptor), "--folder", text_of(environment, "HORA_CHECKPOINT_DIR"),
         "--step", step, "--signal", prepared.checkpoint_signal},
        own_variables(environment)};
    if (facts.is_batch_script) {
        call.words.emplace_back("--script");
    }
    return call;
}

}  // namespace hora::spank
