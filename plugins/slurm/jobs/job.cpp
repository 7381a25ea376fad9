// What does slurmctld say of a job?
#include "plugins/slurm/jobs/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <span>
#include <string_view>

#include "libplanner/read/slurm/hostlist.hpp"
#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/fields.hpp"
#include "plugins/slurm/jobs/pending_reason.hpp"
#include "plugins/slurm/jobs/restart_name.hpp"
#include "plugins/slurm/messages.hpp"
#include "plugins/slurm/squeue_id.hpp"
#include "plugins/slurm/tres.hpp"

namespace hora::slurm {
namespace {

JobState state_of(const slurm_job_info_t& record) {
    // In a federation: it runs, or waits, on another cluster.
    if ((record.job_state & JOB_REVOKED) != 0) {
        return JobState::ended;
    }
    switch (record.job_state & JOB_STATE_BASE) {
        case JOB_PENDING:
            return JobState::pending;
        case JOB_RUNNING:
            return JobState::running;
        case JOB_SUSPENDED:
            return JobState::suspended;
        default:
            return JobState::ended;
    }
}

Hold hold_of(const slurm_job_info_t& record) {
    if (record.priority != 0) {
        return Hold::none;
    }
    if (record.state_reason == FAIL_BAD_CONSTRAINTS) {
        return Hold::impossible;
    }
    if (is_held_by_launch(record.state_reason, text_of(record.state_desc))) {
        return Hold::launch;
    }
    return record.state_reason == WAIT_HELD_USER ? Hold::user : Hold::administrator;
}

Hold former_hold_of(const slurm_job_info_t& record) {
    if (record.priority == 0) {
        return Hold::none;
    }
    return record.state_reason == WAIT_HELD_USER ? Hold::user
           : record.state_reason == WAIT_HELD    ? Hold::administrator
                                                 : Hold::none;
}

WaitsFor waits_for(const slurm_job_info_t& record) {
    switch (record.state_reason) {
        case WAIT_NO_REASON:
        case WAIT_PRIORITY:
        case WAIT_RESOURCES:
        case WAIT_CLEANING:
            return record.priority == 0 ? WaitsFor::other : WaitsFor::resources;
        case WAIT_TIME:
            return WaitsFor::time;
        case WAIT_DEPENDENCY:
        case WAIT_DEP_INVALID:
        case WAIT_ARRAY_TASK_LIMIT:
            return WaitsFor::dependency;
        case WAIT_NODE_NOT_AVAIL:
            return record.priority == 0 ? WaitsFor::other : WaitsFor::nodes;
        case WAIT_HELD:
        case WAIT_HELD_USER:
        case WAIT_RESERVATION:
        case FAIL_BAD_CONSTRAINTS:
        case FAIL_LAUNCH:
        case WAIT_MAX_REQUEUE:
            return WaitsFor::other;
        default:
            return WaitsFor::limit;
    }
}

// So that a product of two of them is no more than 64 bits hold.
std::uint64_t narrowed(std::uint64_t count) {
    return std::min<std::uint64_t>(count, NO_VAL - 1);
}

std::uint64_t gpus_in(std::string_view tres) {
    const auto list = parse_tres(tres);
    return list ? narrowed(count_gpus(*list).all) : 0;
}

std::uint64_t held_gpus(const slurm_job_info_t& record) {
    std::uint64_t sum = 0;
    if (record.gres_detail_str != nullptr) {
        for (const char* const node : std::span(record.gres_detail_str, record.gres_detail_cnt)) {
            sum += gpus_in(text_of(node));
        }
    }
    return sum;
}

std::uint64_t gpus_by_socket(std::string_view tres, std::uint64_t sockets, std::uint64_t nodes) {
    return narrowed(gpus_in(tres) * sockets) * nodes;
}

std::uint64_t asked_gpus(const slurm_job_info_t& record) {
    if (const auto all = gpus_in(text_of(record.tres_per_job)); all > 0) {
        return all;
    }
    const std::uint64_t nodes = std::max(record.num_nodes, 1U);
    if (const auto each = gpus_in(text_of(record.tres_per_node)); each > 0) {
        return each * nodes;
    }
    if (const auto each = gpus_in(text_of(record.tres_per_task)); each > 0) {
        return each * std::max(record.num_tasks, 1U);
    }
    const std::uint64_t sockets = record.sockets_per_node < NO_VAL16 ? record.sockets_per_node : 1;
    return gpus_by_socket(text_of(record.tres_per_socket), sockets, nodes);
}

std::uint32_t as_gpus(std::uint64_t count) {
    return static_cast<std::uint32_t>(narrowed(count));
}

// Sockets and their cores are not looked at: these Hora may have set itself.
bool has_own_layout(const slurm_job_info_t& record) {
    return has_own_bindings(record) || said(record.ntasks_per_tres) > 0;
}

void read_names(const slurm_job_info_t& record, Job& job) {
    job.id = job_id(record);
    job.uid = record.user_id;
    job.target = target_of(record);
    job.squeue_id = squeue_id(record);
    job.job_name = text_of(record.name);
    job.comment = text_of(record.comment);
    job.admin_comment = text_of(record.admin_comment);
}

// By the code of a job that has failed.
int signal_of(std::uint32_t code) {
    constexpr int status_of_signals = 128;  // as shells count, and srun
    if (WIFSIGNALED(code)) {
        return WTERMSIG(code);
    }
    const int signal = WEXITSTATUS(code) - status_of_signals;
    return signal > 0 && signal < NSIG ? signal : 0;
}

void read_state(const slurm_job_info_t& record, Job& job) {
    const auto base = record.job_state & JOB_STATE_BASE;
    job.state = state_of(record);
    job.is_completing = (record.job_state & JOB_COMPLETING) != 0;
    job.is_configuring = (record.job_state & JOB_CONFIGURING) != 0;
    job.was_cancelled = base == JOB_CANCELLED;
    job.has_failed = base == JOB_FAILED && WIFSIGNALED(record.exit_code);
    job.failed_by = base == JOB_FAILED ? signal_of(record.exit_code) : 0;
    job.is_batch = record.batch_flag != 0;
    job.is_array = record.array_job_id != 0;
    job.is_het = record.het_job_id != 0;
    job.may_requeue = record.requeue != 0;
    job.restarts = record.restart_cnt;
    job.priority = record.priority;
    job.nice = static_cast<std::int64_t>(record.nice) - NICE_OFFSET;
    job.hold = hold_of(record);
    job.former_hold = former_hold_of(record);
    job.waits_for = waits_for(record);
    if (job.state == JobState::pending) {
        job.reason = pending_reason(record.state_reason);
    }
}

// slurmctld forgets the time once the start is cleaned up. A job that was suspended for another one
// may be resumed.
bool is_preempted(const slurm_job_info_t& record, const Job& job) {
    const bool is_of_this_start =
        job.state == JobState::running && record.preempt_time >= record.start_time &&
        (record.suspend_time == 0 || record.preempt_time > record.suspend_time);
    return record.preempt_time > 0 && (is_of_this_start || job.is_completing);
}

void read_times(const slurm_job_info_t& record, Job& job) {
    job.submitted = record.submit_time;
    job.eligible = record.eligible_time;
    job.started = record.start_time;
    if (job.state == JobState::running) {
        const bool was_suspended =
            record.suspend_time > 0 && record.suspend_time >= record.start_time;
        job.began = was_suspended ? record.suspend_time - record.pre_sus_time : record.start_time;
    }
    if (job.state == JobState::suspended) {
        job.ran = record.pre_sus_time;
    }
    job.is_preempted = is_preempted(record, job);
    job.ends = record.end_time;
    if (record.time_limit < NO_VAL) {
        job.time_limit = Seconds(record.time_limit * 60.0);
    }
}

void read_size(const slurm_job_info_t& record, Job& job) {
    job.shape = {.nodes = said(record.num_nodes),
                 .tasks = said(record.num_tasks),
                 .tasks_per_node = said(record.ntasks_per_node),
                 .cpus = said(record.num_cpus),
                 .cpus_per_task = said(record.cpus_per_task),
                 .tres_per_node = std::string(text_of(record.tres_per_node)),
                 .tres_per_socket = std::string(text_of(record.tres_per_socket)),
                 .sockets_per_node = said(record.sockets_per_node),
                 .cores_per_socket = said(record.cores_per_socket)};
    job.max_nodes = said(record.max_nodes);
    job.tres_per_job = text_of(record.tres_per_job);
    job.tres_per_task = text_of(record.tres_per_task);
    job.cpus_per_tres = text_of(record.cpus_per_tres);
    read_memory(record.pn_min_memory, job);
    read_memory_by_gpu(record.mem_per_tres, job);
    job.is_exclusive = record.shared == JOB_SHARED_NONE;
    job.has_own_layout = has_own_layout(record);
    job.asked_gpus = as_gpus(asked_gpus(record));
    job.charge = charge_of(record);
    job.gpus = job.holds_nodes() ? as_gpus(held_gpus(record)) : job.asked_gpus;
    job.where = job.holds_nodes() ? text_of(record.nodes) : std::string_view();
}

GpusOfNode gpus_of_node(const std::string& node, std::string_view detail) {
    GpusOfNode gpus{.node = node, .gpus = as_gpus(gpus_in(detail)), .indices = {}};
    for (const Tres& item : parse_tres(detail).value_or(std::vector<Tres>())) {
        if (item.name == "gpu") {
            gpus.indices.insert(gpus.indices.end(), item.indices.begin(), item.indices.end());
        }
    }
    std::sort(gpus.indices.begin(), gpus.indices.end());
    return gpus;
}

std::vector<GpusOfNode> allocation_of(const slurm_job_info_t& record) {
    std::vector<GpusOfNode> gpus;
    if (record.gres_detail_str == nullptr) {
        return gpus;
    }
    const auto names =
        read::expand_hostlist(text_of(record.nodes)).value_or(std::vector<std::string>());
    const auto details = std::span(record.gres_detail_str, record.gres_detail_cnt);
    for (std::size_t i = 0; i < std::min(names.size(), details.size()); ++i) {
        gpus.push_back(gpus_of_node(names[i], text_of(details[i])));
    }
    return gpus;
}

bool is_in_restart_reservation(const slurm_job_info_t& record) {
    return text_of(record.resv_name) == restart_reservation;
}

std::string own_reservation(const slurm_job_info_t& record) {
    return is_in_restart_reservation(record) ? std::string()
                                             : std::string(text_of(record.resv_name));
}

// Neither the size nor the time limit nor the begin time, which Hora sets, nor the nice value,
// which goes with the priority, nor what slurmctld works out anew while a job waits.
std::string rest_of_request(const slurm_job_info_t& record) {
    const auto text = [](const char* value) { return std::string(text_of(value)); };
    return fmt::format("{}", fmt::join({text(record.dependency),
                                        text(record.features),
                                        text(record.prefer),
                                        text(record.cluster_features),
                                        text(record.req_nodes),
                                        text(record.exc_nodes),
                                        text(record.partition),
                                        text(record.account),
                                        text(record.qos),
                                        own_reservation(record),
                                        text(record.licenses),
                                        text(record.network),
                                        text(record.tres_per_job),
                                        text(record.tres_per_task),
                                        text(record.cpus_per_tres),
                                        text(record.mem_per_tres),
                                        text(record.tres_bind),
                                        std::to_string(record.pn_min_memory),
                                        std::to_string(record.pn_min_tmp_disk),
                                        std::to_string(record.deadline),
                                        std::to_string(record.shared),
                                        std::to_string(record.contiguous),
                                        std::to_string(record.core_spec),
                                        std::to_string(record.req_switch),
                                        std::to_string(record.wait4switch)},
                                       "\n"));
}

}  // namespace

bool asks_alike(const JobShape& a, const JobShape& b) {
    return a.tasks == b.tasks && a.tasks_per_node == b.tasks_per_node &&
           a.tres_per_node == b.tres_per_node && a.tres_per_socket == b.tres_per_socket;
}

std::uint32_t gpus_of(const JobShape& shape) {
    const std::uint64_t nodes = std::max(shape.nodes, 1U);
    if (const auto each = gpus_in(shape.tres_per_node); each > 0) {
        return as_gpus(each * nodes);
    }
    return as_gpus(
        gpus_by_socket(shape.tres_per_socket, std::max(shape.sockets_per_node, 1U), nodes));
}

// A task is named by its array: its own number may be the array's as well.
std::string target_of(const slurm_job_info_t& record) {
    if (record.het_job_id != 0) {
        return fmt::format("{}+{}", record.het_job_id, record.het_job_offset);
    }
    if (record.array_job_id != 0 && record.array_task_id != NO_VAL) {
        return fmt::format("{}_{}", record.array_job_id, record.array_task_id);
    }
    return std::to_string(job_id(record));
}

Job job_of(const slurm_job_info_t& record) {
    Job job;
    read_names(record, job);
    read_state(record, job);
    read_times(record, job);
    job.partition = text_of(record.partition);
    job.reservation = own_reservation(record);
    job.is_in_restart_reservation = is_in_restart_reservation(record);
    read_place(record, job);
    read_size(record, job);
    if (job.state != JobState::pending) {
        job.allocation = allocation_of(record);
    }
    return job;
}

Job whole_job_of(const slurm_job_info_t& record) {
    Job job = job_of(record);
    job.rest_of_request = rest_of_request(record);
    return job;
}

}  // namespace hora::slurm
