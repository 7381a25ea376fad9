// What happens in sbatch, salloc and srun: options are checked, and the model is read.
//
// The model is read as soon as the option is seen, because only an option's own callback can make
// Slurm refuse the submission; a plugin that is `optional` in plugstack.conf cannot later.
#include "plugins/spank/submit_side.hpp"

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <utility>

#include "libplanner/read/settings/job_options.hpp"
#include "plugins/spank/model_reader.hpp"

namespace hora::spank {
namespace {

// scrontab reads the options of plugins and hands none on: neither slurmctld nor the nodes see
// them.
bool is_scrontab() {
    return std::string_view(program_invocation_short_name) == "scrontab";
}

}  // namespace

void SubmitSide::start(SettingsSource source, bool asks_for_job) {
    source_ = std::move(source);
    asks_for_job_ = asks_for_job;
}

bool SubmitSide::take(std::string_view name, std::string_view value) {
    const auto set = read::set_job_option(options_, name, value);
    if (!set) {
        slurm_error("hora: %s", set.error().message.c_str());
        return false;
    }
    has_options_ = true;
    if (is_scrontab()) {
        if (!std::exchange(has_warned_, true)) {
            slurm_info(
                "hora: scrontab hands on no options of plugins: the job runs without Hora; let its "
                "line call sbatch with a script that has them");
        }
        return true;
    }
    const bool concerns_model = name == "hora-model" || name == "hora-dtype";
    return !concerns_model || read_model();
}

bool SubmitSide::read_model() {
    workload_.clear();
    if (!asks_for_job_ || !options_.wants_plan()) {
        return true;
    }
    const std::string data_type =
        options_.data_type ? std::string(domain::info(*options_.data_type).name) : std::string();
    const ComputeSettings settings = source_.load();
    const RunResult result =
        run_bounded(reader_call(settings.reader, *options_.model, data_type),
                    {.time = settings.reader_limit, .output = domain::max_workload_text});
    ModelAnswer answer = judge(settings.reader, result);
    if (answer.verdict == ModelVerdict::refused) {
        slurm_error("hora: --hora-model=%s: %s", options_.model->c_str(), answer.message.c_str());
        return false;
    }
    if (answer.verdict == ModelVerdict::no_reader && !std::exchange(has_warned_, true)) {
        slurm_info("hora: %s; the job goes on without a plan", answer.message.c_str());
    }
    if (!answer.remark.empty() && answer.remark != remark_) {
        slurm_info("hora: --hora-model=%s: %s", options_.model->c_str(), answer.remark.c_str());
        remark_ = answer.remark;
    }
    workload_ = std::move(answer.workload);
    return true;
}

void SubmitSide::finish(spank_t spank) {
    if (!has_options_ || !asks_for_job_ || options_.is_off) {
        return;
    }
    // Of the job that submits this one: slurmd has another only for a start that is not the first.
    unsetenv("SLURM_RESTART_COUNT");
    if (!workload_.empty()) {
        spank_job_control_setenv(spank, "HORA_WORKLOAD", workload_.c_str(), 1);
    }
    // Slurm's own time of submission changes when a job is requeued; this one names its folder.
    const std::string now = std::to_string(std::time(nullptr));
    spank_job_control_setenv(spank, "HORA_SUBMIT", now.c_str(), 1);
    if (spank_context() == S_CTX_LOCAL) {
        // The control environment does not reach the step of an srun without a script.
        setenv("SLURM_SPANK_HORA_SUBMIT", now.c_str(), 1);
    }
}

}  // namespace hora::spank
