// Does a task get Hora's library for MPI programs: its all-reduce, and the record of its calls?
#include "plugins/spank/variables/mpi_library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "libplanner/domain/allreduce.hpp"
#include "libplanner/read/settings/checkpoint_path.hpp"
#include "plugins/spank/job/job_variables.hpp"

namespace hora::spank {
namespace {

constexpr std::string_view choice_variable = "HORA_ALLREDUCE";
constexpr std::string_view trace_variable = "HORA_TRACE_DIR";
constexpr std::string_view preload_variable = "LD_PRELOAD";
// As the dynamic linker takes it.
constexpr std::string_view separators = ": ";

// "ring", or empty where MPI's own is meant.
std::string asked_allreduce(const JobRecord& record, const TaskFacts& facts) {
    const auto of_step = read_options(facts).allreduce;
    const std::string asked = of_step ? std::string(domain::name_of(*of_step)) : record.allreduce;
    return asked == domain::name_of(domain::Allreduce::mpi) ? std::string() : asked;
}

// Said once a job: by the script, or by the first task of each step where there is none.
void say_missing(Prepared& prepared, JobRecord& record, const ComputeSettings& settings,
                 const std::string& allreduce) {
    if (!allreduce.empty() && record.told.insert("allreduce").second) {
        prepared.remarks.push_back(
            fmt::format("--hora-allreduce={}: this node has no {}; MPI's own all-reduce is used",
                        allreduce, settings.mpi_library));
    } else if (allreduce.empty() && record.told.insert("timeline").second) {
        prepared.remarks.push_back(
            fmt::format("--hora-timeline: this node has no {}; nothing is "
                        "recorded",
                        settings.mpi_library));
    }
}

// False where the user wants MPI's own.
bool chooses_ring(Environment& environment, JobRecord& record, const std::string& asked) {
    const std::string* const own = environment.find(choice_variable);
    if (own == nullptr) {
        environment.set(choice_variable, asked);
        record.step_set.insert_or_assign(std::string(choice_variable), asked);
    }
    return own == nullptr || *own != domain::name_of(domain::Allreduce::mpi);
}

std::string value_or(const Environment& environment, std::string_view name, const char* otherwise) {
    const std::string* const value = environment.find(name);
    return value == nullptr || value->empty() ? std::string(otherwise) : *value;
}

// False where there is none: a user who has set it to nothing wants none.
bool set_trace_folder(Prepared& prepared, JobRecord& record) {
    Environment& environment = prepared.environment;
    if (const std::string* const own = environment.find(trace_variable); own != nullptr) {
        return !own->empty();
    }
    const std::string folder = value_or(environment, "HORA_CHECKPOINT_DIR", "");
    if (folder.empty()) {
        if (record.told.insert("timeline").second) {
            prepared.remarks.emplace_back(
                "--hora-timeline: there is no HORA_CHECKPOINT_DIR to record in; set HORA_TRACE_DIR "
                "to a folder");
        }
        return false;
    }
    const std::string path = fmt::format("{}/{}/{}.{}", folder, read::trace_folder,
                                         value_or(environment, "SLURM_RESTART_COUNT", "0"),
                                         value_or(environment, "SLURM_STEP_ID", "0"));
    environment.set(trace_variable, path);
    record.step_set.insert_or_assign(std::string(trace_variable), path);
    return true;
}

void preload(Environment& environment, const std::string& library) {
    const std::string* const preloaded = environment.find(preload_variable);
    environment.set(preload_variable, preloaded == nullptr || preloaded->empty()
                                          ? library
                                          : *preloaded + ":" + library);
}

}  // namespace

void remove_mpi_library(Environment& environment, const std::string& library) {
    const std::string* const preloaded = environment.find(preload_variable);
    if (preloaded == nullptr || library.empty()) {
        return;
    }
    std::string kept;
    bool is_there = false;
    for (std::string_view rest = *preloaded; !rest.empty();) {
        const std::string_view path = rest.substr(0, rest.find_first_of(separators));
        if (path == library) {
            is_there = true;
        } else if (!path.empty()) {
            kept += (kept.empty() ? "" : ":") + std::string(path);
        }
        rest.remove_prefix(std::min(rest.size(), path.size() + 1));
    }
    if (!is_there) {
        return;
    }
    if (kept.empty()) {
        environment.unset(preload_variable);
    } else {
        environment.set(preload_variable, std::move(kept));
    }
}

void add_mpi_library(Prepared& prepared, JobRecord& record, const TaskFacts& facts,
                     const ComputeSettings& settings) {
    const std::string allreduce = asked_allreduce(record, facts);
    const bool is_traced = record.is_traced || read_options(facts).wants_timeline;
    if (allreduce.empty() && !is_traced) {
        return;
    }
    if (!facts.has_mpi_library) {
        say_missing(prepared, record, settings, allreduce);
        return;
    }
    if (facts.is_batch || facts.is_launcher) {
        return;
    }
    const bool reduces =
        !allreduce.empty() && chooses_ring(prepared.environment, record, allreduce);
    const bool records = is_traced && set_trace_folder(prepared, record);
    if (reduces || records) {
        preload(prepared.environment, settings.mpi_library);
    }
}

}  // namespace hora::spank
