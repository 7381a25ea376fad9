// What has changed on the cluster since the daemon last looked?
#include "scripts/horad/observe/watch.hpp"

#include <algorithm>
#include <utility>

namespace hora::horad {

// A picture of ten thousand nodes takes long to make: the daemon spends a tenth of its time on it
// at most.
constexpr int share_of_time = 10;
constexpr std::chrono::seconds least_pause{1};

Watch::Watch(slurm::SiteFacts site, Plans& plans) : plans_(plans), collector_(std::move(site)) {}

Expected<News> Watch::look(std::int64_t now, bool closes_nodes) {
    auto looked = look_at_jobs(closes_nodes || observation_.has_restart_reservation);
    looked = looked ? look_at_cluster(now) : looked;
    if (!looked) {
        return unexpected(looked.error());
    }
    observation_.now = now;
    return std::exchange(news_, {});
}

Expected<void> Watch::look_at_jobs(bool closes_nodes) {
    auto list = slurm::load_jobs(jobs_updated_);
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
    const Clock::time_point begin = Clock::now();
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
    const Clock::time_point end = Clock::now();
    next_cluster_ = end + std::max<Clock::duration>(least_pause, (end - begin) * share_of_time);
    return {};
}

}  // namespace hora::horad
