// What does slurmctld answer to a client that makes Hora's entries up? Each case is submitted by
// libslurm, past the client-side plugin (of arguments: those that they name), and printed as "case
// NAME", what libslurm says on stderr, and "accepted JOB" or "refused WHY".
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "plugins/slurm/compat.hpp"

namespace {

using Entries = std::vector<std::string>;

std::string option(const std::string& name, const std::string& value) {
    return "_SLURM_SPANK_OPTION_hora_hora_" + name + "=" + value;
}

Entries with(Entries more) {
    Entries all{option("model", "resnet18"), option("batch", "64")};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

Entries many(std::size_t count, const std::function<std::string(std::size_t)>& entry) {
    Entries all = with({});
    for (std::size_t i = 0; i < count; ++i) {
        all.push_back(entry(i));
    }
    return all;
}

using Change = std::function<void(job_desc_msg_t&)>;

struct Case {
    const char* name;
    Entries entries;
    Change change = [](job_desc_msg_t&) {};
};

std::vector<Case> all_cases() {
    const std::string megabyte(1'000'000, 'A');
    std::string every_byte;
    for (int byte = 1; byte < 256; ++byte) {
        every_byte += static_cast<char>(byte);
    }
    return {
        {"nothing-forged", with({})},
        {"negative", {option("model", "resnet18"), option("batch", "-1")}},
        {"two-to-the-64", {option("model", "resnet18"), option("batch", "18446744073709551616")}},
        {"wrong-type", {option("model", "resnet18"), option("batch", "0x40")}},
        {"not-a-number", {option("model", "resnet18"), option("batch", "nan")}},
        {"empty-value", {option("model", "resnet18"), option("batch", "")}},
        {"no-equals-sign", {"_SLURM_SPANK_OPTION_hora_hora_model"}},
        {"no-name", with({"_SLURM_SPANK_OPTION_hora_=5"})},
        {"unknown-name", with({option("bach", "5")})},
        {"huge-gpus", with({option("gpus", "1-99999999999999999999")})},
        {"reversed-gpus", with({option("gpus", "8-1")})},
        {"megabyte-of-a-number", {option("model", "resnet18"), option("batch", megabyte)}},
        {"megabyte-of-a-model", {option("model", megabyte), option("batch", "64")}},
        {"megabyte-of-a-name", with({option(megabyte, "1")})},
        {"megabyte-of-a-workload", with({"HORA_WORKLOAD=" + megabyte})},
        {"every-byte-as-model", {option("model", every_byte), option("batch", "64")}},
        {"no-utf8-as-model", {option("model", "\xff\xfe\x80"), option("batch", "64")}},
        {"no-utf8-as-mode", with({option("mode", "\xc3\x28")})},
        {"switch-with-a-value", with({option("elastic", "yes")})},
        {"no-utf8-as-workload", with({"HORA_WORKLOAD=\xff\xff"})},
        {"cut-workload", with({"HORA_WORKLOAD=1"})},
        {"empty-workload", with({"HORA_WORKLOAD="})},
        {"overflowing-workload", with({"HORA_WORKLOAD=1;" + std::string(40, 'z') + ",1,1"})},
        {"strange-submit-time", with({"HORA_SUBMIT=-99999999999999999999"})},
        {"the-same-option-50-times",
         many(50,
              [](std::size_t i) { return i < 49 ? option("gpus", "0") : option("gpus", "1"); })},
        {"the-same-option-5000-times", many(5000, [](std::size_t) { return option("gpus", "1"); })},
        {"5000-unknown-options",
         many(5000, [](std::size_t i) { return option("x" + std::to_string(i), "1"); })},
        {"240000-options", many(240'000, [](std::size_t) { return option("gpus", "1"); })},
        {"name-of-two-lines", with({}),
         [](job_desc_msg_t& job) {
             static char name[] = "forged\nfatal: forged\x1b[2J";
             job.name = name;
         }},
        {"more-tasks-than-can-be-counted", with({}),
         [](job_desc_msg_t& job) {
             job.min_nodes = job.max_nodes = 1U << 30U;
             job.ntasks_per_node = 4;
         }},
        {"20000-entries-of-others",
         many(20000, [](std::size_t i) { return "OTHER_" + std::to_string(i) + "=1"; })},
    };
}

std::string submit(Entries entries, const Change& change) {
    job_desc_msg_t job;
    slurm_init_job_desc_msg(&job);
    std::string script = "#!/bin/sh\nexit 0\n", place = "/tmp", null = "/dev/null";
    std::string path = "PATH=/usr/bin:/bin";
    char* environment[] = {path.data()};
    std::vector<char*> pointers;
    for (std::string& entry : entries) {
        pointers.push_back(entry.data());
    }
    job.script = script.data();
    job.work_dir = place.data();
    job.std_in = job.std_out = job.std_err = null.data();
    job.environment = environment;
    job.env_size = 1;
    job.spank_job_env = pointers.data();
    job.spank_job_env_size = static_cast<std::uint32_t>(pointers.size());
    job.user_id = getuid();
    job.group_id = getgid();
    job.min_nodes = 1;
    job.priority = 0;  // held: what is looked at is the submission
    change(job);
    submit_response_msg_t* response = nullptr;
    const bool is_accepted = slurm_submit_batch_job(&job, &response) == SLURM_SUCCESS;
    const std::string answer = is_accepted
                                   ? "accepted " + std::to_string(hora::slurm::job_id(*response))
                                   : std::string("refused ") + slurm_strerror(errno);
    slurm_free_submit_response_response_msg(response);
    return answer;
}

}  // namespace

int main(int count, char** arguments) {
    slurm_init(nullptr);
    const std::vector<std::string> names(arguments + 1, arguments + count);
    for (const Case& forged : all_cases()) {
        if (!names.empty() && std::find(names.begin(), names.end(), forged.name) == names.end()) {
            continue;
        }
        std::printf("case %s\n", forged.name);
        std::fflush(stdout);  // libslurm writes the reason of a refusal to stderr
        std::printf("%s\n", submit(forged.entries, forged.change).c_str());
        std::fflush(stdout);
    }
    slurm_fini();
    return 0;
}
