// What does the time limit of an elastic job mean, and what does a restart leave it of that?
#include "scripts/horad/elastic/limit_rule.hpp"

#include <algorithm>

#include "libplanner/elastic/worth/gpu_time.hpp"
#include "scripts/horad/journal/granted_limit.hpp"
#include "scripts/horad/observe/job_request.hpp"
#include "scripts/horad/observe/reserved.hpp"

namespace hora::horad {
namespace {

// A restarted job runs again by then.
constexpr Seconds longest_restart(600);

Seconds seconds(std::int64_t time) {
    return Seconds(static_cast<double>(time));
}

// Is it that of all its starts together?
bool has_one_limit(const ObservedJob& job) {
    return !job.memory->options.requeues;
}

// What Slurm was asked for, with this limit.
std::uint32_t limit_gpus(const ObservedJob& job) {
    const domain::Decision& decision = job.memory->decision;
    return decision.has_applied_plan() ? decision.gpus : job.gpus;
}

// As the partition, the QOS and the association have it, and so that it ends before a reservation
// begins: Slurm would not start it before that is over. 0: any.
Seconds longest_limit(const ObservedJob& job, const Observation& seen) {
    Seconds longest = limits_of(job, *seen.cluster).max_time.value_or(Seconds(0));
    if (const auto begins = next_reservation(job, *seen.cluster, seen.now)) {
        const Seconds until = std::max(*begins - longest_restart, Seconds(1));
        longest = longest > Seconds(0) ? std::min(longest, until) : until;
    }
    return longest;
}

}  // namespace

std::uint32_t own_gpus(const ObservedJob& job) {
    const domain::Decision& decision = job.memory->decision;
    const std::uint32_t if_idle = decision.has_applied_plan() ? decision.gpus_if_idle : 0;
    const auto& range = job.memory->options.gpus;
    return std::max(limit_gpus(job), range ? std::min(if_idle, range->max) : if_idle);
}

LimitRule limit_rule_of(const ObservedJob& job, const Observation& seen,
                        const read::Settings& settings) {
    LimitRule rule{.is_lowered = has_one_limit(job)};
    if (rule.is_lowered &&
        settings.get<domain::LimitKind>("elastic.limits") == domain::LimitKind::gpu_time) {
        rule.stated_for = limit_gpus(job);
        rule.longest = longest_limit(job, seen);
    }
    return rule;
}

// A restarted job has what was left of its limit. One that is requeued at it has it again and
// again, but not for ever.
void put_time_left(elastic::SeenJob& shown, const ObservedJob& job, const JobPast* past,
                   const Observation& seen, const read::Settings& settings) {
    if (!job.time_limit) {
        return;
    }
    const Seconds ran = job.ran_by(seen.now);
    const Seconds of_start = *job.time_limit - ran;
    const LimitRule rule = limit_rule_of(job, seen, settings);
    if (!rule.is_lowered) {
        const Seconds of_all = settings.get<Seconds>("requeue.max_time") -
                               seconds(past != nullptr ? seen.now - past->first_started : 0);
        shown.time_left = std::max(of_start, of_all);
        return;
    }
    shown.time_left = of_start;
    if (rule.stated_for > 0) {
        domain::GpuTime own{.left = own_limit(job, job.gpus, rule.stated_for) -
                                    ran / elastic::limit_stretch(job.gpus, rule.stated_for),
                            .gpus = rule.stated_for};
        if (rule.longest > Seconds(0)) {
            own.longest = rule.longest;
        }
        shown.gpu_time = own;
    }
}

}  // namespace hora::horad
