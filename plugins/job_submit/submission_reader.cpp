// How is a job_desc_msg_t read?
#include "plugins/job_submit/submission_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "libplanner/read/words.hpp"
#include "plugins/slurm/fields.hpp"
#include "plugins/slurm/tres.hpp"

namespace hora::submit {
namespace {

using slurm::text_of;

constexpr std::string_view option_prefix = "_SLURM_SPANK_OPTION_hora_";
constexpr std::string_view workload_prefix = "HORA_WORKLOAD=";
constexpr std::string_view submit_prefix = "HORA_SUBMIT=";
// Hora's client sends each option once: less than 20 entries, of which the longest, a workload and
// a path, take 12 KiB.
constexpr std::size_t most_entries = 64;
constexpr std::size_t most_bytes = 65536;
constexpr std::uint64_t most_gpus = 1'000'000;
constexpr std::uint64_t most_cpus_per_gpu = 65'000;

std::span<char* const> spank_entries(const job_desc_msg_t& job) {
    return {job.spank_job_env, job.spank_job_env == nullptr ? 0 : job.spank_job_env_size};
}

template <class Number>
std::optional<std::uint32_t> said(Number value) {
    const std::uint32_t number = slurm::said(value);
    return number != 0 ? std::optional(number) : std::nullopt;
}

bool is_horas(std::string_view line) {
    return line.starts_with(option_prefix) || line.starts_with(workload_prefix) ||
           line.starts_with(submit_prefix);
}

// Of an option that comes more than once the last one counts.
void keep_option(request::Submission& submission, std::string_view option) {
    const std::size_t equals = option.find('=');
    const bool has_value = equals != std::string_view::npos;
    std::string name(option.substr(0, equals));
    std::replace(name.begin(), name.end(), '-', '_');
    std::string value(has_value ? option.substr(equals + 1) : std::string_view());
    for (auto& [known, last] : submission.options) {
        if (known == name) {
            last = std::move(value);
            return;
        }
    }
    submission.options.emplace_back(std::move(name), std::move(value));
}

void read_options(const job_desc_msg_t& job, request::Submission& submission) {
    for (const char* entry : spank_entries(job)) {
        const std::string_view line = entry == nullptr ? std::string_view() : entry;
        if (line.starts_with(workload_prefix)) {
            submission.workload = line.substr(workload_prefix.size());
        }
        if (line.starts_with(submit_prefix)) {
            const std::string_view digits = line.substr(submit_prefix.size());
            std::uint32_t seconds = 0;  // what is out of range stays 0, as if not said
            std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
            submission.submitted = seconds;
        }
        if (line.starts_with(option_prefix)) {
            keep_option(submission, line.substr(option_prefix.size()));
        }
    }
}

// The GPUs of one of the four places; an untyped "gpu" with 0 is no request.
Expected<std::optional<std::uint32_t>> gpus_of(const char* list, request::GpuRequest& request,
                                               const char* where) {
    const auto tres = slurm::parse_tres(text_of(list));
    if (!tres) {
        return unexpected(tres.error().within(where));
    }
    const slurm::GpuCount gpus = slurm::count_gpus(*tres);
    if (!gpus.is_said || gpus.all == 0) {
        return std::nullopt;
    }
    if (gpus.all > most_gpus) {
        return failure(std::string(where) + ": more GPUs than any cluster has");
    }
    for (const slurm::Tres& item : gpus.typed) {
        request.has_several_types =
            request.has_several_types || (!request.type.empty() && request.type != item.type);
        request.type = item.type;
    }
    return static_cast<std::uint32_t>(gpus.all);
}

// "gpu:0"; of --gres=none nothing arrives.
bool says_none(const char* list) {
    const auto tres = slurm::parse_tres(text_of(list));
    const slurm::GpuCount gpus = tres ? slurm::count_gpus(*tres) : slurm::GpuCount();
    return gpus.is_said && gpus.all == 0;
}

std::string without_gpus(const char* list) {
    std::string rest;
    for (const std::string& item : read::given_words(text_of(list))) {
        const auto tres = slurm::parse_tres(item);
        if (tres && tres->size() == 1 && tres->front().name == "gpu") {
            continue;
        }
        rest += (rest.empty() ? "" : ",") + item;
    }
    return rest;
}

Expected<request::GpuRequest> read_gpus(const job_desc_msg_t& job) {
    request::GpuRequest gpus;
    const auto per_job = gpus_of(job.tres_per_job, gpus, "--gpus");
    const auto per_node = gpus_of(job.tres_per_node, gpus, "--gres");
    const auto per_task = gpus_of(job.tres_per_task, gpus, "--gpus-per-task");
    const auto per_socket = gpus_of(job.tres_per_socket, gpus, "--gpus-per-socket");
    for (const auto* place : {&per_job, &per_node, &per_task, &per_socket}) {
        if (!*place) {
            return unexpected(place->error());
        }
    }
    gpus.per_job = *per_job;
    gpus.per_node = *per_node;
    gpus.per_task = *per_task;
    gpus.is_per_socket = *per_socket || said(job.ntasks_per_tres);
    gpus.is_none =
        says_none(job.tres_per_job) || says_none(job.tres_per_node) || says_none(job.tres_per_task);
    return gpus;
}

// --cpus-per-gpu.
std::optional<std::uint32_t> read_cpus_per_gpu(const job_desc_msg_t& job) {
    const auto tres = slurm::parse_tres(text_of(job.cpus_per_tres));
    const std::uint64_t cpus = tres ? slurm::count_gpus(*tres).all : 0;
    return said(static_cast<std::uint32_t>(std::min(cpus, most_cpus_per_gpu)));
}

// -B and its parts too.
bool has_own_layout(const job_desc_msg_t& job) {
    return said(job.sockets_per_node) || said(job.cores_per_socket) || slurm::has_own_bindings(job);
}

// Up to 22.05 the client fills num_tasks in from --ntasks-per-node and -N; such a number is no
// request of the user's beyond these two.
bool tasks_follow(const request::Submission& submission) {
    return submission.tasks_per_node && submission.tasks &&
           *submission.tasks ==
               std::uint64_t{*submission.tasks_per_node} * submission.min_nodes.value_or(1);
}

// One task a node, said by --hora-launch=node or by --ntasks-per-node=1: the same.
bool says_launcher(const request::Submission& submission) {
    return std::any_of(submission.options.begin(), submission.options.end(), [](const auto& one) {
        return one.first == "hora_launch" && one.second == "node";
    });
}

// Needs the options.
void read_shape(const job_desc_msg_t& job, request::Submission& submission) {
    submission.min_nodes = said(job.min_nodes);
    submission.max_nodes = said(job.max_nodes);
    submission.tasks = said(job.num_tasks);
    submission.tasks_per_node = said(job.ntasks_per_node);
    if (submission.is_batch && !submission.tasks_per_node && says_launcher(submission)) {
        submission.tasks_per_node = 1;
    }
    submission.cpus_per_task = said(job.cpus_per_task);
    submission.cpus_per_gpu = read_cpus_per_gpu(job);
    submission.min_cpus = said(job.min_cpus);
    if (tasks_follow(submission)) {
        submission.tasks.reset();
    }
    // srun and salloc start one task a node unless -n says how many, and no plan can change that.
    if (!submission.is_batch && !submission.tasks && submission.tasks_per_node.value_or(1) == 1) {
        submission.tasks = submission.min_nodes.value_or(1);
    }
}

bool has_variable(const job_desc_msg_t& job, std::string_view start) {
    const std::span variables(job.environment, job.environment != nullptr ? job.env_size : 0);
    return std::any_of(variables.begin(), variables.end(), [&](const char* variable) {
        return variable != nullptr && std::string_view(variable).starts_with(start);
    });
}

}  // namespace

bool names_hora(const job_desc_msg_t& job) {
    for (const char* entry : spank_entries(job)) {
        if (entry != nullptr &&
            std::strncmp(entry, option_prefix.data(), option_prefix.size()) == 0) {
            return true;
        }
    }
    return false;
}

Expected<void> check_entries(const job_desc_msg_t& job) {
    std::size_t count = 0;
    std::size_t bytes = 0;
    for (const char* entry : spank_entries(job)) {
        const std::string_view line = entry == nullptr ? std::string_view() : entry;
        if (!is_horas(line)) {
            continue;
        }
        bytes += line.size();
        if (++count > most_entries || bytes > most_bytes) {
            return failure(fmt::format(
                "the request holds more than {} entries or {} KiB of Hora's; give each option once",
                most_entries, most_bytes / 1024));
        }
    }
    return {};
}

std::vector<std::string> partitions_of(const job_desc_msg_t& job) {
    return read::given_words(text_of(job.partition));
}

Expected<request::Submission> read_submission(const job_desc_msg_t& job, std::uint32_t uid) {
    request::Submission submission;
    // Later components of a heterogeneous job have an environment and no script.
    submission.is_batch = job.script != nullptr || job.env_size > 0;
    submission.is_array = job.array_inx != nullptr || job.array_bitmap != nullptr;
    submission.is_heterogeneous = job.het_job_offset != NO_VAL;
    submission.forbids_requeue = job.requeue == 0;
    submission.has_open_mode = job.open_mode != 0;
    submission.has_own_signal = job.warn_signal != 0 && job.warn_signal != NO_VAL16;
    submission.has_own_folder = has_variable(job, "HORA_CHECKPOINT_DIR=");
    submission.uid = job.user_id == NO_VAL ? uid : job.user_id;
    submission.partitions = partitions_of(job);
    submission.reservation = text_of(job.reservation);
    slurm::read_place(job, submission);
    submission.is_exclusive = job.shared == JOB_SHARED_NONE;
    if (const auto minutes = said(job.time_limit)) {
        submission.time_limit = Seconds(60.0 * *minutes);
    }
    slurm::read_memory(job.pn_min_memory, submission);
    slurm::read_memory_by_gpu(job.mem_per_tres, submission);
    read_options(job, submission);
    read_shape(job, submission);
    auto gpus = read_gpus(job);
    if (!gpus) {
        return unexpected(gpus.error());
    }
    submission.gpus = *gpus;
    submission.has_own_layout = has_own_layout(job);
    submission.tres_per_socket = text_of(job.tres_per_socket);
    submission.tres_per_node = text_of(job.tres_per_node);
    submission.tres_per_job = text_of(job.tres_per_job);
    submission.other_tres_per_node = without_gpus(job.tres_per_node);
    return submission;
}

}  // namespace hora::submit
