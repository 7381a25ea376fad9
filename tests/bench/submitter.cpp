// How long does slurmctld take for so many submissions? The client of tests/bench/submissions.
//
//   submitter plain|asked|planned|repeated COUNT
//     submits held jobs one after the other and prints the seconds taken; "asked" asks by hand for
//     what a plan would
//   submitter snapshot NODES
//     prints a snapshot of that many nodes with 8 GPUs each
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

#include "libplanner/report/plan/snapshot.hpp"
#include "tests/bench/submissions.hpp"

namespace {

using namespace hora;

// What travels with a job.
struct Luggage {
    std::vector<std::string> environment{"PATH=/usr/bin:/bin"};
    std::vector<std::string> options;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) {
        result.push_back(text.data());
    }
    return result;
}

// What the plugin makes of the planned jobs.
void ask_by_hand(job_desc_msg_t& job) {
    static char gpus[] = "gres:gpu:8";
    job.max_nodes = 1;
    job.num_tasks = job.ntasks_per_node = job.cpus_per_task = 8;
    job.min_cpus = 64;
    job.tres_per_node = gpus;
}

// Returns false, with the reason on stderr, when slurmctld refuses.
bool submit(Luggage& luggage, bool is_asked) {
    job_desc_msg_t job;
    slurm_init_job_desc_msg(&job);
    static char script[] = "#!/bin/sh\nexit 0\n", place[] = "/tmp", null[] = "/dev/null";
    std::vector<char*> environment = pointers(luggage.environment);
    std::vector<char*> options = pointers(luggage.options);
    job.script = script;
    job.work_dir = place;
    job.std_in = job.std_out = job.std_err = null;
    job.environment = environment.data();
    job.env_size = static_cast<std::uint32_t>(environment.size());
    job.spank_job_env = options.data();
    job.spank_job_env_size = static_cast<std::uint32_t>(options.size());
    job.user_id = getuid();
    job.group_id = getgid();
    job.min_nodes = 1;
    job.priority = 0;  // held: what is measured is the submission, not the scheduler
    if (is_asked) {
        ask_by_hand(job);
    }
    submit_response_msg_t* response = nullptr;
    if (slurm_submit_batch_job(&job, &response) != SLURM_SUCCESS) {
        std::fprintf(stderr, "submitter: %s\n", slurm_strerror(errno));
        return false;
    }
    slurm_free_submit_response_response_msg(response);
    return true;
}

Luggage luggage_of(std::string_view kind) {
    Luggage luggage;
    if (kind != "plain") {
        luggage.options = bench::planned_options();
    }
    if (kind == "asked") {
        for (const char* entry : {"SLURM_CPUS_PER_TASK=8", "SRUN_CPUS_PER_TASK=8", "HORA_MODE=sync",
                                  "HORA_BATCH=256"}) {
            luggage.environment.emplace_back(entry);
        }
    }
    return luggage;
}

int measure(std::string_view kind, int count) {
    slurm_init(nullptr);
    Luggage luggage = luggage_of(kind);
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) {
        if (kind == "planned") {  // none like the one before
            luggage.options[1] = bench::batch_option(256 + i);
        }
        if (!submit(luggage, kind == "asked")) {
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
        std::fputs(report::to_json(bench::snapshot_of(static_cast<std::uint32_t>(number))).c_str(),
                   stdout);
        return 0;
    }
    if (verb == "plain" || verb == "asked" || verb == "planned" || verb == "repeated") {
        return measure(verb, number);
    }
    std::fputs("usage: submitter plain|asked|planned|repeated COUNT | snapshot NODES\n", stderr);
    return 2;
}
