// Which jobs does slurmctld have, and in what state is each?
#include "plugins/slurm/jobs/job_list.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <span>

#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/jobs/pending_reason.hpp"
#include "plugins/slurm/messages.hpp"
#include "plugins/slurm/squeue_id.hpp"
#include "plugins/slurm/tres.hpp"

namespace hora::slurm {
namespace {

using Answer = std::unique_ptr<job_info_msg_t, Release<slurm_free_job_info_msg>>;

JobState state_of(const slurm_job_info_t& job) {
    switch (job.job_state & JOB_STATE_BASE) {
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

Hold hold_of(const slurm_job_info_t& job) {
    if (job.priority != 0) {
        return Hold::none;
    }
    if (is_held_by_launch(job.state_reason, text_of(job.state_desc))) {
        return Hold::launch;
    }
    return job.state_reason == WAIT_HELD_USER ? Hold::user : Hold::administrator;
}

WaitsFor waits_for(const slurm_job_info_t& job) {
    switch (job.state_reason) {
        case WAIT_NO_REASON:
        case WAIT_PRIORITY:
        case WAIT_RESOURCES:
        case WAIT_CLEANING:
            return job.priority == 0 ? WaitsFor::other : WaitsFor::resources;
        case WAIT_TIME:
            return WaitsFor::time;
        case WAIT_DEPENDENCY:
        case WAIT_DEP_INVALID:
        case WAIT_ARRAY_TASK_LIMIT:
            return WaitsFor::dependency;
        case WAIT_NODE_NOT_AVAIL:
            return job.priority == 0 ? WaitsFor::other : WaitsFor::nodes;
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

std::uint64_t gpus_in(std::string_view tres) {
    const auto list = parse_tres(tres);
    return list ? count_gpus(*list).all : 0;
}

// A job's own GPUs, of each node that it holds.
std::uint64_t held_gpus(const slurm_job_info_t& job) {
    std::uint64_t sum = 0;
    if (job.gres_detail_str != nullptr) {
        for (const char* const node : std::span(job.gres_detail_str, job.gres_detail_cnt)) {
            sum += gpus_in(text_of(node));
        }
    }
    return sum;
}

std::uint64_t asked_gpus(const slurm_job_info_t& job) {
    if (const auto all = gpus_in(text_of(job.tres_per_job)); all > 0) {
        return all;
    }
    if (const auto each = gpus_in(text_of(job.tres_per_node)); each > 0) {
        return each * std::max(job.num_nodes, 1U);
    }
    if (const auto each = gpus_in(text_of(job.tres_per_task)); each > 0) {
        return each * std::max(job.num_tasks, 1U);
    }
    const std::uint64_t sockets = job.sockets_per_node < NO_VAL16 ? job.sockets_per_node : 1;
    return gpus_in(text_of(job.tres_per_socket)) * sockets * std::max(job.num_nodes, 1U);
}

std::uint32_t narrowed(std::uint64_t count) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, NO_VAL - 1));
}

// Texts and switches that are copied as they stand.
ListedJob copied(const slurm_job_info_t& job) {
    ListedJob listed;
    listed.id = job_id(job);
    listed.squeue_id = squeue_id(job);
    listed.uid = job.user_id;
    listed.name = text_of(job.name);
    listed.account = text_of(job.account);
    listed.qos = text_of(job.qos);
    listed.partition = text_of(job.partition);
    listed.reservation = text_of(job.resv_name);
    listed.comment = text_of(job.comment);
    listed.admin_comment = text_of(job.admin_comment);
    listed.tres_per_node = text_of(job.tres_per_node);
    listed.tres_per_socket = text_of(job.tres_per_socket);
    listed.features = text_of(job.features);
    listed.is_batch = job.batch_flag != 0;
    listed.is_array = job.array_job_id != 0;
    listed.is_het = job.het_job_id != 0;
    listed.may_requeue = job.requeue != 0;
    listed.restarts = job.restart_cnt;
    listed.priority = job.priority;
    listed.tasks = job.num_tasks < NO_VAL ? job.num_tasks : 0;
    listed.tasks_per_node = said(job.ntasks_per_node);
    listed.cpus_per_task = said(job.cpus_per_task);
    listed.cpus = said(job.num_cpus);
    listed.charge = charge_of(job);
    return listed;
}

ListedJob record_of(const slurm_job_info_t& job) {
    ListedJob listed = copied(job);
    listed.state = state_of(job);
    listed.is_completing = (job.job_state & JOB_COMPLETING) != 0;
    listed.is_configuring = (job.job_state & JOB_CONFIGURING) != 0;
    listed.hold = hold_of(job);
    listed.waits_for = waits_for(job);
    const bool holds_nodes =
        listed.state == JobState::running || listed.state == JobState::suspended;
    listed.nodes = job.num_nodes;
    listed.gpus = narrowed(holds_nodes ? held_gpus(job) : asked_gpus(job));
    listed.where = holds_nodes ? text_of(job.nodes) : std::string_view();
    listed.submitted = job.submit_time;
    listed.eligible = job.eligible_time;
    listed.started = job.start_time;
    listed.ends = job.end_time;
    if (job.time_limit < NO_VAL) {
        listed.time_limit = Seconds(job.time_limit * 60.0);
    }
    return listed;
}

}  // namespace

Expected<std::optional<JobList>> load_jobs(std::int64_t updated) {
    job_info_msg_t* raw = nullptr;
    if (slurm_load_jobs(updated, &raw, SHOW_ALL | SHOW_DETAIL) != SLURM_SUCCESS) {
        if (errno == SLURM_NO_CHANGE_IN_DATA) {
            return std::nullopt;
        }
        return unexpected(refusal("the jobs"));
    }
    const Answer answer(raw);
    JobList list;
    list.updated = answer->last_update;
    list.jobs.reserve(answer->record_count);
    for (const slurm_job_info_t& job : std::span(answer->job_array, answer->record_count)) {
        list.jobs.push_back(record_of(job));
    }
    std::sort(list.jobs.begin(), list.jobs.end(),
              [](const ListedJob& a, const ListedJob& b) { return a.id < b.id; });
    return list;
}

}  // namespace hora::slurm
