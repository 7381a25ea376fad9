// What time limit does a job get that starts at another size?
#include "scripts/horad/resize/next_limit.hpp"

#include <algorithm>
#include <cmath>

#include "libplanner/elastic/worth/gpu_time.hpp"
#include "plugins/slurm/jobs/rest_of_limit.hpp"
#include "scripts/horad/journal/granted_limit.hpp"

namespace hora::horad {
namespace {

constexpr Seconds minute(60);

bool is_in_gpu_time(const ResizeEntry& entry) {
    return entry.resize.limit.stated_for > 0;
}

// Not where somebody else has started it meanwhile, or the clock was set.
bool is_known(const ResizeEntry& entry, const slurm::Job& job) {
    return entry.began > 0 && entry.began >= entry.submitted &&
           job.restarts == entry.resize.restarts + 1;
}

// In Slurm's whole minutes.
Seconds rounded(Seconds limit) {
    return std::max(Seconds(std::ceil(limit / minute) * minute.count()), slurm::least_limit);
}

Seconds limit_on(const ResizeEntry& entry, std::uint32_t gpus) {
    const LimitRule& rule = entry.resize.limit;
    const Seconds limit = rounded(entry.own_limit * elastic::limit_stretch(gpus, rule.stated_for));
    const Seconds most(std::floor(rule.longest / minute) * minute.count());
    const bool is_bounded = rule.longest > Seconds(0) && limit > most;
    return is_bounded ? std::max(most, slurm::least_limit) : limit;
}

// A limit that the program beside the job has set. Its clock began a moment before Slurm's or after
// it.
bool is_rest(const ResizeEntry& entry, Seconds limit) {
    return is_in_gpu_time(entry) && entry.rest_of_limit > Seconds(0) &&
           limit <= entry.rest_of_limit + minute && limit + minute >= entry.rest_of_limit;
}

}  // namespace

void note_limit(ResizeEntry& entry, const slurm::Job& job) {
    entry.limit = job.time_limit.value_or(Seconds(0));
    entry.own_limit = job.time_limit
                          ? own_limit(job, entry.resize.from, entry.resize.limit.stated_for)
                          : Seconds(0);
}

// By Slurm's clock alone.
void take_off_run(ResizeEntry& entry, const slurm::Job& job) {
    const LimitRule& rule = entry.resize.limit;
    if (!rule.is_lowered || entry.limit <= Seconds(0) || !is_known(entry, job)) {
        entry.own_limit = entry.rest_of_limit = Seconds(0);
        return;
    }
    // Slurm notes the requeue as the submission, but only when the last run is cleaned up.
    const std::int64_t ended = job.submitted != entry.submitted ? job.submitted : job.updated;
    const Seconds ran(static_cast<double>(ended - entry.began));
    entry.rest_of_limit = slurm::rest_of_limit(entry.limit, ran).value_or(Seconds(0));
    entry.own_limit =
        std::max(entry.own_limit - std::max(ran, Seconds(0)) /
                                       elastic::limit_stretch(entry.resize.from, rule.stated_for),
                 Seconds(1));
}

void aim_limit(ResizeEntry& entry, const slurm::Job& job, std::uint32_t gpus) {
    const bool is_ours = entry.next_limit > Seconds(0) && job.time_limit == entry.next_limit;
    if (is_ours) {
        entry.limit = entry.next_limit;
    }
    if (is_in_gpu_time(entry)) {
        entry.next_limit = entry.own_limit > Seconds(0) ? limit_on(entry, gpus) : Seconds(0);
        // The program beside the job, where it lives on after the requeue, lowers a limit that is
        // as it was to what is left by the clock: so one that is to stay becomes a minute shorter.
        if (!is_ours && entry.rest_of_limit > Seconds(0) && entry.next_limit == entry.limit) {
            entry.next_limit = entry.next_limit - minute;
        }
    } else if (entry.rest_of_limit > Seconds(0)) {  // an earlier horad did not write it
        entry.next_limit = entry.rest_of_limit;
    }
}

bool is_limit_due(const ResizeEntry& entry, const slurm::Job& job) {
    const std::uint32_t start = entry.resize.restarts + (entry.was_pending ? 0 : 1);
    return entry.next_limit > Seconds(0) && job.restarts == start && job.time_limit &&
           job.time_limit != entry.next_limit &&
           (job.time_limit == entry.limit || is_rest(entry, *job.time_limit));
}

void put_limit(slurm::JobChange& change, const ResizeEntry& entry, const slurm::Job& job,
               Seconds limit) {
    change.time_limit = limit;
    if (is_in_gpu_time(entry)) {
        change.admin_comment = with_granted(change.admin_comment.value_or(job.admin_comment),
                                            {.limit = limit, .own = entry.own_limit});
    }
}

}  // namespace hora::horad
