// Gives an srun within a job of Hora's the host file that lays its ring over the fabric.
#include "plugins/spank/rank_order.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/read/hostlist.hpp"
#include "plugins/spank/cluster_facts.hpp"
#include "plugins/spank/host_order.hpp"
#include "plugins/spank/job_variables.hpp"
#include "plugins/spank/other_sruns.hpp"

namespace hora::spank {
namespace {

std::string text_of(const Environment& environment, std::string_view name) {
    const std::string* const found = environment.find(name);
    return found == nullptr ? std::string() : *found;
}

// From the note of the batch script; the shell of salloc has none, so there each srun asks.
std::optional<NodeRing> find_ring(const Environment& environment) {
    const std::string* const note = environment.find(record_variable);
    const auto record = note == nullptr ? std::nullopt : read_job_record(*note);
    if (record && text_of(environment, "SLURM_JOB_ID") == std::to_string(record->job)) {
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

}  // namespace

void order_ranks(const SettingsSource& source) {
    const Environment environment(read_variables(environ));
    unsetenv(std::string(ranks_variable).c_str());
    TaskFacts facts;
    facts.options = passed_options(environment);
    if (!is_hora_job(environment, facts) || !source.load().places_ring) {
        return;
    }
    const auto words = own_words();
    const auto request =
        words ? read_step_request(*words, environment) : std::optional<StepRequest>();
    const auto ring = request ? find_ring(environment) : std::nullopt;
    const auto order =
        ring ? order_hosts(*ring, *request, environment) : std::optional<HostOrder>();
    if (!order ||
        (order->needs_job_alone && runs_beside_others(text_of(environment, "SLURM_JOB_ID")))) {
        return;
    }
    if (const std::string path = open_in_memory(host_file(*order)); !path.empty()) {
        setenv("SLURM_HOSTFILE", path.c_str(), 1);
        setenv("SLURM_DISTRIBUTION", "arbitrary", 1);
        setenv(std::string(ranks_variable).c_str(), read::fold_hostlist(order->nodes).c_str(), 1);
    }
}

}  // namespace hora::spank
