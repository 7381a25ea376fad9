// How many tasks on how many nodes does an srun within a job ask for, and may they be ordered?
#include "plugins/spank/srun/step_request.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "libplanner/read/whole_number.hpp"
#include "plugins/spank/srun/srun_words.hpp"

namespace hora::spank {
namespace {

constexpr read::WholeRange any_count{1, std::uint64_t{1} << 20};

// With one of these set the user, or the job's request, says more of the layout than counts.
constexpr std::array<std::string_view, 16> shaping_names{
    "SLURM_HOSTFILE",           "SLURM_DISTRIBUTION",
    "SLURM_ARBITRARY_NODELIST", "SLURM_OVERCOMMIT",
    "SLURM_NTASKS_PER_TRES",    "SLURM_NTASKS_PER_GPU",
    "SLURM_NTASKS_PER_CORE",    "SLURM_NTASKS_PER_SOCKET",
    "SLURM_NSOCKETS_PER_NODE",  "SLURM_NCORES_PER_SOCKET",
    "SLURM_THREADS_PER_CORE",   "SLURM_HINT",
    "SLURM_CLUSTER_CONSTRAINT", "SLURM_SPREAD_JOB",
    "SLURM_CONSTRAINT",         "SLURM_HET_SIZE"};

constexpr std::array<std::string_view, 9> binding_names{
    "SLURM_CPU_BIND",          "SLURM_MEM_BIND",          "SLURM_HINT",
    "SLURM_DISTRIBUTION",      "SLURM_NTASKS_PER_CORE",   "SLURM_NTASKS_PER_SOCKET",
    "SLURM_NSOCKETS_PER_NODE", "SLURM_NCORES_PER_SOCKET", "SLURM_THREADS_PER_CORE"};

// Steps of Slurm's own, for a script (SLURM_BATCH_SCRIPT) and a shell (SLURM_INTERACTIVE_STEP);
// 26.05 writes them with a sign.
constexpr std::array<std::string_view, 4> steps_of_slurm{"4294967291", "4294967290", "-5", "-6"};

bool has_any(const Environment& environment, std::span<const std::string_view> names) {
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view name) { return environment.find(name) != nullptr; });
}

// A count that was given, 0 where none was; nothing where it is no plain number.
std::optional<std::uint32_t> count_of(const std::string* text) {
    if (text == nullptr) {
        return 0;
    }
    const auto number = read::parse_whole_number(*text, any_count);
    return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
}

std::optional<std::uint32_t> count_of(const std::optional<std::string>& text) {
    return count_of(text ? &*text : nullptr);
}

const std::string* find_first(const Environment& environment, std::string_view name,
                              std::string_view otherwise) {
    const std::string* const found = environment.find(name);
    return found != nullptr ? found : environment.find(otherwise);
}

// Many scripts name the job that they are.
bool is_of_this_job(const SrunWords& words, const Environment& environment) {
    const std::string* const job = environment.find("SLURM_JOB_ID");
    return !words.job || (job != nullptr && *words.job == *job);
}

// In a task of another step the variables speak of that one.
bool is_inner_step(const Environment& environment) {
    const std::string* const step = environment.find("SLURM_STEP_ID");
    return step != nullptr &&
           std::find(steps_of_slurm.begin(), steps_of_slurm.end(), *step) == steps_of_slurm.end();
}

struct Counts {
    std::uint32_t nodes = 0;
    std::uint32_t tasks = 0;
    std::uint32_t tasks_per_node = 0;
    std::uint32_t cpus_per_task = 0;
};

std::optional<Counts> typed_counts(const SrunWords& words) {
    const auto nodes = count_of(words.nodes);
    const auto tasks = count_of(words.tasks);
    const auto tasks_per_node = count_of(words.tasks_per_node);
    const auto cpus = count_of(words.cpus_per_task);
    if (!nodes || !tasks || !tasks_per_node || !cpus) {
        return std::nullopt;
    }
    return Counts{*nodes, *tasks, *tasks_per_node, *cpus};
}

std::optional<Counts> job_counts(const Environment& environment) {
    const auto nodes = count_of(find_first(environment, "SLURM_NNODES", "SLURM_JOB_NUM_NODES"));
    const auto tasks = count_of(find_first(environment, "SLURM_NTASKS", "SLURM_NPROCS"));
    const auto tasks_per_node = count_of(environment.find("SLURM_NTASKS_PER_NODE"));
    const auto cpus =
        count_of(find_first(environment, "SRUN_CPUS_PER_TASK", "SLURM_CPUS_PER_TASK"));
    if (!nodes || *nodes == 0 || !tasks || !tasks_per_node || !cpus) {
        return std::nullopt;
    }
    return Counts{*nodes, *tasks, *tasks_per_node, *cpus};
}

}  // namespace

std::optional<StepRequest> read_step_request(std::span<const std::string> words,
                                             const Environment& environment) {
    const auto known_words = read_srun_words(words);
    if (!known_words || known_words->shapes_layout || !is_of_this_job(*known_words, environment) ||
        is_inner_step(environment) || has_any(environment, shaping_names)) {
        return std::nullopt;
    }
    const auto typed = typed_counts(*known_words);
    const auto of_job = job_counts(environment);
    if (!typed || !of_job) {
        return std::nullopt;
    }
    StepRequest request;
    request.nodes = typed->nodes > 0 ? typed->nodes : of_job->nodes;
    const std::uint32_t per_node =
        typed->tasks_per_node > 0 ? typed->tasks_per_node : of_job->tasks_per_node;
    const std::uint64_t by_node = std::uint64_t{request.nodes} * std::max(per_node, 1U);
    if (typed->tasks == 0 && of_job->tasks == 0 && by_node > any_count.max) {
        return std::nullopt;
    }
    request.tasks = typed->tasks > 0    ? typed->tasks
                    : of_job->tasks > 0 ? of_job->tasks
                                        : static_cast<std::uint32_t>(by_node);
    // Fewer nodes than the job's and as many tasks as the job's: not the same in every release.
    if (typed->tasks == 0 && of_job->tasks > 0 && request.nodes != of_job->nodes) {
        return std::nullopt;
    }
    // Releases differ in which of the numbers gives way; with one task a node none has to.
    if (per_node > 0 && std::uint64_t{per_node} * request.nodes != request.tasks &&
        request.tasks != request.nodes) {
        return std::nullopt;
    }
    request.nodes = std::min(request.nodes, request.tasks);
    request.cpus_per_task = std::max({typed->cpus_per_task, of_job->cpus_per_task, 1U});
    request.names_nodes = known_words->nodes.has_value();
    return request.nodes > 1 ? std::optional(request) : std::nullopt;
}

bool leaves_binding_open(std::span<const std::string> words, const Environment& environment) {
    const auto known_words = read_srun_words(words);
    return known_words && !known_words->binds_cpus && !has_any(environment, binding_names);
}

}  // namespace hora::spank
