// Which variables does a batch script, or a task of a step, get from Hora?
#include "plugins/spank/variables/task_environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "libplanner/read/settings/job_options.hpp"
#include "libplanner/read/slurm/hostlist.hpp"
#include "libplanner/request/checkpoint_signal.hpp"
#include "plugins/spank/job/job_record.hpp"
#include "plugins/spank/job/job_variables.hpp"
#include "plugins/spank/job/step_layout.hpp"
#include "plugins/spank/ring/host_order.hpp"
#include "plugins/spank/ring/ring_place.hpp"
#include "plugins/spank/variables/mpi_library.hpp"
#include "plugins/spank/variables/step_variables.hpp"
#include "plugins/spank/variables/watch_call.hpp"

namespace hora::spank {
namespace {

// Came from the submit side; what is of use is in the record, and a job that this one submits must
// not take them for its own.
constexpr std::array<std::string_view, 9> spent_names{
    "HORA_WORKLOAD", "HORA_SUBMIT", "HORA_MODE",       "HORA_BATCH",   "HORA_SAMPLE_RATE",
    "HORA_EXCHANGE", "HORA_SPEEDS", restarts_variable, launch_variable};

std::optional<JobRecord> find_record(const Environment& environment) {
    const std::string* const text = environment.find(record_variable);
    return text == nullptr ? std::nullopt : read_job_record(*text);
}

bool is_own(const Environment& environment, const JobRecord& record) {
    const std::string* const job = environment.find("SLURM_JOB_ID");
    return job != nullptr && *job == std::to_string(record.job);
}

// What is as Hora left it goes; what the user has changed since stays.
void unset_all(Environment& environment, const Variables& variables) {
    for (const auto& [name, value] : variables) {
        const std::string* const current = environment.find(name);
        if (current != nullptr && *current == value) {
            environment.unset(name);
        }
    }
}

// The record of this job. What was set for an outer step goes, and of another job all does.
std::optional<JobRecord> take_record(Environment& environment) {
    auto record = find_record(environment);
    if (!record) {
        environment.unset(record_variable);
        return std::nullopt;
    }
    unset_all(environment, record->step_set);
    record->step_set.clear();
    if (is_own(environment, *record)) {
        return record;
    }
    unset_all(environment, record->set);
    environment.unset(record_variable);
    return std::nullopt;
}

void set_if_absent(Environment& environment, Variables& noted, const Variables& variables) {
    for (const auto& [name, value] : variables) {
        if (environment.find(name) == nullptr) {
            environment.set(name, value);
            noted.insert_or_assign(name, value);
        }
    }
}

void add_checkpoint(Variables& variables, Prepared& prepared, const TaskFacts& facts,
                    const ComputeSettings& settings) {
    const auto folder = checkpoint_folder(prepared.environment, facts, settings);
    if (!folder) {
        prepared.remarks.push_back(folder.error().message + "; no HORA_CHECKPOINT_DIR");
        return;
    }
    if (!folder->empty()) {
        variables["HORA_CHECKPOINT_DIR"] = *folder;
    }
}

// The progress file lies in the folder, whoever chose it.
void add_progress(Environment& environment, JobRecord& record) {
    if (const std::string* const folder = environment.find("HORA_CHECKPOINT_DIR");
        folder != nullptr && !folder->empty()) {
        set_if_absent(environment, record.set, {{"HORA_PROGRESS", *folder + "/progress.jsonl"}});
    }
}

void drop_spent(Environment& environment) {
    for (const std::string_view name : spent_names) {
        environment.unset("SLURM_SPANK_" + std::string(name));
    }
    for (const read::JobOption& option : read::job_options()) {
        environment.unset(option_variable(option.name));
    }
}

// Hears what srun has to say. The host file was its own; a task that starts a step itself must not
// look for it.
WordOfSrun take_word(Environment& environment) {
    const std::string* const ranks = environment.find(ranks_variable);
    const std::string* const binding = environment.find(binding_variable);
    const std::string* const file = environment.find("SLURM_HOSTFILE");
    WordOfSrun word{ranks == nullptr ? std::string() : *ranks,
                    binding != nullptr && *binding == "auto"};
    if (ranks != nullptr && file != nullptr && file->starts_with(host_file_folder)) {
        environment.unset("SLURM_HOSTFILE");
        environment.unset("SLURM_DISTRIBUTION");
    }
    if (const std::string* const gpus = environment.find(gpus_variable); gpus != nullptr) {
        word.gpus = read_node_gpus(*gpus).value_or(std::vector<NodeGpus>());
    }
    environment.unset(gpus_variable);
    environment.unset(ranks_variable);
    environment.unset(master_variable);
    environment.unset(binding_variable);
    return word;
}

// Nothing where Slurm's variables do not tell.
std::optional<StepLayout> find_layout(const Environment& environment, const WordOfSrun& word) {
    auto layout = read_step_layout(environment);
    if (!layout) {
        return std::nullopt;
    }
    if (const auto ranked = read::expand_hostlist(word.ranks); ranked) {
        order_by_rank(*layout, *ranked);
    }
    return *std::move(layout);
}

// The controller's plugin tells of a plan only where it carried that out. What it tells reaches
// batch scripts only: of other jobs the node's own settings decide.
bool is_acted_on(const Environment& environment, const ComputeSettings& settings) {
    const std::string* const partition = environment.find("SLURM_JOB_PARTITION");
    return environment.find("SLURM_SPANK_HORA_MODE") != nullptr ||
           settings.acts_in(partition == nullptr ? std::string_view() : *partition);
}

// The controller's plugin tells it of a request that has one task a node.
std::string launch_of(const Environment& environment, const domain::JobOptions& options) {
    if (options.launch) {
        return std::string(domain::name_of(*options.launch));
    }
    return find_given(environment, launch_variable) != nullptr
               ? std::string(domain::name_of(domain::Launch::node))
               : std::string();
}

// For srun: as the user said, or the CPUs that this start of the job has on each node.
void add_cpus_of_launcher(Variables& variables, const Environment& environment) {
    const std::string* const said = environment.find("SLURM_CPUS_PER_TASK");
    const std::string* const on_nodes = environment.find("SLURM_JOB_CPUS_PER_NODE");
    const auto cpus =
        read_tasks_per_node(on_nodes == nullptr ? std::string_view() : std::string_view(*on_nodes));
    if (said != nullptr || cpus) {
        const std::string number =
            said != nullptr ? *said : std::to_string(*std::min_element(cpus->begin(), cpus->end()));
        variables["SLURM_CPUS_PER_TASK"] = number;
        variables["SRUN_CPUS_PER_TASK"] = number;
    }
}

// Without a record of the job this is its first part to start: what holds for the whole job is
// worked out and noted.
JobRecord start_record(Prepared& prepared, const TaskFacts& facts,
                       const ComputeSettings& settings) {
    Environment& environment = prepared.environment;
    JobRecord record;
    if (const std::string* const job = environment.find("SLURM_JOB_ID"); job != nullptr) {
        std::from_chars(job->data(), job->data() + job->size(), record.job);
    }
    const domain::JobOptions options = read_options(facts);
    record.keeps_contract = options.is_elastic || options.requeues;
    if (record.keeps_contract && find_given(environment, restarts_variable) != nullptr) {
        record.signal = domain::name_of(options.signal);
    }
    record.launch = launch_of(environment, options);
    record.allreduce = options.allreduce ? std::string(domain::name_of(*options.allreduce)) : "";
    record.is_traced = options.wants_timeline;
    record.is_placed = settings.places_ring && is_acted_on(environment, settings);
    const std::string* const speeds = find_given(environment, "HORA_SPEEDS");
    record.speeds = speeds == nullptr ? std::string() : *speeds;
    Variables variables = job_variables(environment, facts, settings);
    if (facts.is_batch && record.launch == domain::name_of(domain::Launch::node)) {
        add_cpus_of_launcher(variables, environment);
    }
    if (facts.has_folder) {
        add_checkpoint(variables, prepared, facts, settings);
    }
    set_if_absent(environment, record.set, variables);
    if (const auto made = record.set.find("HORA_CHECKPOINT_DIR"); made != record.set.end()) {
        prepared.checkpoint_folder = made->second;
    }
    return record;
}

int request_signal(const JobRecord& record) {
    const auto* const own = std::find(std::begin(domain::checkpoint_signal_names),
                                      std::end(domain::checkpoint_signal_names), record.signal);
    return request::request_signal(own == std::end(domain::checkpoint_signal_names)
                                       ? domain::CheckpointSignal::usr1
                                       : static_cast<domain::CheckpointSignal>(
                                             own - std::begin(domain::checkpoint_signal_names)));
}

}  // namespace

std::string named_folder(Environment environment, const TaskFacts& facts,
                         const ComputeSettings& settings) {
    take_record(environment);
    return environment.find("HORA_CHECKPOINT_DIR") != nullptr
               ? std::string()
               : checkpoint_folder(environment, facts, settings).value_or(std::string());
}

bool is_hora_job(const Environment& environment, const TaskFacts& facts) {
    if (!facts.options.empty()) {
        return !read_options(facts).is_off;
    }
    const auto record = find_record(environment);
    return record && is_own(environment, *record);
}

std::string first_node(const Environment& environment, bool is_batch) {
    const std::string* const distribution = environment.find("SLURM_DISTRIBUTION");
    const bool is_arbitrary = distribution != nullptr && distribution->starts_with("arbitrary");
    const std::string* list = environment.find("SLURM_JOB_NODELIST");
    if (!is_batch) {
        if (const std::string* const address = environment.find(master_variable);
            address != nullptr) {
            return *address;
        }
        const std::string* const ranks = environment.find(ranks_variable);
        // Ranks in the order of a host file: only srun knows.
        list = ranks != nullptr && !ranks->empty() ? ranks
               : is_arbitrary                      ? nullptr
                                                   : environment.find("SLURM_STEP_NODELIST");
    }
    if (list == nullptr) {
        return {};
    }
    const auto nodes = read::expand_hostlist(*list);
    return nodes && !nodes->empty() ? nodes->front() : std::string();
}

Environment without_hora(Environment environment, const std::string& mpi_library) {
    take_word(environment);
    take_record(environment);
    remove_mpi_library(environment, mpi_library);
    return environment;
}

Prepared prepare(Environment environment, const TaskFacts& facts, const ComputeSettings& settings) {
    const WordOfSrun word = take_word(environment);
    auto known = take_record(environment);
    remove_mpi_library(environment, settings.mpi_library);
    Prepared prepared{.environment = std::move(environment)};
    Environment& own = prepared.environment;
    JobRecord record = known ? *std::move(known) : start_record(prepared, facts, settings);
    if (!word.gpus.empty()) {
        record.gpus = word.gpus;
    }
    set_if_absent(own, record.set, Variables(record.set));
    add_progress(own, record);
    const bool has_ranks = !facts.is_batch && !facts.is_launcher;
    const auto layout = has_ranks ? find_layout(own, word) : std::nullopt;
    Variables of_step = !has_ranks ? batch_variables(own, facts, settings)
                        : layout   ? step_variables(own, *layout, record, facts, settings)
                                   : Variables();
    if (!facts.nccl_topo_file.empty()) {
        of_step["NCCL_TOPO_FILE"] = facts.nccl_topo_file;
    }
    set_if_absent(own, record.step_set, of_step);
    add_mpi_library(prepared, record, facts, settings);
    if (layout || !has_ranks) {
        place_ring(prepared, record, layout ? &*layout : nullptr, word, facts, settings);
    }
    prepared.checkpoint_signal = record.signal;
    prepared.ignored_signal = record.keeps_contract && !facts.is_batch ? request_signal(record) : 0;
    if (facts.is_batch) {
        const std::string* const allowed = find_given(own, restarts_variable);
        prepared.allowed_restarts = allowed == nullptr ? std::string() : *allowed;
        drop_spent(own);
    }
    own.set(record_variable, to_text(record));
    return prepared;
}

}  // namespace hora::spank
