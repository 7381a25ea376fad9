// Which job gains the most speed-up by one more GPU, weighed by how little is left of it?
#include "libplanner/elastic/policies/hora_policy.hpp"

#include <algorithm>
#include <cmath>

#include "libplanner/elastic/worth/deadline.hpp"
#include "libplanner/elastic/worth/sizes.hpp"
#include "libplanner/elastic/worth/worth.hpp"

namespace hora::elastic {
namespace {

using domain::ElasticJob;
using domain::ElasticState;

// How long it takes from its submission on, over how long it runs: grows with the wait, and the
// faster the shorter the job.
double response_ratio(const ElasticJob& job, Seconds now) {
    const Seconds run = std::max(Seconds(1), remaining_time(job, lowest_size(job)));
    return 1 + (now - job.submitted) / run;
}

struct Offer {
    double per_gpu = 0;
    std::uint32_t size = 0;
    std::size_t job = 0;
};

bool is_worse(const Offer& a, const Offer& b) {
    return a.per_gpu != b.per_gpu ? a.per_gpu < b.per_gpu : a.job > b.job;
}

class Division {
  public:
    explicit Division(const ElasticState& state)
        : state_(state),
          is_late_(state.jobs.size()),
          steps_(state.jobs.size()),
          next_(state.jobs.size()) {
        std::uint64_t taken = state.waiting;
        for (const ElasticJob& job : state.jobs) {
            gpus_.push_back(floor_size(job));
            taken += gpus_.back();
        }
        idle_ = state.gpus > taken ? state.gpus - taken : 0;
    }

    // Jobs that their time limits would end get what they need before others grow or start, the
    // one with the least time first.
    void help_late() {
        std::vector<std::pair<Seconds, std::size_t>> late;
        for (std::size_t i = 0; i < state_.jobs.size(); ++i) {
            if (late_size(i) > gpus_[i]) {
                late.emplace_back(state_.jobs[i].deadline->left, i);
            }
        }
        std::sort(late.begin(), late.end());
        for (const auto& [left, i] : late) {
            const std::uint32_t size = late_size(i);
            if (size <= gpus_[i] + idle_) {
                give(i, size);
                is_late_[i] = true;
            }
        }
    }

    void start_waiting() {
        std::vector<std::pair<double, std::size_t>> queue;
        for (std::size_t i = 0; i < state_.jobs.size(); ++i) {
            const ElasticJob& job = state_.jobs[i];
            const std::uint32_t least = lowest_size(job);
            if (job.gpus == 0 && gpus_[i] == 0 && least > 0 && least <= state_.gpus) {
                queue.emplace_back(-response_ratio(job, state_.now), i);
            }
        }
        std::sort(queue.begin(), queue.end());
        for (const auto& [ratio, i] : queue) {
            const std::uint32_t size = lowest_size(state_.jobs[i]);
            if (size <= idle_) {
                give(i, size);
            } else if (-ratio > state_.constants.patience) {
                return;
            }
        }
    }

    void grow() {
        const double shortness = shortness_among(state_.jobs.size(), state_.constants);
        for (std::size_t i = 0; i < gpus_.size() && idle_ > 0; ++i) {
            if (state_.jobs[i].is_elastic && gpus_[i] > 0) {
                steps_[i] = worth(state_.jobs[i], shortness, state_.rescale_of(state_.jobs[i]),
                                  state_.now, state_.constants);
                leave_out_danger(i);
                offer(i);
            }
        }
        while (idle_ > 0 && !offers_.empty()) {
            std::pop_heap(offers_.begin(), offers_.end(), is_worse);
            const auto [per_gpu, size, i] = offers_.back();
            offers_.pop_back();
            if (size - gpus_[i] <= idle_) {
                give(i, size);
                offer(i);
            } else {
                grow_within(i);
            }
        }
    }

    // A change that its own job would not gain from, and that frees nothing anybody wants.
    void drop_idle_changes() {
        for (std::size_t i = 0; i < gpus_.size(); ++i) {
            const ElasticJob& job = state_.jobs[i];
            if (job.gpus > 0 && gpus_[i] != job.gpus && job.gpus <= gpus_[i] + idle_ &&
                !is_late_[i] && !pays(job, gpus_[i], state_.rescale_of(job))) {
                idle_ += gpus_[i];
                idle_ -= job.gpus;
                gpus_[i] = job.gpus;
            }
        }
    }

    Allocation take_result() {
        Allocation result{.gpus = std::move(gpus_)};
        for (std::size_t i = 0; i < result.gpus.size(); ++i) {
            result.objective += speed_up(state_.jobs[i], result.gpus[i], state_.constants);
        }
        return result;
    }

  private:
    void give(std::size_t i, std::uint32_t size) {
        idle_ -= size - gpus_[i];
        gpus_[i] = size;
    }

    std::uint32_t late_size(std::size_t i) const {
        const ElasticJob& job = state_.jobs[i];
        return elastic::late_size(job, state_.now, state_.rescale_of(job));
    }

    // A restart by which it might not end within its time limit any more.
    void leave_out_danger(std::size_t i) {
        const ElasticJob& job = state_.jobs[i];
        std::erase_if(steps_[i], [&](const WorthStep& step) {
            return step.gpus > job.gpus && endangers(job, step.gpus, state_.rescale_of(job));
        });
    }

    // The next step, of which what is beyond its own request is a step of less worth.
    void offer(std::size_t i) {
        const ElasticJob& job = state_.jobs[i];
        while (next_[i] < steps_[i].size() && steps_[i][next_[i]].gpus <= gpus_[i]) {
            ++next_[i];
        }
        if (next_[i] == steps_[i].size()) {
            return;
        }
        Offer offer{steps_[i][next_[i]].per_gpu, steps_[i][next_[i]].gpus, i};
        if (offer.size > job.requested) {
            const std::uint32_t own = largest_size(job, job.requested);
            if (own > gpus_[i]) {
                offer.size = own;
            } else {
                offer.per_gpu *= state_.constants.beyond_request;
            }
        }
        offers_.push_back(offer);
        std::push_heap(offers_.begin(), offers_.end(), is_worse);
    }

    // The whole step is too large: the best of the sizes before it.
    void grow_within(std::size_t i) {
        const ElasticJob& job = state_.jobs[i];
        const double now = speed_up(job, gpus_[i], state_.constants);
        std::uint32_t best = gpus_[i];
        double best_gain = 0;
        for (std::uint32_t size = next_size(job, gpus_[i]); size > 0 && size <= gpus_[i] + idle_;
             size = next_size(job, size)) {
            const double gain = (speed_up(job, size, state_.constants) - now) / (size - gpus_[i]);
            if (gain > best_gain) {
                best = size;
                best_gain = gain;
            }
        }
        if (job.gpus > gpus_[i] && job.gpus <= gpus_[i] + idle_) {
            best = job.gpus;
        }
        give(i, best);
    }

    const ElasticState& state_;
    std::vector<bool> is_late_;                  // by job: it grows to end within its time limit
    std::vector<std::vector<WorthStep>> steps_;  // by job; empty: it does not grow
    std::vector<std::size_t> next_;              // by job, into its steps
    std::vector<std::uint32_t> gpus_;
    std::uint64_t idle_ = 0;
    std::vector<Offer> offers_;  // heap
};

}  // namespace

Allocation HoraPolicy::decide(const ElasticState& state) const {
    Division division(state);
    division.help_late();
    division.start_waiting();
    division.grow();
    division.drop_idle_changes();
    return division.take_result();
}

}  // namespace hora::elastic
