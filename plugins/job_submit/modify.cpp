// May this user change this job now?
#include "plugins/job_submit/modify.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "plugins/job_submit/reply.hpp"
#include "plugins/job_submit/restart_refusal.hpp"
#include "plugins/slurm/store/lock_key.hpp"
#include "plugins/slurm/store/restart_locks.hpp"

namespace hora::submit {
namespace {

// As slurmctld reads it: "12", "12_3" and "12+1" begin with the number, also behind blanks.
std::uint32_t number_of(const job_desc_msg_t& job) {
    return job.job_id_str != nullptr
               ? static_cast<std::uint32_t>(std::strtoul(job.job_id_str, nullptr, 10))
               : slurm::job_id(job);
}

template <class Value>
bool is_same(const Value& one, const Value& other) {
    return one == other;
}

// Texts are never preset.
bool is_same(char* one, char* /*other*/) {
    return one == nullptr;
}

// All that slurmctld takes from an update by a job's owner, but for a hold, a release and the time
// limit. What has its preset value is not asked for.
bool changes_more(const job_desc_msg_t& job, const job_desc_msg_t& preset) {
    const auto differs = [&](auto... members) {
        return (... || !is_same(job.*members, preset.*members));
    };
    using Job = job_desc_msg_t;
    const bool is_hold_or_release = job.priority == 0 || job.priority == INFINITE;
    return (!is_hold_or_release && job.priority != preset.priority) ||
           differs(&Job::account, &Job::array_inx, &Job::batch_features, &Job::begin_time,
                   &Job::burst_buffer, &Job::cluster_features, &Job::comment, &Job::contiguous,
                   &Job::core_spec, &Job::cpus_per_tres, &Job::deadline, &Job::delay_boot,
                   &Job::dependency, &Job::exc_nodes, &Job::extra, &Job::features,
                   &Job::licenses) ||
           differs(&Job::mail_user, &Job::mcs_label, &Job::mem_per_tres, &Job::name, &Job::network,
                   &Job::nice, &Job::num_tasks, &Job::overcommit, &Job::partition, &Job::prefer,
                   &Job::qos, &Job::reboot, &Job::req_nodes, &Job::requeue, &Job::reservation,
                   &Job::shared, &Job::time_min, &Job::tres_bind, &Job::tres_freq) ||
           differs(&Job::tres_per_job, &Job::tres_per_node, &Job::tres_per_socket,
                   &Job::tres_per_task, &Job::work_dir, &Job::cpus_per_task, &Job::min_cpus,
                   &Job::max_cpus, &Job::min_nodes, &Job::max_nodes, &Job::boards_per_node,
                   &Job::sockets_per_board, &Job::sockets_per_node, &Job::cores_per_socket,
                   &Job::threads_per_core) ||
           differs(&Job::ntasks_per_node, &Job::ntasks_per_socket, &Job::ntasks_per_core,
                   &Job::ntasks_per_board, &Job::ntasks_per_tres, &Job::pn_min_cpus,
                   &Job::pn_min_memory, &Job::pn_min_tmp_disk, &Job::req_switch, &Job::wait4switch,
                   &Job::wckey, &Job::std_err, &Job::std_in, &Job::std_out);
}

std::string take_key(job_desc_msg_t& job) {
    char*& place = slurm::lock_key_place(job);
    std::string key = place == nullptr ? std::string() : place;
    if (slurm::is_lock_key(key)) {
        slurm::set_string(place, nullptr);
        return key;
    }
    return {};
}

// `is_slurms`: it is root's or SlurmUser's, who are kept from nothing.
bool is_refused(const job_desc_msg_t& job, const slurm::RestartLock& lock, bool is_slurms) {
    if (is_slurms || !lock.is_kept) {
        return false;
    }
    job_desc_msg_t preset;
    slurm_init_job_desc_msg(&preset);
    return changes_more(job, preset);
}

}  // namespace

int modify_in(const std::string& folder, SetMeanwhile& meanwhile, job_desc_msg_t& job,
              std::uint32_t uid, char** message, std::int64_t now) {
    const std::string key = take_key(job);
    const bool is_slurms = uid == 0 || uid == ::geteuid();
    const SetFields sets{.time_limit = job.time_limit != NO_VAL, .begin_time = job.begin_time != 0};
    const bool sets_any = sets.time_limit || sets.begin_time;
    if (is_slurms && !sets_any) {
        return SLURM_SUCCESS;
    }
    const std::uint32_t id = number_of(job);
    const auto lock = slurm::RestartLocks(folder).of(id, ::geteuid(), now);
    const bool is_horads = is_slurms || (lock && lock->key == key);
    const auto refused = [&](const std::string& text, int error) {
        return refuse(message, text, error, fmt::format("update of job {} by user {}: ", id, uid));
    };
    if (!is_horads && names_restarts(job)) {
        return refused(restart_refusal, ESLURM_RESERVATION_ACCESS);
    }
    if (!lock || (lock->uid != uid && !is_slurms)) {
        return SLURM_SUCCESS;
    }
    if (lock->key == key) {
        const SetFields others = meanwhile.of(id, lock->number);
        job.time_limit = others.time_limit ? NO_VAL : job.time_limit;
        job.begin_time = others.begin_time ? 0 : job.begin_time;
        return SLURM_SUCCESS;
    }
    if (!is_refused(job, *lock, is_slurms)) {
        if (sets_any) {
            meanwhile.note(id, lock->number, sets);
        }
        return SLURM_SUCCESS;
    }
    // "Job can not be altered now, try again later": all that releases before 23.02 can say.
    return refused(
        fmt::format("job {} restarts at another size; until it runs only a hold and the time limit "
                    "can be changed",
                    id),
        ESLURM_TRANSITION_STATE_NO_UPDATE);
}

int modify(Site* site, job_desc_msg_t& job, std::uint32_t uid, char** message, std::int64_t now) {
    const auto settings = site != nullptr ? site->settings() : nullptr;
    return settings
               ? modify_in(slurm::restart_locks_folder(settings->get<std::string>("horad.state")),
                           site->set_meanwhile(), job, uid, message, now)
               : SLURM_SUCCESS;
}

}  // namespace hora::submit
