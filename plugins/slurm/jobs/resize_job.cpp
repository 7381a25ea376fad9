// How is one job brought to another size, and what has become of it?
#include "plugins/slurm/jobs/resize_job.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/jobs/as_owner.hpp"
#include "plugins/slurm/messages.hpp"
#include "plugins/slurm/store/lock_key.hpp"

namespace hora::slurm {
namespace {

using JobAnswer = std::unique_ptr<job_array_resp_msg_t, Release<slurm_free_job_array_resp>>;

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
    put(change.reservation, texts.reservation);
    if (!texts.key.empty()) {
        lock_key_place(change) = texts.key.data();
    }
    if (wanted.time_limit) {
        change.time_limit = static_cast<std::uint32_t>(wanted.time_limit->count() / 60);
    }
    return send(job, change);
}

// The first of two calls has raised the CPUs to the number of tasks that there were before it.
Answered send_cpus(const std::string& job, const JobChange& wanted) {
    job_desc_msg_t again;
    slurm_init_job_desc_msg(&again);
    again.min_cpus = wanted.shape->cpus;
    std::string key = wanted.key;
    if (!key.empty()) {
        lock_key_place(again) = key.data();
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
    part.reservation = std::exchange(wanted.reservation, std::nullopt);
    return part;
}

// By its name: that of an array's task is no number.
Expected<std::optional<Job>> look_at_named(const std::string& name) {
    std::uint32_t number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);
    const auto answer = load_job_records(number);
    if (!answer) {
        return unexpected(answer.error());
    }
    if (*answer != nullptr) {
        for (const slurm_job_info_t& job :
             std::span((*answer)->job_array, (*answer)->record_count)) {
            if (target_of(job) == name) {
                return std::optional(whole_job_of(job));
            }
        }
    }
    return std::optional<Job>();
}

// Only an operator may set the tasks of a node. More of them than the job has tasks keep it
// runnable, and fewer stop it for good: so they are raised before the rest and lowered after it.
Answered change_split(const Job& view, JobChange wanted) {
    if (wanted.seen && !still_asks_for(*wanted.seen, view)) {
        return {Reply::refused, "its request was changed meanwhile"};
    }
    JobChange of_operator = take_operators_part(wanted);
    if (wanted.is_comment_first && of_operator.admin_comment) {
        JobChange comment;
        comment.admin_comment = std::exchange(of_operator.admin_comment, std::nullopt);
        if (auto written = send_all(view.target, comment); written.reply != Reply::done) {
            return written;
        }
    }
    if (wanted.shape && wanted.shape->cpus_per_task == std::max(1U, view.shape.cpus_per_task)) {
        wanted.shape->cpus_per_task = 0;  // as it is
    }
    const std::uint32_t was = view.shape.tasks_per_node;
    const std::uint32_t is_to_be = wanted.shape ? wanted.shape->tasks_per_node : was;
    if (is_to_be > was) {
        if (auto raised = send_all(view.target, {}, is_to_be); raised.reply != Reply::done) {
            return raised;
        }
    }
    Answered answered;
    bool is_set = false;
    // What root changes of nodes, CPUs and time is exempt from the limits of the job's owner.
    const auto called = as_user(view.uid, [&] {
        answered = send_all(view.target, wanted);
        is_set = answered.reply == Reply::done;
        if (is_set && wanted.shape && wanted.shape->cpus > 0) {
            answered = send_cpus(view.target, wanted);
        }
    });
    if (!called) {
        answered = {Reply::refused, called.error().message};
    }
    if (answered.reply == Reply::refused && !is_set && is_to_be > was && was > 0) {
        send_all(view.target, {}, was);
    }
    const bool is_lowered = is_to_be > 0 && is_to_be < was;
    if (answered.reply != Reply::done || (!is_lowered && of_operator == JobChange())) {
        return answered;
    }
    return send_all(view.target, of_operator, is_lowered ? std::optional(is_to_be) : std::nullopt);
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

SeenRequest seen_request(const Job& job) {
    return {.shape = job.shape, .features = job.features, .prefer = job.prefer};
}

bool still_asks_for(const SeenRequest& seen, const Job& job) {
    return asks_alike(seen.shape, job.shape) && seen.features == job.features &&
           seen.prefer == job.prefer;
}

Answered answer_of(int error) {
    if (error == SLURM_SUCCESS) {
        return {};
    }
    return {is_passing(error) ? Reply::unreachable : Reply::refused, slurm_strerror(error)};
}

Expected<std::optional<Job>> look_at(std::uint32_t job) {
    const auto answer = load_job_records(job);
    if (!answer) {
        return unexpected(answer.error());
    }
    const slurm_job_info_t* const record = find_record(*answer, job);
    if (record == nullptr) {
        return std::optional<Job>();
    }
    Job found = whole_job_of(*record);
    found.updated = (*answer)->last_update;
    return std::optional(std::move(found));
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

Expected<bool> users_swap_priorities() {
    const auto configuration = load_configuration();
    if (!configuration) {
        return unexpected(configuration.error());
    }
    const std::string parameters(text_of((*configuration)->sched_params));
    return strcasestr(parameters.c_str(), "enable_user_top") != nullptr;  // as Slurm looks for it
}

}  // namespace hora::slurm
