// Which running job waits for a while, so that a much shorter one need not?
#include "libplanner/elastic/suspension.hpp"

#include <algorithm>
#include <string>

#include "libplanner/elastic/worth/deadline.hpp"
#include "libplanner/elastic/worth/sizes.hpp"

namespace hora::elastic {
namespace {

using domain::ElasticJob;

class Suspending {
  public:
    Suspending(const Pool& pool, const Question& question, const Allocation& answer,
               const Verdict& verdict)
        : pool_(pool),
          question_(question),
          answer_(answer),
          free_(question.free),
          changed_(jobs_of({&verdict.now, &verdict.later})) {}

    std::optional<Change> best() const {
        const std::optional<std::size_t> next = next_to_start();
        if (!next || pool_.is_suspending) {
            return std::nullopt;
        }
        const ElasticJob& shorter = question_.state.jobs[*next];
        const ElasticJob* best = nullptr;
        for (std::size_t i = 0; i < question_.seen.size(); ++i) {
            const ElasticJob& job = question_.state.jobs[i];
            if (may_wait_for(i, shorter) && (best == nullptr || is_better(job, *best))) {
                best = &job;
            }
        }
        return best == nullptr ? std::nullopt : std::optional(change_of(*best, shorter));
    }

  private:
    Seconds now() const { return question_.state.now; }
    Seconds run_time(const ElasticJob& job) const {
        return remaining_time(job, lowest_size(job)) + question_.state.rescale_of(job);
    }

    // The one that has waited the longest for its length, if that is as long as it will run. One
    // that was suspended itself waits for its turn, and once that has come no other job is
    // preferred.
    std::optional<std::size_t> next_to_start() const {
        std::optional<std::size_t> next;
        double most = 1;
        for (std::size_t i = 0; i < question_.seen.size() && i < answer_.gpus.size(); ++i) {
            const ElasticJob& job = question_.state.jobs[i];
            if (job.gpus > 0 || answer_.gpus[i] > 0 || lowest_size(job) == 0) {
                continue;
            }
            const double waited = (now() - job.submitted) / run_time(job);
            if (waited > most) {
                most = waited;
                next = i;
            }
        }
        const bool has_started = next && question_.state.jobs[*next].started.has_value();
        return has_started ? std::nullopt : next;
    }

    bool may_wait_for(std::size_t i, const ElasticJob& shorter) const {
        const SeenJob& seen = pool_.jobs[question_.seen[i]];
        const ElasticJob& job = question_.state.jobs[i];
        const domain::PolicyConstants& constants = question_.state.constants;
        const std::uint32_t wanted = lowest_size(shorter);
        return seen.may_be_suspended && job.gpus > 0 && !changed_.contains(seen.id) &&
               now() - job.resized >= constants.least_run &&
               remaining_time(job, job.gpus) >= run_time(shorter) * constants.least_shorter &&
               job.gpus + pool_.idle >= wanted && can_be_given(wanted, seen) &&
               !is_taken_by_another(job.gpus + pool_.idle) &&
               !endangers(job, job.gpus, question_.state.rescale_of(job));
    }

    bool can_be_given(std::uint32_t gpus, const SeenJob& by) const {
        return !free_.is_known() || free_.fewest(gpus, by.nodes) > 0;
    }

    bool is_taken_by_another(std::uint32_t gpus) const {
        return std::any_of(pool_.others.begin(), pool_.others.end(),
                           [&](const OtherJob& other) { return other.gpus <= gpus; });
    }

    // The fewer GPUs, then the more that is left to do.
    bool is_better(const ElasticJob& one, const ElasticJob& other) const {
        return one.gpus != other.gpus
                   ? one.gpus < other.gpus
                   : remaining_time(one, one.gpus) > remaining_time(other, other.gpus);
    }

    static Change change_of(const ElasticJob& job, const ElasticJob& shorter) {
        return {.id = job.id,
                .from = job.gpus,
                .to = 0,
                .why = "for job " + std::to_string(shorter.id) + ", which is shorter",
                .fallback = job.gpus};
    }

    const Pool& pool_;
    const Question& question_;
    const Allocation& answer_;
    const FreeNodes& free_;
    std::unordered_set<std::uint64_t> changed_;
};

}  // namespace

std::optional<Change> suspension(const Pool& pool, const Question& question,
                                 const Allocation& answer, const Verdict& verdict) {
    const bool may_any = std::any_of(pool.jobs.begin(), pool.jobs.end(), [](const SeenJob& job) {
        return job.may_be_suspended && job.gpus > 0;
    });
    return may_any ? Suspending(pool, question, answer, verdict).best() : std::nullopt;
}

}  // namespace hora::elastic
