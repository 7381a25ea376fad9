// How is one job brought to another size, and what has become of it?
#include "plugins/slurm/jobs/resize_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <memory>
#include <span>
#include <utility>

#include "libplanner/read/slurm/hostlist.hpp"
#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/jobs/as_owner.hpp"
#include "plugins/slurm/jobs/pending_reason.hpp"
#include "plugins/slurm/messages.hpp"
#include "plugins/slurm/store/lock_key.hpp"
#include "plugins/slurm/tres.hpp"

namespace hora::slurm {
namespace {

using JobAnswer = std::unique_ptr<job_array_resp_msg_t, Release<slurm_free_job_array_resp>>;

JobStage stage_of(const slurm_job_info_t& job) {
    switch (job.job_state & JOB_STATE_BASE) {
        case JOB_PENDING:
            return JobStage::pending;
        case JOB_RUNNING:
            return JobStage::running;
        case JOB_SUSPENDED:
            return JobStage::suspended;
        default:
            return JobStage::ended;
    }
}

std::uint32_t gpus_in(std::string_view tres) {
    const auto list = parse_tres(tres);
    return list ? static_cast<std::uint32_t>(count_gpus(*list).all) : 0;
}

JobShape shape_of(const slurm_job_info_t& job) {
    return {.nodes = said(job.num_nodes),
            .tasks = said(job.num_tasks),
            .tasks_per_node = said(job.ntasks_per_node),
            .cpus = said(job.num_cpus),
            .cpus_per_task = said(job.cpus_per_task),
            .tres_per_node = std::string(text_of(job.tres_per_node)),
            .tres_per_socket = std::string(text_of(job.tres_per_socket)),
            .sockets_per_node = said(job.sockets_per_node),
            .cores_per_socket = said(job.cores_per_socket)};
}

GpusOfNode gpus_of_node(const std::string& node, std::string_view detail) {
    GpusOfNode gpus{.node = node, .gpus = gpus_in(detail), .indices = {}};
    for (const Tres& item : parse_tres(detail).value_or(std::vector<Tres>())) {
        if (item.name == "gpu") {
            gpus.indices.insert(gpus.indices.end(), item.indices.begin(), item.indices.end());
        }
    }
    std::sort(gpus.indices.begin(), gpus.indices.end());
    return gpus;
}

std::vector<GpusOfNode> gpus_of(const slurm_job_info_t& job) {
    std::vector<GpusOfNode> gpus;
    if (job.gres_detail_str == nullptr) {
        return gpus;
    }
    const auto names =
        read::expand_hostlist(text_of(job.nodes)).value_or(std::vector<std::string>());
    const auto details = std::span(job.gres_detail_str, job.gres_detail_cnt);
    for (std::size_t i = 0; i < std::min(names.size(), details.size()); ++i) {
        gpus.push_back(gpus_of_node(names[i], text_of(details[i])));
    }
    return gpus;
}

std::string name_of(const slurm_job_info_t& job) {
    return job.array_job_id != 0 && job.array_task_id != NO_VAL
               ? fmt::format("{}_{}", job.array_job_id, job.array_task_id)
               : std::to_string(job_id(job));
}

// Neither the size nor the time limit nor the begin time, which Hora sets, nor the nice value,
// which goes with the priority, nor what slurmctld works out anew while a job waits.
std::string rest_of_request(const slurm_job_info_t& job) {
    const auto text = [](const char* value) { return std::string(text_of(value)); };
    return fmt::format("{}", fmt::join({text(job.dependency),
                                        text(job.features),
                                        text(job.prefer),
                                        text(job.cluster_features),
                                        text(job.req_nodes),
                                        text(job.exc_nodes),
                                        text(job.partition),
                                        text(job.account),
                                        text(job.qos),
                                        text(job.resv_name),
                                        text(job.licenses),
                                        text(job.network),
                                        text(job.tres_per_job),
                                        text(job.tres_per_task),
                                        text(job.cpus_per_tres),
                                        text(job.mem_per_tres),
                                        text(job.tres_bind),
                                        std::to_string(job.pn_min_memory),
                                        std::to_string(job.pn_min_tmp_disk),
                                        std::to_string(job.deadline),
                                        std::to_string(job.shared),
                                        std::to_string(job.contiguous),
                                        std::to_string(job.core_spec),
                                        std::to_string(job.req_switch),
                                        std::to_string(job.wait4switch)},
                                       "\n"));
}

JobView view_of(const slurm_job_info_t& job) {
    JobView view;
    view.id = job_id(job);
    view.name = name_of(job);
    view.uid = job.user_id;
    view.submitted = job.submit_time;
    view.restarts = job.restart_cnt;
    view.stage = stage_of(job);
    view.is_completing = (job.job_state & JOB_COMPLETING) != 0;
    view.has_failed = (job.job_state & JOB_STATE_BASE) == JOB_FAILED && WIFSIGNALED(job.exit_code);
    view.is_batch = job.batch_flag != 0;
    view.is_array = job.array_job_id != 0;
    view.is_het = job.het_job_id != 0;
    view.may_requeue = job.requeue != 0;
    view.priority = job.priority;
    view.nice = static_cast<std::int64_t>(job.nice) - NICE_OFFSET;
    view.is_impossible = job.priority == 0 && job.state_reason == FAIL_BAD_CONSTRAINTS;
    view.is_held = job.priority == 0 && !view.is_impossible;
    view.is_held_by_user = job.state_reason == WAIT_HELD_USER;
    view.is_held_by_launch =
        view.is_held && is_held_by_launch(job.state_reason, text_of(job.state_desc));
    view.was_held =
        job.priority != 0 && (job.state_reason == WAIT_HELD || job.state_reason == WAIT_HELD_USER);
    if (view.stage == JobStage::pending) {
        view.waits_for = pending_reason(job.state_reason);
    }
    view.begins = job.eligible_time;
    if (view.stage == JobStage::running) {
        view.began = job.pre_sus_time > 0 ? job.suspend_time - job.pre_sus_time : job.start_time;
    }
    if (job.time_limit != NO_VAL && job.time_limit != INFINITE) {
        view.time_limit = Seconds(job.time_limit * 60.0);
    }
    view.partition = text_of(job.partition);
    view.account = text_of(job.account);
    view.qos = text_of(job.qos);
    view.reservation = text_of(job.resv_name);
    view.features = text_of(job.features);
    view.required_nodes = text_of(job.req_nodes);
    view.excluded_nodes = text_of(job.exc_nodes);
    view.admin_comment = text_of(job.admin_comment);
    view.cpus_per_task = said(job.cpus_per_task);
    view.max_nodes = said(job.max_nodes);
    view.rest_of_request = rest_of_request(job);
    view.tres_per_job = text_of(job.tres_per_job);
    view.tres_per_task = text_of(job.tres_per_task);
    view.shape = shape_of(job);
    view.charge = charge_of(job);
    view.asked_gpus = gpus_in(view.shape.tres_per_node) * std::max(view.shape.nodes, 1U);
    if (view.stage != JobStage::pending) {
        view.gpus = gpus_of(job);
    }
    return view;
}

// slurmctld was not reached, or did not get to it: the next call may.
bool is_passing(int error) {
    constexpr int least_of_slurmctld = 2000;
    constexpr int codes[] = {EAGAIN,
                             EINTR,
                             ETIMEDOUT,
                             ECONNREFUSED,
                             ESLURM_IN_STANDBY_MODE,
                             ESLURM_TRANSITION_STATE_NO_UPDATE,
                             ESLURM_DISABLED};
    return (error >= 1000 && error < least_of_slurmctld) ||
           std::find(std::begin(codes), std::end(codes), error) != std::end(codes);
}

Answered answer_of(int error) {
    if (error == SLURM_SUCCESS) {
        return {};
    }
    return {is_passing(error) ? Reply::unreachable : Reply::refused, slurm_strerror(error)};
}

// All of it that its owner may change.
void put(job_desc_msg_t& change, JobShape& shape) {
    change.min_nodes = shape.nodes;
    change.max_nodes = shape.nodes;
    change.num_tasks = shape.tasks;
    if (shape.cpus > 0) {
        change.min_cpus = shape.cpus;
        // Slurm keeps the CPUs of a node that it worked out from more tasks, and holds for good a
        // job whose fewer tasks cannot use them.
        change.pn_min_cpus = static_cast<std::uint16_t>(shape.cpus / std::max(shape.nodes, 1U));
    }
    if (shape.cpus_per_task > 0) {
        change.cpus_per_task = static_cast<std::uint16_t>(shape.cpus_per_task);
    }
    change.tres_per_node = shape.tres_per_node.data();
    change.tres_per_socket = shape.tres_per_socket.data();  // "" clears
    change.sockets_per_node = static_cast<std::uint16_t>(shape.sockets_per_node);
    change.cores_per_socket = static_cast<std::uint16_t>(shape.cores_per_socket);
}

void put(char*& place, std::optional<std::string>& text) {
    place = text ? text->data() : place;
}

Answered send(std::string name, job_desc_msg_t& change) {
    change.job_id_str = name.data();
    job_array_resp_msg_t* raw = nullptr;
    const int error = slurm_update_job2(&change, &raw) == SLURM_SUCCESS ? SLURM_SUCCESS : errno;
    const JobAnswer answer(raw);
    if (answer != nullptr && answer->job_array_count > 0) {
        return answer_of(static_cast<int>(answer->error_code[0]));
    }
    return answer_of(error);
}

Answered send_all(const std::string& job, const JobChange& wanted,
                  std::optional<std::uint32_t> tasks_per_node = std::nullopt) {
    job_desc_msg_t change;
    slurm_init_job_desc_msg(&change);
    JobChange texts = wanted;  // libslurm's fields are not const
    if (texts.shape) {
        put(change, *texts.shape);
    }
    if (tasks_per_node) {
        change.ntasks_per_node = static_cast<std::uint16_t>(*tasks_per_node);
    }
    if (wanted.priority) {
        change.priority = *wanted.priority;
    }
    if (wanted.forgets_priority) {
        change.priority = INFINITE;
    }
    if (wanted.nice) {
        change.nice = static_cast<std::uint32_t>(*wanted.nice + NICE_OFFSET);
    }
    if (wanted.begins) {
        change.begin_time = *wanted.begins;
    }
    put(change.features, texts.features);
    put(change.prefer, texts.prefer);
    put(change.admin_comment, texts.admin_comment);
    if (!texts.key.empty()) {
        hand_key_place(change) = texts.key.data();
    }
    if (wanted.time_limit) {
        change.time_limit = static_cast<std::uint32_t>(wanted.time_limit->count() / 60);
    }
    return send(job, change);
}

// What root changes of nodes, CPUs and time is exempt from the limits of the job's owner.
Answered send_as_owner(const std::string& job, const JobChange& wanted) {
    const Answered answered = send_all(job, wanted);
    if (answered.reply != Reply::done || !wanted.shape || wanted.shape->cpus == 0) {
        return answered;
    }
    // The first call raised the CPUs to the number of tasks that there were before it.
    job_desc_msg_t again;
    slurm_init_job_desc_msg(&again);
    again.min_cpus = wanted.shape->cpus;
    std::string key = wanted.key;
    if (!key.empty()) {
        hand_key_place(again) = key.data();
    }
    return send(job, again);
}

// What its owner may not set, taken off the change.
JobChange take_operators_part(JobChange& wanted) {
    JobChange part;
    part.priority = std::exchange(wanted.priority, std::nullopt);
    part.forgets_priority = std::exchange(wanted.forgets_priority, false);
    part.nice = std::exchange(wanted.nice, std::nullopt);
    part.admin_comment = std::exchange(wanted.admin_comment, std::nullopt);
    return part;
}

// By its name: that of an array's task is no number.
Expected<std::optional<JobView>> look_at_named(const std::string& name) {
    std::uint32_t number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);
    const auto answer = load_job_records(number);
    if (!answer) {
        return unexpected(answer.error());
    }
    if (*answer != nullptr) {
        for (const slurm_job_info_t& job :
             std::span((*answer)->job_array, (*answer)->record_count)) {
            if (name_of(job) == name) {
                return std::optional(view_of(job));
            }
        }
    }
    return std::optional<JobView>();
}

// Only an operator may set the tasks of a node. More of them than the job has tasks keep it
// runnable, and fewer stop it for good: so they are raised before the rest and lowered after it.
Answered change_split(const JobView& view, JobChange wanted) {
    const JobChange of_operator = take_operators_part(wanted);
    if (wanted.shape && wanted.shape->cpus_per_task == std::max(1U, view.cpus_per_task)) {
        wanted.shape->cpus_per_task = 0;  // as it is
    }
    const std::uint32_t was = view.shape.tasks_per_node;
    const std::uint32_t is_to_be = wanted.shape ? wanted.shape->tasks_per_node : was;
    if (is_to_be > was) {
        if (auto raised = send_all(view.name, {}, is_to_be); raised.reply != Reply::done) {
            return raised;
        }
    }
    Answered answered;
    const auto called = as_user(view.uid, [&] { answered = send_as_owner(view.name, wanted); });
    if (!called) {
        answered = {Reply::refused, called.error().message};
    }
    if (answered.reply == Reply::refused && is_to_be > was && was > 0) {
        send_all(view.name, {}, was);
    }
    const bool is_lowered = is_to_be > 0 && is_to_be < was;
    if (answered.reply != Reply::done || (!is_lowered && of_operator == JobChange())) {
        return answered;
    }
    return send_all(view.name, of_operator, is_lowered ? std::optional(is_to_be) : std::nullopt);
}

// Free again it has the priority that slurmctld computes.
Answered change_impossible_job(const std::string& job, JobChange wanted) {
    JobChange of_priority;
    of_priority.priority = std::exchange(wanted.priority, std::nullopt);
    wanted.forgets_priority = false;
    wanted.is_of_impossible = false;
    const Answered answered = change_job(job, wanted);
    return answered.reply != Reply::done || !of_priority.priority ? answered
                                                                  : change_job(job, of_priority);
}

Answered requeue(const std::string& job, std::uint32_t flags) {
    std::string name = job;
    job_array_resp_msg_t* raw = nullptr;
    const int error =
        slurm_requeue2(name.data(), flags, &raw) == SLURM_SUCCESS ? SLURM_SUCCESS : errno;
    const JobAnswer answer(raw);
    if (answer != nullptr && answer->job_array_count > 0) {
        return answer_of(static_cast<int>(answer->error_code[0]));
    }
    return answer_of(error);
}

}  // namespace

Expected<std::optional<JobView>> look_at(std::uint32_t job) {
    const auto answer = load_job_records(job);
    if (!answer) {
        return unexpected(answer.error());
    }
    const slurm_job_info_t* const record = find_record(*answer, job);
    if (record == nullptr) {
        return std::optional<JobView>();
    }
    JobView view = view_of(*record);
    view.updated = (*answer)->last_update;
    return std::optional(std::move(view));
}

Answered change_job(const std::string& job, const JobChange& wanted) {
    if (wanted.is_of_impossible) {
        return change_impossible_job(job, wanted);
    }
    if (!wanted.shape && !wanted.time_limit) {
        return send_all(job, wanted);
    }
    const auto view = look_at_named(job);
    if (!view) {
        return {Reply::unreachable, view.error().message};
    }
    return *view ? change_split(**view, wanted) : answer_of(ESLURM_INVALID_JOB_ID);
}

Answered hold_job(std::uint32_t job, bool by_user) {
    job_desc_msg_t change;
    slurm_init_job_desc_msg(&change);
    change.priority = 0;
    change.alloc_sid = by_user ? ALLOC_SID_USER_HOLD : ALLOC_SID_ADMIN_HOLD;
    return send(std::to_string(job), change);
}

Answered signal_steps(std::uint32_t job, int signal) {
    const std::string name = std::to_string(job);
    const int result =
        slurm_kill_job2(name.c_str(), static_cast<std::uint16_t>(signal), 0, nullptr);
    return answer_of(result == SLURM_SUCCESS ? SLURM_SUCCESS : errno);
}

Answered requeue_running(const std::string& job) {
    return requeue(job, JOB_RUNNING);
}

Answered requeue_failed(const std::string& job) {
    return requeue(job, 0);
}

Expected<bool> is_operator(std::uint32_t uid) {
    const auto configuration = load_configuration();
    if (!configuration) {
        return unexpected(configuration.error());
    }
    if (uid == 0 || uid == (*configuration)->slurm_user_id) {
        return true;
    }
    const auto limits = load_limits();
    if (!limits) {
        return unexpected(limits.error());
    }
    bool is_one = false;
    for_each<slurmdb_user_rec_t>((*limits)->user_list, [&](const slurmdb_user_rec_t& user) {
        is_one = is_one || (user.uid == uid && (user.admin_level == SLURMDB_ADMIN_OPERATOR ||
                                                user.admin_level == SLURMDB_ADMIN_SUPER_USER));
    });
    return is_one;
}

Expected<bool> computes_priorities() {
    const auto configuration = load_configuration();
    if (!configuration) {
        return unexpected(configuration.error());
    }
    return text_of((*configuration)->priority_type) != "priority/basic";
}

}  // namespace hora::slurm
