// Is the start of a job over, and how does slurmd know the processes of one?
#include "plugins/slurm/jobs/job_end.hpp"

#include "plugins/slurm/messages.hpp"

namespace hora::slurm {

Expected<JobEnd> end_of_start(std::uint32_t job, const JobStart& start) {
    const auto answer = load_job_records(job);
    if (!answer) {
        return unexpected(answer.error());
    }
    const slurm_job_info_t* const record = find_record(*answer, job);
    if (record == nullptr) {
        return JobEnd::other;
    }
    const Job found = job_of(*record);
    if (found.was_cancelled) {
        return JobEnd::cancelled;
    }
    const bool goes_on =
        found.holds_nodes() && !found.is_completing && !has_begun_since(found, start);
    return goes_on ? JobEnd::none : JobEnd::other;
}

Expected<bool> tracks_by_cgroups() {
    const auto configuration = load_configuration();
    if (!configuration) {
        return unexpected(configuration.error());
    }
    return text_of((*configuration)->proctrack_type) == "proctrack/cgroup";
}

}  // namespace hora::slurm
