// May this job be checkpointed and requeued (--hora-elastic, --hora-requeue), and what in its
// request makes that possible? Settings: "requeue.max", "requeue.max_time", "requeue.ahead".
#include "libplanner/request/contract.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "libplanner/request/checkpoint_signal.hpp"

namespace hora::request {
namespace {

// Why no job of this kind can go back to the queue at its checkpoint; empty where it can.
std::string obstacle(const Submission& submission) {
    if (!submission.is_batch) {
        return "only a job of sbatch can be requeued";
    }
    if (submission.is_heterogeneous) {
        return "the parts of a heterogeneous job cannot be requeued one by one";
    }
    return submission.forbids_requeue ? "the job is not to be requeued (--no-requeue)" : "";
}

// Each task of an array comes back by itself, from its own folder.
std::string obstacle_to_requeue(const Submission& submission) {
    return submission.is_array && submission.has_own_folder
               ? "the tasks of the array would share one HORA_CHECKPOINT_DIR; unset it, and each "
                 "has its own"
               : "";
}

std::string obstacle_to_resize(const Submission& submission) {
    return submission.is_array ? "the tasks of a job array keep their size" : "";
}

// A new size is decided by how fast the job is and how much it has left to do.
std::string missing_of(const domain::JobOptions& options) {
    std::string names;
    const auto add = [&names](bool is_given, const char* name) {
        names += is_given ? std::string() : (names.empty() ? "" : ", ") + std::string(name);
    };
    add(options.model.has_value(), "--hora-model");
    add(options.batch.has_value(), "--hora-batch");
    add(options.samples.has_value(), "--hora-samples");
    add(options.epochs.has_value(), "--hora-epochs");
    const bool are_several = names.find(',') != std::string::npos;
    return names.empty() ? names : names + (are_several ? " are missing" : " is missing");
}

std::string first_said(std::initializer_list<std::string> reasons) {
    const auto* const found = std::find_if(reasons.begin(), reasons.end(),
                                           [](const auto& reason) { return !reason.empty(); });
    return found == reasons.end() ? std::string() : *found;
}

void ignore(Contract& contract, const char* option, const std::string& why) {
    contract.remark +=
        fmt::format("{}{} is ignored: {}", contract.remark.empty() ? "" : "; ", option, why);
}

// A short job is warned in its last quarter, or it would be warned as soon as it starts.
std::uint16_t seconds_ahead(const Submission& submission, const read::Settings& settings) {
    const double ahead = settings.get<Seconds>("requeue.ahead").count();
    const double most = submission.time_limit ? submission.time_limit->count() / 4 : ahead;
    return static_cast<std::uint16_t>(std::max(1.0, std::floor(std::min(ahead, most))));
}

void allow_restarts(Contract& contract, const read::Settings& settings) {
    // Slurm passes on what starts with SLURM_ even with --export=NONE; the SPANK plugin takes it
    // out before the script sees it.
    contract.set.emplace_back("SLURM_SPANK_HORA_RESTARTS",
                              fmt::format("{}:{:.0f}", settings.get<std::uint64_t>("requeue.max"),
                                          settings.get<Seconds>("requeue.max_time").count()));
}

void warn_of_limit(Contract& contract, const Submission& submission,
                   domain::CheckpointSignal signal, const read::Settings& settings) {
    if (!submission.has_own_signal) {
        contract.warning = Warning{static_cast<std::uint16_t>(request_signal(signal)),
                                   seconds_ahead(submission, settings)};
    }
}

}  // namespace

Contract contract_of(const Submission& submission, const domain::JobOptions& options,
                     const read::Settings& settings) {
    Contract contract;
    const std::string neither = obstacle(submission);
    const std::string no_resize =
        first_said({neither, obstacle_to_resize(submission), missing_of(options)});
    const std::string no_requeue = first_said({neither, obstacle_to_requeue(submission)});
    contract.is_elastic = options.is_elastic && no_resize.empty();
    contract.requeues = options.requeues && no_requeue.empty();
    if (options.is_elastic && !contract.is_elastic) {
        ignore(contract, "--hora-elastic", no_resize);
    }
    if (options.requeues && !contract.requeues) {
        ignore(contract, "--hora-requeue", no_requeue);
    }
    if (options.yields && !options.is_elastic) {
        ignore(contract, "--hora-yield", "the job is not elastic (--hora-elastic)");
    }
    if (options.may_be_suspended && !options.is_elastic) {
        ignore(contract, "--hora-suspend", "the job is not elastic (--hora-elastic)");
    }
    if (!contract.is_kept()) {
        return contract;
    }
    contract.appends = !submission.has_open_mode;
    allow_restarts(contract, settings);
    if (contract.requeues) {
        warn_of_limit(contract, submission, options.signal, settings);
    }
    if (contract.is_elastic) {
        // The client's view of the first size; slurmd sets what it has to at every start.
        contract.unset = {"SLURM_NTASKS", "SLURM_NPROCS", "SLURM_NTASKS_PER_NODE", "SLURM_GPUS",
                          "SLURM_GPUS_PER_NODE"};
    }
    return contract;
}

}  // namespace hora::request
