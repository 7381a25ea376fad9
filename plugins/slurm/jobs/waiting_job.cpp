// What does a job that waits ask for now, word for word?
#include "plugins/slurm/jobs/waiting_job.hpp"

#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/messages.hpp"

namespace hora::slurm {
namespace {

// Sockets and their cores are not looked at: these Hora may have set itself.
bool has_own_layout(const slurm_job_info_t& job) {
    const std::uint64_t bindings = GRES_ENFORCE_BIND | GRES_DISABLE_BIND;
    return said(job.threads_per_core) > 0 || said(job.ntasks_per_socket) > 0 ||
           said(job.ntasks_per_core) > 0 || said(job.ntasks_per_board) > 0 ||
           said(job.ntasks_per_tres) > 0 || said(job.core_spec) > 0 ||
           (job.bitflags & bindings) != 0;
}

void read_state(const slurm_job_info_t& job, WaitingJob& waiting) {
    waiting.id = job_id(job);
    waiting.uid = job.user_id;
    waiting.restarts = job.restart_cnt;
    waiting.is_pending =
        (job.job_state & JOB_STATE_BASE) == JOB_PENDING && (job.job_state & JOB_COMPLETING) == 0;
    waiting.is_impossible = job.priority == 0 && job.state_reason == FAIL_BAD_CONSTRAINTS;
    waiting.is_held = job.priority == 0 && !waiting.is_impossible;
    waiting.is_batch = job.batch_flag != 0;
    waiting.is_array = job.array_job_id != 0;
    waiting.is_het = job.het_job_id != 0;
    waiting.priority = job.priority;
    waiting.eligible = job.eligible_time;
    waiting.starts = job.start_time;
    waiting.admin_comment = text_of(job.admin_comment);
}

void read_place(const slurm_job_info_t& job, WaitingJob& waiting) {
    waiting.partition = text_of(job.partition);
    waiting.account = text_of(job.account);
    waiting.qos = text_of(job.qos);
    waiting.reservation = text_of(job.resv_name);
    waiting.features = text_of(job.features);
    waiting.prefer = text_of(job.prefer);
    waiting.required_nodes = text_of(job.req_nodes);
    waiting.excluded_nodes = text_of(job.exc_nodes);
}

void read_size(const slurm_job_info_t& job, WaitingJob& waiting) {
    waiting.shape = {.nodes = said(job.num_nodes),
                     .tasks = said(job.num_tasks),
                     .tasks_per_node = said(job.ntasks_per_node),
                     .cpus = said(job.num_cpus),
                     .cpus_per_task = said(job.cpus_per_task),
                     .tres_per_node = std::string(text_of(job.tres_per_node)),
                     .tres_per_socket = std::string(text_of(job.tres_per_socket)),
                     .sockets_per_node = said(job.sockets_per_node),
                     .cores_per_socket = said(job.cores_per_socket)};
    waiting.max_nodes = said(job.max_nodes);
    waiting.cpus_per_task = said(job.cpus_per_task);
    waiting.cpus_per_tres = text_of(job.cpus_per_tres);
    waiting.tres_per_job = text_of(job.tres_per_job);
    waiting.tres_per_task = text_of(job.tres_per_task);
    if (job.pn_min_memory != 0 && job.pn_min_memory != NO_VAL64) {
        const bool is_by_cpu = (job.pn_min_memory & MEM_PER_CPU) != 0;
        (is_by_cpu ? waiting.memory_per_cpu : waiting.memory_per_node) =
            job.pn_min_memory & ~MEM_PER_CPU;
    }
    if (job.time_limit < NO_VAL) {
        waiting.time_limit = Seconds(job.time_limit * 60.0);
    }
    waiting.is_exclusive = job.shared == JOB_SHARED_NONE;
    waiting.has_own_layout = has_own_layout(job);
}

}  // namespace

Expected<std::optional<WaitingJob>> load_waiting_job(std::uint32_t job) {
    const auto answer = load_job_records(job);
    if (!answer) {
        return unexpected(answer.error());
    }
    const slurm_job_info_t* const record = find_record(*answer, job);
    if (record == nullptr) {
        return std::optional<WaitingJob>();
    }
    WaitingJob waiting;
    read_state(*record, waiting);
    read_place(*record, waiting);
    read_size(*record, waiting);
    return std::optional(std::move(waiting));
}

}  // namespace hora::slurm
