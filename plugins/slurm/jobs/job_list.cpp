// Which jobs does slurmctld have, and in what state is each?
#include "plugins/slurm/jobs/job_list.hpp"

#include <algorithm>
#include <cerrno>
#include <span>

#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/messages.hpp"

namespace hora::slurm {

Expected<std::optional<JobList>> load_jobs(std::int64_t updated) {
    job_info_msg_t* raw = nullptr;
    errno = 0;
    if (slurm_load_jobs(updated, &raw, SHOW_ALL | SHOW_DETAIL) != SLURM_SUCCESS || raw == nullptr) {
        if (errno == SLURM_NO_CHANGE_IN_DATA) {
            return std::nullopt;
        }
        return unexpected(refusal("the jobs"));
    }
    const JobRecords answer(raw);
    JobList list;
    list.updated = answer->last_update;
    list.jobs.reserve(answer->record_count);
    for (const slurm_job_info_t& record : std::span(answer->job_array, answer->record_count)) {
        list.jobs.push_back(job_of(record));
    }
    std::sort(list.jobs.begin(), list.jobs.end(),
              [](const Job& a, const Job& b) { return a.id < b.id; });
    return list;
}

}  // namespace hora::slurm
