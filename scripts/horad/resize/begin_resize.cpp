// May this job be resized, and what is written down of it before anything is done?
#include "scripts/horad/resize/begin_resize.hpp"

#include <fmt/format.h>

#include <utility>

#include "scripts/horad/resize/next_batch.hpp"
#include "scripts/horad/resize/next_limit.hpp"

namespace hora::horad {

using slurm::JobState;

Expected<void> can_begin(const Resize& resize, const std::optional<slurm::Job>& job) {
    const auto no = [&](const std::string& why) {
        return failure(fmt::format("job {} cannot be resized: {}", resize.job, why));
    };
    if (!job || job->state == JobState::ended) {
        return no("it is over, or there is no such job");
    }
    if (!job->is_batch || job->is_array || job->is_het) {
        return no("only a batch job that is no array and not heterogeneous can be");
    }
    if (!job->may_requeue) {
        return no("it must not be requeued (--no-requeue)");
    }
    if (job->restarts != resize.restarts) {
        return no("it has restarted meanwhile");
    }
    if (job->is_preempted) {
        return no("it is being preempted");
    }
    if (!job->runs() && job->state != JobState::pending) {
        return no("it neither runs nor waits");
    }
    if (job->state == JobState::pending && (job->is_held() || job->is_completing)) {
        return no(job->is_held() ? "it is held" : "its last run is still being cleaned up");
    }
    return {};
}

ResizeEntry first_entry(const Resize& resize, const slurm::Job& job, slurm::JobShape wanted,
                        Moment now) {
    ResizeEntry entry;
    entry.resize = resize;
    entry.resize.from = job.state == JobState::pending ? job.asked_gpus : job.gpus;
    entry.uid = job.uid;
    entry.submitted = job.submitted;
    entry.was_pending = job.state == JobState::pending;
    entry.where = job.where;
    entry.was = job.shape;
    entry.wanted = std::move(wanted);
    entry.began = job.began;
    note_limit(entry, job);
    note_batch(entry, job);
    if (entry.was_pending && resize.limit.is_lowered && resize.limit.stated_for > 0) {
        aim_limit(entry, job, resize.to);
    }
    entry.asked = now.wall;
    return entry;
}

}  // namespace hora::horad
