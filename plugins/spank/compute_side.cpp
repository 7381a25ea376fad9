// What happens on a node: each batch script and each task gets its variables and its folder.
#include "plugins/spank/compute_side.hpp"

#include <sched.h>
#include <slurm/slurm.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "libplanner/read/settings/job_options.hpp"
#include "libplanner/read/slurm/hostlist.hpp"
#include "plugins/slurm/system_user.hpp"
#include "plugins/spank/folder.hpp"
#include "plugins/spank/job/job_variables.hpp"
#include "plugins/spank/job/node_facts.hpp"
#include "plugins/spank/process/detached.hpp"
#include "plugins/spank/process/left_processes.hpp"
#include "plugins/spank/process/process_descriptor.hpp"
#include "plugins/spank/variables/start_batch.hpp"
#include "plugins/spank/variables/watch_call.hpp"

namespace hora::spank {
namespace {

// Empty where Slurm does not say: 0 would stand for root, for success and for a step.
template <class Value>
std::optional<Value> find_item(spank_t spank, spank_item_t which) {
    Value value{};
    return spank_get_item(spank, which, &value) == ESPANK_SUCCESS ? std::optional(value)
                                                                  : std::nullopt;
}

Environment read_environment(spank_t spank) {
    return Environment(read_variables(find_item<char**>(spank, S_JOB_ENV).value_or(nullptr)));
}

// With --export=NONE Slurm does not find the options of a batch script, but they are there.
std::vector<std::pair<std::string, std::string>> read_options(spank_t spank,
                                                              const Environment& environment) {
    std::vector<std::pair<std::string, std::string>> options;
    for (const read::JobOption& option : read::job_options()) {
        std::string name(option.name);
        spank_option asked{};
        asked.name = name.data();
        asked.has_arg = option.argument.empty() ? 0 : 1;
        char* value = nullptr;
        if (spank_option_getopt(spank, &asked, &value) == ESPANK_SUCCESS) {
            options.emplace_back(name, value == nullptr ? "" : value);
        } else if (const std::string* const passed = environment.find(option_variable(name));
                   passed != nullptr) {
            options.emplace_back(name, *passed);
        }
    }
    return options;
}

std::string work_directory() {
    std::array<char, PATH_MAX> directory;
    return getcwd(directory.data(), directory.size()) == nullptr ? "" : directory.data();
}

std::string user_name(uid_t uid) {
    const auto user = slurm::find_user(uid);
    return user ? user->name : std::to_string(uid);
}

// mpirun starts one of these on each node, and they start the ranks.
bool is_launcher(spank_t spank) {
    constexpr std::array<std::string_view, 4> launchers{"orted", "prted", "hydra_pmi_proxy",
                                                        "hydra_bstrap_proxy"};
    int count = 0;
    char** words = nullptr;
    if (spank_get_item(spank, S_JOB_ARGV, &count, &words) != ESPANK_SUCCESS || count < 1) {
        return false;
    }
    std::string_view name = words[0];
    name.remove_prefix(name.rfind('/') + 1);  // npos + 1 is 0
    return std::find(launchers.begin(), launchers.end(), name) != launchers.end();
}

bool is_script(std::uint32_t step) {
    return step == SLURM_BATCH_SCRIPT || step == SLURM_INTERACTIVE_STEP;
}

// The name of this node, by its place among those of the job or the step.
std::string own_node(spank_t spank, const Environment& environment, bool is_batch) {
    const auto place = find_item<std::uint32_t>(spank, S_JOB_NODEID);
    const std::string* const list =
        environment.find(is_batch ? "SLURM_JOB_NODELIST" : "SLURM_STEP_NODELIST");
    const auto nodes = list == nullptr ? Expected<std::vector<std::string>>(failure("no list"))
                                       : read::expand_hostlist(*list);
    return nodes && place && *place < nodes->size() ? (*nodes)[*place] : std::string();
}

Cpus own_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    Cpus cpus;
    // Fails on machines of more than 1024 CPUs: then none are known, and none are chosen.
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        for (std::uint32_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
            if (CPU_ISSET(cpu, &set)) {
                cpus.push_back(cpu);
            }
        }
    }
    return cpus;
}

// Where it fails the task runs on, where it was.
void run_on(const Cpus& cpus) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const std::uint32_t cpu : cpus) {
        if (cpu < CPU_SETSIZE) {
            CPU_SET(cpu, &set);
        }
    }
    static_cast<void>(sched_setaffinity(0, sizeof set, &set));
}

void apply(spank_t spank, const Environment& environment) {
    for (const auto& [name, value] : environment.changes()) {
        if (value) {
            spank_setenv(spank, name.c_str(), value->c_str(), 1);
        } else {
            spank_unsetenv(spank, name.c_str());
        }
    }
}

// What slurmd runs with holds for its job.
void set_configuration(WatchCall& call) {
    if (const char* const configuration = std::getenv("SLURM_CONF"); configuration != nullptr) {
        call.environment["SLURM_CONF"] = configuration;
    }
}

// The user's script goes on whatever happens here.
void watch_over(const Prepared& prepared, const TaskFacts& facts, const ComputeSettings& settings,
                std::vector<std::string>& remarks) {
    auto call =
        watch_call(prepared.environment, facts, settings, prepared.allowed_restarts, getpid());
    if (!call) {
        return;
    }
    if (!prepared.checkpoint_folder.empty()) {
        call->words.emplace_back("--named-by-hora");
    }
    set_configuration(*call);
    const slurm::Descriptor shell = open_process(getpid());
    const auto started = shell.is_open()
                             ? start_detached(call->words, call->environment, shell.number())
                             : failure(std::string("pidfd_open: ") + std::strerror(errno));
    // Whose progress only would have been followed loses nothing by it.
    if (!started && !prepared.allowed_restarts.empty()) {
        remarks.push_back(started.error().message + "; checkpoints requeue nothing");
    }
}

// Without it the program is signalled by Slurm alone; that it cannot be started was said of the one
// beside the script.
void stand_in_step(const Prepared& prepared, const TaskFacts& facts,
                   const ComputeSettings& settings) {
    auto call = step_call(prepared, facts, settings, getpid());
    const slurm::Descriptor task = call ? open_process(getpid()) : slurm::Descriptor();
    if (!task.is_open()) {
        return;
    }
    set_configuration(*call);
    static_cast<void>(start_beside(call->words, call->environment, task.number()));
}

// A start does not wait long for it, and goes on without.
std::optional<std::uint64_t> ask_for_batch(const TaskFacts& facts, const ComputeSettings& settings,
                                           std::vector<std::string>& remarks) {
    constexpr std::chrono::milliseconds longest(5000);
    const auto call = batch_call(facts, settings);
    if (!call) {
        return std::nullopt;
    }
    const auto batch =
        batch_of(run_bounded(*call, {.time = longest, .output = 1024}), facts, settings);
    if (!batch) {
        remarks.push_back("HORA_BATCH is the smallest of its range: " + batch.error().message);
    }
    return batch.value_or(std::nullopt);
}

std::optional<Account> find_account(spank_t spank, uid_t uid) {
    const auto gid = find_item<gid_t>(spank, S_JOB_GID);
    if (!gid) {
        return std::nullopt;
    }
    Account account{uid, *gid, {}};
    gid_t* groups = nullptr;
    int count = 0;
    if (spank_get_item(spank, S_JOB_SUPPLEMENTARY_GIDS, &groups, &count) == ESPANK_SUCCESS) {
        account.groups.assign(groups, groups + count);
    }
    return account;
}

void say(const Environment& environment, bool is_batch, const std::vector<std::string>& remarks) {
    const std::string* const rank = environment.find("SLURM_PROCID");
    if (is_batch || (rank != nullptr && *rank == "0")) {
        for (const std::string& remark : remarks) {
            slurm_spank_log("hora: %s", remark.c_str());
        }
    }
}

}  // namespace

void ComputeSide::learn(spank_t spank, const SettingsSource& source) {
    // Of other jobs as well: one that a job of Hora's has submitted may have it preloaded.
    settings_.mpi_library = source.mpi_library.value_or(settings_.mpi_library);
    const Environment environment = read_environment(spank);
    facts_.options = read_options(spank, environment);
    if (!is_hora_job(environment, facts_)) {
        return;
    }
    const auto job = find_item<std::uint32_t>(spank, S_JOB_ID);
    const auto step = find_item<std::uint32_t>(spank, S_JOB_STEPID);
    const auto uid = find_item<uid_t>(spank, S_JOB_UID);
    if (!job || !step || !uid) {
        slurm_error("hora: Slurm does not say whose this step is, or which; it runs without Hora");
        return;
    }
    settings_ = source.load();
    facts_.job = *job;
    facts_.uid = *uid;
    step_ = *step;
    facts_.is_batch = is_script(step_);
    facts_.is_batch_script = step_ == SLURM_BATCH_SCRIPT;
    facts_.tasks = find_item<std::uint32_t>(spank, S_JOB_TOTAL_TASK_COUNT).value_or(0);
    if (settings_.checkpoint_path.find("{user}") != std::string::npos) {
        facts_.user = user_name(facts_.uid);
    }
    facts_.is_launcher = is_launcher(spank);
    facts_.work_directory = work_directory();
    facts_.master = first_node(environment, facts_.is_batch);
    if (facts_.is_batch) {
        facts_.master = own_address(facts_.master);
    }
    const std::string node = own_node(spank, environment, facts_.is_batch);
    read_topology_of(file_of_node(settings_.topology_path, node), facts_);
    facts_.nccl_topo_file =
        nccl_topo_file(file_of_node(settings_.nccl_topo_file, node), "/proc/cpuinfo");
    is_ours_ = true;
}

void ComputeSide::set_up(spank_t spank) {
    const Environment environment = read_environment(spank);
    // Nothing is known of any other job: not even whose it is.
    if (!is_ours_) {
        apply(spank, without_hora(environment, settings_.mpi_library));
        return;
    }
    facts_.work_directory = work_directory();
    facts_.cpus = own_cpus();
    facts_.has_mpi_library = access(settings_.mpi_library.c_str(), R_OK) == 0;
    std::vector<std::string> remarks;
    if (geteuid() == facts_.uid) {
        facts_.batch = ask_for_batch(facts_, settings_, remarks);
    }
    Prepared prepared = prepare(environment, facts_, settings_);
    // Never as root: a path of the user's could lead anywhere.
    if (!prepared.checkpoint_folder.empty() && geteuid() == facts_.uid) {
        if (const auto made = make_folder(prepared.checkpoint_folder, facts_.uid); !made) {
            facts_.has_folder = false;
            prepared = prepare(environment, facts_, settings_);
            prepared.remarks.push_back(made.error().message +
                                       "; no HORA_CHECKPOINT_DIR for this job");
        }
    }
    if (facts_.is_batch_script && geteuid() == facts_.uid) {
        watch_over(prepared, facts_, settings_, prepared.remarks);
    }
    if (geteuid() == facts_.uid) {
        stand_in_step(prepared, facts_, settings_);
    }
    if (prepared.ignored_signal != 0) {
        // Until the program has said what is to be done, which exec leaves as it is.
        std::signal(prepared.ignored_signal, SIG_IGN);
    }
    prepared.remarks.insert(prepared.remarks.begin(), remarks.begin(), remarks.end());
    say(environment, facts_.is_batch, prepared.remarks);
    apply(spank, prepared.environment);
    if (!prepared.cpus.empty() && prepared.cpus != facts_.cpus) {
        run_on(prepared.cpus);
    }
}

void ComputeSide::see_out(spank_t spank) {
    using std::chrono::milliseconds;
    // As long as its ranks' slurmstepds try to tell it of their end.
    constexpr milliseconds longest_srun(3000);
    // It tells horad of the end and has nothing else to do.
    constexpr milliseconds longest_watcher(500);
    constexpr milliseconds longest_end(3000);
    const auto tasks = find_item<std::uint32_t>(spank, S_JOB_LOCAL_TASK_COUNT);
    if (!is_ours_ || !tasks || ++ended_tasks_ < *tasks) {
        return;
    }
    if (facts_.is_batch_script) {
        const domain::JobOptions options = read_options(facts_);
        const auto status = find_item<int>(spank, S_TASK_EXIT_STATUS);
        // A script that was ended by a signal: that is how its job is taken from it.
        if ((options.is_elastic || options.requeues) && status && WIFSIGNALED(*status)) {
            wait_for_sruns(getsid(0), longest_srun);
        }
        wait_for_job_watcher(settings_.watcher, facts_.job, longest_watcher);
        if (status && WIFEXITED(*status)) {
            clear_up(spank, WEXITSTATUS(*status));
        }
    }
    end_rest_of_step(facts_.job,
                     facts_.is_batch_script            ? "step_batch"
                     : step_ == SLURM_INTERACTIVE_STEP ? "step_interactive"
                                                       : "step_" + std::to_string(step_),
                     longest_end);
}

// As the job's owner; what a large folder holds after that goes when its time is over.
void ComputeSide::clear_up(spank_t spank, int exit_status) const {
    constexpr std::chrono::milliseconds longest(10'000);
    const Environment environment = read_environment(spank);
    const std::string folder = named_folder(environment, facts_, settings_);
    const auto owner = find_account(spank, facts_.uid);
    if (folder.empty() || settings_.watcher.empty() || !owner) {
        return;
    }
    WatchCall call = clear_call(environment, facts_, settings_, folder, exit_status);
    set_configuration(call);
    static_cast<void>(run_as(*owner, call.words, call.environment, longest));
}

}  // namespace hora::spank
