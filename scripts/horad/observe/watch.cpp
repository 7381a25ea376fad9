// What has changed on the cluster since the daemon last looked?
#include "scripts/horad/observe/watch.hpp"

#include <algorithm>
#include <utility>

namespace hora::horad {

// A picture of ten thousand nodes takes long to make: the daemon spends a tenth of its time on it
// at most.
constexpr int share_of_time = 10;
constexpr std::chrono::seconds least_pause{1};

// slurmctld holds its lock on all jobs while it packs them, and one job that has changed brings the
// whole list. With a pause of 19 loads horad takes a twentieth (1 / (1 + 19)) of its time, and a
// quarter while a job is waited for, which may be minutes where a program writes no checkpoint.
// Requeues and the age of the snapshot wait no longer than longest_pause for that.
constexpr int loads_to_pause = 19;
constexpr int loads_to_pause_for_job = 3;
constexpr std::chrono::seconds longest_pause{30};

constexpr int pause_of(Haste haste) {
    switch (haste) {
        case Haste::none:
            return loads_to_pause;
        case Haste::waits_for_job:
            return loads_to_pause_for_job;
        case Haste::picture_is_old:
            break;
    }
    return 0;
}

// Once a resize has ended, no decision is made by the jobs as they were.
Haste Pace::of_round(bool is_busy, std::uint64_t ended, bool has_requests) {
    const bool is_idle_again = std::exchange(was_busy_, is_busy) && !is_busy;
    const bool has_ended = std::exchange(ended_, ended) != ended;
    if (is_idle_again || has_ended) {
        return Haste::picture_is_old;
    }
    return is_busy || has_requests ? Haste::waits_for_job : Haste::none;
}

Watch::Watch(slurm::SiteFacts site, Plans& plans, std::function<Clock::time_point()> clock)
    : plans_(plans), clock_(std::move(clock)), collector_(std::move(site)) {}

Expected<News> Watch::look(std::int64_t now, bool closes_nodes, Haste haste) {
    const auto pause = std::min<Clock::duration>(jobs_took_ * pause_of(haste), longest_pause);
    const bool is_due = clock_() >= jobs_loaded_ + pause;
    // A cluster that is younger than the jobs has GPUs idle that the jobs seem to hold.
    if (!is_due && !has_failed_) {
        observation_.now = now;
        return News();
    }
    auto looked = is_due ? look_at_jobs(closes_nodes || observation_.has_restart_reservation)
                         : Expected<void>();
    looked = looked ? look_at_cluster(now) : looked;
    has_failed_ = !looked;
    if (!looked) {
        return unexpected(looked.error());
    }
    observation_.now = now;
    return std::exchange(news_, {});
}

Expected<void> Watch::look_at_jobs(bool closes_nodes) {
    const Clock::time_point begin = clock_();
    auto list = slurm::load_jobs(jobs_updated_);
    const Clock::time_point end = clock_();
    jobs_loaded_ = end;
    jobs_took_ = list ? end - begin : Clock::duration(0);
    if (!list) {
        return unexpected(list.error());
    }
    if (!*list) {
        return {};
    }
    observation_.has_older_cluster = true;
    std::vector<ObservedJob> jobs;
    jobs.reserve((*list)->jobs.size());
    for (slurm::Job& listed : (*list)->jobs) {
        ObservedJob job;
        job.memory = plans_.memory_of(listed.admin_comment);
        static_cast<slurm::Job&>(job) = std::move(listed);
        jobs.push_back(std::move(job));
    }
    if (closes_nodes) {
        keep_waiting_for_gpus(observation_, jobs);
    }
    observation_.jobs = std::move(jobs);
    jobs_updated_ = (*list)->updated;
    plans_.keep_only(observation_.jobs);
    news_.of_jobs = true;
    return {};
}

Expected<void> Watch::look_at_cluster(std::int64_t now) {
    const Clock::time_point begin = clock_();
    if (observation_.cluster && begin < next_cluster_) {
        return {};
    }
    const auto is_new = collector_.refresh(begin);
    if (!is_new) {
        return unexpected(is_new.error());
    }
    // Answers that do not fit together yet are no news for the collector a second time.
    is_to_be_collected_ = is_to_be_collected_ || *is_new;
    if (is_to_be_collected_) {
        auto collected = collector_.collected(now);
        if (!collected) {
            return unexpected(collected.error());
        }
        observation_.cluster =
            std::make_shared<const domain::Snapshot>(std::move(collected->snapshot));
        observation_.refused_starts = std::move(collected->refused_starts);
        observation_.has_restart_reservation = collected->has_restart_reservation;
        remarks_ = std::move(collected->remarks);
        is_to_be_collected_ = false;
        news_.of_cluster = true;
    }
    observation_.has_older_cluster = false;
    const Clock::time_point end = clock_();
    next_cluster_ = end + std::max<Clock::duration>(least_pause, (end - begin) * share_of_time);
    return {};
}

}  // namespace hora::horad
