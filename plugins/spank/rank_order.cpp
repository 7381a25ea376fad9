// What does Hora do in an srun of its jobs? Lays the ranks over the fabric, and lets CPUs be
// chosen.
#include "plugins/spank/rank_order.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/read/slurm/hostlist.hpp"
#include "libplanner/read/whole_number.hpp"
#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/store/descriptor.hpp"
#include "plugins/slurm/store/write_all.hpp"
#include "plugins/spank/cluster_facts.hpp"
#include "plugins/spank/job/job_variables.hpp"
#include "plugins/spank/job/node_facts.hpp"
#include "plugins/spank/ring/host_order.hpp"
#include "plugins/spank/ring/ring_place.hpp"
#include "plugins/spank/srun/srun_words.hpp"
#include "plugins/spank/variables/task_environment.hpp"

namespace hora::spank {
namespace {

// The note of the batch script; the shell of salloc has none.
std::optional<JobRecord> find_own_record(const Environment& environment) {
    const std::string* const note = environment.find(record_variable);
    auto record = note == nullptr ? std::nullopt : read_job_record(*note);
    const bool is_own =
        record && text_of(environment, "SLURM_JOB_ID") == std::to_string(record->job);
    return is_own ? std::move(record) : std::nullopt;
}

// Empty where it is too long: Linux starts no program with a variable of more than 128 KiB.
std::string text_of_ranks(std::span<const std::string> nodes) {
    constexpr std::size_t longest = 100'000;
    std::string text = read::fold_hostlist(nodes);
    return text.size() <= longest ? std::move(text) : std::string();
}

// Empty where there is none. A heterogeneous job has several lists of nodes, and read_step_request
// leaves it.
std::vector<std::string> find_ring(const Environment& environment) {
    const auto nodes = read::expand_hostlist(text_of(environment, "SLURM_JOB_NODELIST"));
    return nodes && nodes->size() > 1 ? ring_of(*nodes) : std::vector<std::string>();
}

bool may_order(const StepRequest& request) {
    return !(request.names_nodes && slurm::refuses_nodes_with_host_file(slurm::this_version));
}

// The path of a file in memory that holds the text; it stays open as long as srun runs. Empty where
// there is none to be had.
std::string open_in_memory(std::string_view text) {
    const slurm::Descriptor file(memfd_create("hora-hosts", MFD_CLOEXEC));
    if (!file.is_open() || !slurm::write_all(file.number(), text)) {
        return {};
    }
    // An srun that was started without its input or output would take a lower number for that.
    const int kept = fcntl(file.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return kept < 0 ? std::string() : std::string(host_file_folder) + std::to_string(kept);
}

void set(std::string_view name, const std::string& value) {
    setenv(std::string(name).c_str(), value.c_str(), 1);
}

void order_ranks(const std::vector<std::string>& words, const Environment& environment) {
    const auto request = read_step_request(words, environment);
    if (!request || !may_order(*request)) {
        return;
    }
    const auto order = order_hosts(find_ring(environment), *request, environment);
    const auto job =
        read::parse_whole_number(text_of(environment, "SLURM_JOB_ID"), {1, 0xffffffff});
    const bool fits_variable = order && !text_of_ranks(order->nodes).empty();
    if (!fits_variable || !job || !has_nodes(static_cast<std::uint32_t>(*job), order->nodes)) {
        return;
    }
    if (const std::string path = open_in_memory(host_file(*order)); !path.empty()) {
        set("SLURM_HOSTFILE", path);
        set("SLURM_DISTRIBUTION", "arbitrary");
    }
}

// The shares of a balanced job follow the types of its GPUs.
void tell_gpu_types(const Environment& environment, std::uint32_t job) {
    const auto record = find_own_record(environment);
    const bool has_speeds =
        record ? !record->speeds.empty() : find_given(environment, "HORA_SPEEDS") != nullptr;
    if (has_speeds) {
        const std::string types = to_text(gpus_of(record ? record->job : job));
        if (read_node_gpus(types)) {  // not of thousands of nodes
            set(gpus_variable, types);
        }
    }
}

// As the script was told; without one, as the settings of this host say.
bool may_place(const Environment& environment, const SettingsSource& source) {
    if (const auto record = find_own_record(environment)) {
        return record->is_placed;
    }
    const ComputeSettings settings = source.load();
    return settings.places_ring && settings.acts_in(text_of(environment, "SLURM_JOB_PARTITION"));
}

// Where a word is not known nothing is prepared anyhow.
bool has_own_options(const std::vector<std::string>& words) {
    const auto known = read_srun_words(words);
    return known && known->has_hora_option;
}

bool is_of_hora_job(const Environment& environment) {
    TaskFacts facts;
    facts.options = passed_options(environment);
    return is_hora_job(environment, facts);
}

// Each component of a heterogeneous step has a layout of its own, and no ring.
bool has_components(const std::vector<std::string>& words, const Environment& environment) {
    return environment.find("SLURM_HET_SIZE") != nullptr ||
           std::find(words.begin(), words.end(), ":") != words.end();
}

void forget_words_of_outer_step() {
    for (const std::string_view name :
         {ranks_variable, master_variable, binding_variable, gpus_variable}) {
        unsetenv(std::string(name).c_str());
    }
}

}  // namespace

void prepare_srun(const SettingsSource& source, bool is_step) {
    forget_words_of_outer_step();
    const Environment environment(read_variables(environ));
    const bool is_ours = is_step && is_of_hora_job(environment);
    const auto words = own_words();
    if (!words || !(is_ours || has_own_options(*words)) || !may_place(environment, source)) {
        return;
    }
    if (leaves_binding_open(*words, environment)) {
        set(binding_variable, "auto");
    }
    if (is_ours) {
        order_ranks(*words, environment);
    }
}

void tell_layout(std::uint32_t job, std::uint32_t step, bool has_own_options) {
    const Environment environment(read_variables(environ));
    const auto words = own_words();
    if (!words || !(has_own_options || is_of_hora_job(environment))) {
        return;
    }
    tell_gpu_types(environment, job);
    if (has_components(*words, environment)) {
        return;
    }
    const std::vector<std::string> nodes = nodes_by_rank(job, step);
    set(ranks_variable, text_of_ranks(nodes));
    if (!nodes.empty() && !resolves(nodes.front())) {
        set(master_variable, address_of(nodes.front()));
    }
}

}  // namespace hora::spank
