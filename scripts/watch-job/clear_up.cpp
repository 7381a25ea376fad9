// What is done when the batch script has ended by itself?
#include "scripts/watch-job/clear_up.hpp"

#include <chrono>
#include <cstdint>

#include "plugins/slurm/jobs/job_end.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"
#include "scripts/watch-job/job_folder.hpp"

namespace hora::watch {
namespace {

// slurmctld forgets a job some minutes after its end.
bool is_over(std::uint32_t job) {
    const auto view = slurm::look_at(job);
    return view && (!*view || (*view)->is_over());
}

}  // namespace

int clear_up(const Options& options) {
    if (options.removes_finished && options.exit_status == 0 &&
        slurm::end_of_start(options.job, {options.restarts}) == slurm::JobEnd::none) {
        remove_folder(options.folder);
    }
    if (options.keep.count() > 0) {
        remove_expired(options.folder, options.cluster,
                       std::chrono::seconds(static_cast<std::int64_t>(options.keep.count())),
                       std::chrono::system_clock::now(), is_over);
    }
    return 0;
}

void clear_unused(const Options& options) {
    if (!is_unused(options.folder)) {
        return;
    }
    // In a later start its program may be about to write.
    const auto view = slurm::look_at(options.job);
    if (view && (!*view || (*view)->restarts == options.restarts)) {
        remove_folder(options.folder);
    }
}

}  // namespace hora::watch
