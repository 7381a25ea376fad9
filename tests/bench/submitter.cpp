// How long does slurmctld take for so many submissions? The client of tests/bench/submissions.
//
//   submitter plain|planned|repeated COUNT   submits held jobs one after the other, prints the
//   seconds taken submitter snapshot NODES        prints a snapshot of that many nodes with 8 GPUs
//   each
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/model/builtin.hpp"
#include "libplanner/model/workload.hpp"
#include "libplanner/read/device_catalog.hpp"
#include "libplanner/read/workload_text.hpp"
#include "libplanner/report/snapshot.hpp"

namespace {

using namespace hora;

constexpr std::uint32_t gpus_per_node = 8;

domain::Snapshot snapshot_of(std::uint32_t nodes) {
    domain::Snapshot snapshot;
    snapshot.cluster_name = "bench";
    snapshot.written = std::time(nullptr);
    const auto& known = read::known_devices();
    snapshot.cluster.devices = {
        *std::find_if(known.begin(), known.end(),
                      [](const domain::Device& device) { return device.name == "a100-80gb"; })};
    snapshot.cluster.parts.push_back({.kind = domain::PartKind::fabric,
                                      .parent = domain::no_part,
                                      .link = {Bandwidth(12.5e9), Seconds(5e-6)},
                                      .name = "fabric"});
    domain::Partition partition;
    partition.name = "p";
    partition.is_default = true;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        const std::string name = "n" + std::to_string(node + 1);
        const auto part = static_cast<std::uint32_t>(snapshot.cluster.parts.size());
        snapshot.cluster.parts.push_back({.kind = domain::PartKind::node,
                                          .parent = 0,
                                          .link = {Bandwidth(16e9), Seconds(2e-6)},
                                          .name = name});
        snapshot.cluster.nodes.push_back({.name = name, .overhead = Seconds(0), .cpus = 64});
        for (std::uint32_t index = 0; index < gpus_per_node; ++index) {
            snapshot.cluster.gpus.push_back(
                {.node = node, .index = index, .device = 0, .part = part, .is_free = true});
        }
        domain::NodeState state;
        state.free_cpus = 64;
        snapshot.states.push_back(state);
        partition.nodes.push_back(node);
    }
    snapshot.partitions = {partition};
    return snapshot;
}

std::vector<std::string> options_of(std::string_view kind) {
    if (kind == "plain") {
        return {};
    }
    const auto network = model::builtin_network("resnet50");
    const std::string prefix = "_SLURM_SPANK_OPTION_hora_hora_";
    return {prefix + "model=resnet50", prefix + "batch=256", prefix + "samples=1281167",
            prefix + "epochs=90",
            "HORA_WORKLOAD=" + read::to_text(model::to_workload(*network, domain::DataType::fp32))};
}

// Returns false, with the reason on stderr, when slurmctld refuses.
bool submit(std::vector<std::string>& options) {
    job_desc_msg_t job;
    slurm_init_job_desc_msg(&job);
    static char script[] = "#!/bin/sh\nexit 0\n", place[] = "/tmp", null[] = "/dev/null";
    static char path[] = "PATH=/usr/bin:/bin";
    char* environment[] = {path};
    std::vector<char*> entries;
    for (std::string& option : options) {
        entries.push_back(option.data());
    }
    job.script = script;
    job.work_dir = place;
    job.std_in = job.std_out = job.std_err = null;
    job.environment = environment;
    job.env_size = 1;
    job.spank_job_env = entries.data();
    job.spank_job_env_size = static_cast<std::uint32_t>(entries.size());
    job.user_id = getuid();
    job.group_id = getgid();
    job.min_nodes = 1;
    job.priority = 0;  // held: what is measured is the submission, not the scheduler
    submit_response_msg_t* response = nullptr;
    if (slurm_submit_batch_job(&job, &response) != SLURM_SUCCESS) {
        std::fprintf(stderr, "submitter: %s\n", slurm_strerror(errno));
        return false;
    }
    slurm_free_submit_response_response_msg(response);
    return true;
}

int measure(std::string_view kind, int count) {
    slurm_init(nullptr);
    std::vector<std::string> options = options_of(kind);
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) {
        if (kind == "planned") {  // none like the one before
            options[1] = "_SLURM_SPANK_OPTION_hora_hora_batch=" + std::to_string(256 + i);
        }
        if (!submit(options)) {
            return 1;
        }
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("%.6f\n", taken.count());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view verb = argc == 3 ? argv[1] : "";
    const int number = argc == 3 ? std::atoi(argv[2]) : 0;
    if (verb == "snapshot") {
        std::fputs(report::to_json(snapshot_of(static_cast<std::uint32_t>(number))).c_str(),
                   stdout);
        return 0;
    }
    if (verb == "plain" || verb == "planned" || verb == "repeated") {
        return measure(verb, number);
    }
    std::fputs("usage: submitter plain|planned|repeated COUNT | snapshot NODES\n", stderr);
    return 2;
}
