// Does a task get Hora's all-reduce for MPI programs?
#include "plugins/spank/variables/mpi_library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "libplanner/domain/allreduce.hpp"
#include "plugins/spank/job/job_variables.hpp"

namespace hora::spank {
namespace {

constexpr std::string_view choice_variable = "HORA_ALLREDUCE";
constexpr std::string_view preload_variable = "LD_PRELOAD";
// As the dynamic linker takes it.
constexpr std::string_view separators = ": ";

}  // namespace

void remove_mpi_library(Environment& environment, const std::string& library) {
    const std::string* const preloaded = environment.find(preload_variable);
    if (preloaded == nullptr || preloaded->find(library) == std::string::npos) {
        return;
    }
    std::string kept;
    for (std::string_view rest = *preloaded; !rest.empty();) {
        const std::string_view path = rest.substr(0, rest.find_first_of(separators));
        if (!path.empty() && path != library) {
            kept += (kept.empty() ? "" : ":") + std::string(path);
        }
        rest.remove_prefix(std::min(rest.size(), path.size() + 1));
    }
    if (kept.empty()) {
        environment.unset(preload_variable);
    } else {
        environment.set(preload_variable, std::move(kept));
    }
}

void add_mpi_library(Prepared& prepared, JobRecord& record, const TaskFacts& facts,
                     const ComputeSettings& settings) {
    const auto of_step = read_options(facts).allreduce;
    const std::string asked = of_step ? std::string(domain::name_of(*of_step)) : record.allreduce;
    if (asked.empty() || asked == domain::name_of(domain::Allreduce::mpi)) {
        return;
    }
    if (!facts.has_mpi_library) {
        // Said once a job: by the script, or by the first task of each step where there is none.
        if (record.told.insert("allreduce").second) {
            prepared.remarks.push_back(fmt::format(
                "--hora-allreduce={}: this node has no {}; MPI's own all-reduce is used", asked,
                settings.mpi_library));
        }
        return;
    }
    if (facts.is_batch || facts.is_launcher) {
        return;
    }
    Environment& environment = prepared.environment;
    if (const std::string* const own = environment.find(choice_variable); own == nullptr) {
        environment.set(choice_variable, asked);
        record.step_set.insert_or_assign(std::string(choice_variable), asked);
    } else if (*own == domain::name_of(domain::Allreduce::mpi)) {
        return;
    }
    const std::string* const preloaded = environment.find(preload_variable);
    environment.set(preload_variable, preloaded == nullptr || preloaded->empty()
                                          ? settings.mpi_library
                                          : *preloaded + ":" + settings.mpi_library);
}

}  // namespace hora::spank
