// Which jobs wait, what holds them to sockets, and how are they freed of it?
#include "plugins/slurm/jobs/pending_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <span>

#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/messages.hpp"

namespace hora::slurm {
namespace {

using Answer = std::unique_ptr<job_array_resp_msg_t, Release<slurm_free_job_array_resp>>;

bool means_started(int error) {
    constexpr int codes[] = {ESLURM_JOB_NOT_PENDING, ESLURM_ALREADY_DONE, ESLURM_INVALID_JOB_ID,
                             ESLURM_JOB_FINISHED, ESLURM_TRANSITION_STATE_NO_UPDATE};
    return std::find(std::begin(codes), std::end(codes), error) != std::end(codes);
}

// The first error, if there is one that is not that a job has started.
int send(job_desc_msg_t& change, std::string job, bool& is_done) {
    change.job_id_str = job.data();
    job_array_resp_msg_t* raw = nullptr;
    const int error = slurm_update_job2(&change, &raw) == SLURM_SUCCESS ? SLURM_SUCCESS : errno;
    const Answer answer(raw);
    if (answer == nullptr || answer->job_array_count == 0) {
        is_done = error == SLURM_SUCCESS;
        return error;
    }
    int first = SLURM_SUCCESS;
    for (const std::uint32_t code : std::span(answer->error_code, answer->job_array_count)) {
        is_done = is_done || code == SLURM_SUCCESS;
        first = first == SLURM_SUCCESS || means_started(first) ? static_cast<int>(code) : first;
    }
    return first;
}

bool is_denial(int error) {
    return error == ESLURM_ACCESS_DENIED || error == ESLURM_USER_ID_MISSING;
}

tl::unexpected<Error> refused(const std::string& job, int error) {
    return failure(fmt::format("slurmctld does not change job {}: {}", job, why_unchanged(error)));
}

}  // namespace

Expected<std::vector<Job>> load_pending_jobs() {
    auto list = load_jobs(0);
    if (!list) {
        return unexpected(list.error());
    }
    std::vector<Job> pending = *list ? std::move((*list)->jobs) : std::vector<Job>();
    std::erase_if(pending, [](const Job& job) { return job.state != JobState::pending; });
    return pending;
}

// Slurm's own words for it are "Invalid user id".
std::string why_unchanged(int error) {
    return is_denial(error) ? "only its owner or an operator may" : slurm_strerror(error);
}

Expected<Freed> free_of_sockets(const Job& job) {
    job_desc_msg_t change;
    slurm_init_job_desc_msg(&change);
    std::string nothing;
    change.tres_per_socket = nothing.data();
    change.sockets_per_node = 0;
    change.cores_per_socket = 0;
    bool is_done = false;
    const int error = send(change, job.target, is_done);
    if (is_done) {
        return Freed::done;
    }
    return means_started(error) ? Expected<Freed>(Freed::has_started) : refused(job.target, error);
}

Expected<bool> set_admin_comment(const std::string& job, const std::string& comment) {
    job_desc_msg_t change;
    slurm_init_job_desc_msg(&change);
    std::string text = comment;
    change.admin_comment = text.data();
    bool is_done = false;
    const int error = send(change, job, is_done);
    if (is_done || means_started(error)) {
        return true;
    }
    return is_denial(error) ? Expected<bool>(false) : refused(job, error);
}

}  // namespace hora::slurm
