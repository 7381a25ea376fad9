// What does Hora do in an srun of its jobs? Lays the ranks over the fabric, and lets CPUs be
// chosen.
#include "plugins/spank/rank_order.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/read/hostlist.hpp"
#include "libplanner/read/whole_number.hpp"
#include "plugins/spank/cluster_facts.hpp"
#include "plugins/spank/host_order.hpp"
#include "plugins/spank/job_variables.hpp"
#include "plugins/spank/other_sruns.hpp"
#include "plugins/spank/ring_place.hpp"

namespace hora::spank {
namespace {

std::string text_of(const Environment& environment, std::string_view name) {
    const std::string* const found = environment.find(name);
    return found == nullptr ? std::string() : *found;
}

// The note of the batch script; the shell of salloc has none.
std::optional<JobRecord> find_own_record(const Environment& environment) {
    const std::string* const note = environment.find(record_variable);
    auto record = note == nullptr ? std::nullopt : read_job_record(*note);
    const bool is_own =
        record && text_of(environment, "SLURM_JOB_ID") == std::to_string(record->job);
    return is_own ? std::move(record) : std::nullopt;
}

// Without a script each srun asks.
std::optional<NodeRing> find_ring(const Environment& environment) {
    if (const auto record = find_own_record(environment)) {
        return read_node_ring(record->ring);
    }
    const auto nodes = read::expand_hostlist(text_of(environment, "SLURM_JOB_NODELIST"));
    return nodes && nodes->size() > 1 ? std::optional(ring_of(*nodes)) : std::nullopt;
}

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(file, text.data(), text.size());
        if (written <= 0) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

// The path of a file in memory that holds the text; it stays open as long as srun runs. Empty where
// there is none to be had.
std::string open_in_memory(std::string_view text) {
    const int file = memfd_create("hora-hosts", MFD_CLOEXEC);
    if (file < 0) {
        return {};
    }
    if (!write_all(file, text)) {
        close(file);
        return {};
    }
    return std::string(host_file_folder) + std::to_string(file);
}

void set(std::string_view name, const std::string& value) {
    setenv(std::string(name).c_str(), value.c_str(), 1);
}

void order_ranks(const std::vector<std::string>& words, const Environment& environment) {
    const auto request = read_step_request(words, environment);
    const auto ring = request ? find_ring(environment) : std::nullopt;
    const auto order =
        ring ? order_hosts(*ring, *request, environment) : std::optional<HostOrder>();
    const std::string job = text_of(environment, "SLURM_JOB_ID");
    const auto id = read::parse_whole_number(job, {1, 0xffffffff});
    if (!order || !id || (order->needs_job_alone && runs_beside_others(job)) ||
        !has_nodes(static_cast<std::uint32_t>(*id), order->nodes)) {
        return;
    }
    if (const std::string path = open_in_memory(host_file(*order)); !path.empty()) {
        set("SLURM_HOSTFILE", path);
        set("SLURM_DISTRIBUTION", "arbitrary");
        set(ranks_variable, read::fold_hostlist(order->nodes));
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

bool has_own_options(const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(),
                       [](std::string_view word) { return word.starts_with("--hora-"); });
}

}  // namespace

void prepare_srun(const SettingsSource& source, bool is_step) {
    const Environment environment(read_variables(environ));
    for (const std::string_view name : {ranks_variable, binding_variable}) {
        unsetenv(std::string(name).c_str());
    }
    const auto words = own_words();
    TaskFacts facts;
    facts.options = passed_options(environment);
    const bool is_of_hora_job = is_step && is_hora_job(environment, facts);
    if (!words || !(is_of_hora_job || has_own_options(*words)) || !may_place(environment, source)) {
        return;
    }
    if (leaves_binding_open(*words, environment)) {
        set(binding_variable, "auto");
    }
    if (is_of_hora_job) {
        order_ranks(*words, environment);
    }
}

}  // namespace hora::spank
