// What of a policy's answer is done now, and to which jobs?
#include "libplanner/elastic/judge.hpp"

#include <algorithm>
#include <utility>

#include "libplanner/elastic/worth/deadline.hpp"
#include "libplanner/elastic/worth/sizes.hpp"
#include "libplanner/elastic/worth/worth.hpp"

namespace hora::elastic {
namespace {

using domain::ElasticJob;

// Goes through the jobs of a question with the size that each is to have.
class Judging {
  public:
    Judging(const Pool& pool, const Question& question, const domain::ElasticState& state,
            const Allocation& answer)
        : pool_(pool),
          question_(question),
          state_(state),
          answer_(answer),
          free_(question.free),
          waiting_(pool) {}

    Verdict judge() {
        std::uint32_t promised = state_.waiting;
        for_each([&](const Asker& asker, std::uint32_t to) {
            promised += asker.seen.gpus == 0 ? to : 0;
            fit_waiting(asker, to);
        });
        grow(pool_.idle - std::min(pool_.idle, promised));
        shrink(promised > pool_.idle);
        leave_slower_sizes();
        return std::move(verdict_);
    }

  private:
    struct Asker {
        const SeenJob& seen;
        const ElasticJob& job;
    };

    // Sums of the speed-ups of jobs.
    struct Speeds {
        double before = 0;
        double after = 0;

        void add(const ElasticJob& job, std::uint32_t to,
                 const domain::PolicyConstants& constants) {
            before += speed_up(job, job.gpus, constants);
            after += speed_up(job, to, constants);
        }
    };

    bool saves_enough(const ElasticJob& job, std::uint32_t to) const {
        const Seconds saved = (epoch_time(job, job.gpus) - epoch_time(job, to)) * job.epochs_left;
        return saved > state_.least_saving_of(job);
    }

    template <class Visit>
    void for_each(Visit visit) {
        for (std::size_t i = 0; i < question_.seen.size() && i < answer_.gpus.size(); ++i) {
            visit(Asker{.seen = pool_.jobs[question_.seen[i]], .job = state_.jobs[i]},
                  answer_.gpus[i]);
        }
    }

    // One that can have all that it asks for is started by Slurm.
    void fit_waiting(const Asker& asker, std::uint32_t to) {
        const SeenJob& seen = asker.seen;
        if (seen.gpus > 0 || to == 0) {
            return;
        }
        if (seen.asks <= pool_.idle) {
            fit_to_nodes(asker, to);
        } else if (to < seen.asks) {
            ask_for(asker, to > pool_.idle ? to : size_on_nodes(asker, to),
                    "started smaller to start now");
        }
    }

    // It waits although as many GPUs idle as it asks for.
    void fit_to_nodes(const Asker& asker, std::uint32_t to) {
        const SeenJob& seen = asker.seen;
        if (!can_be_placed(seen, seen.asks)) {
            ask_for(asker, size_on_nodes(asker, std::min(to, seen.asks)),
                    "started smaller to start now");
            return;
        }
        if (!free_.is_known() || !seen.asks_as_resized || has_raised_) {
            return;
        }
        // Fewer GPUs have a longer time limit, with which it may fit before no reservation. One job
        // at a time, for each would be shown the same GPUs.
        const std::uint32_t more = size_on_nodes(asker, std::min(seen.requested, pool_.idle));
        if (more > seen.asks) {
            has_raised_ = true;
            ask_for(asker, more, "more GPUs are idle");
        }
    }

    void ask_for(const Asker& asker, std::uint32_t to, std::string why) {
        if (to > 0 && to != asker.seen.asks) {
            verdict_.now.push_back({asker.seen.id, asker.seen.asks, to, true, std::move(why)});
        }
    }

    // As many on each of some nodes, its own counted as idle. Unknown nodes can give anything.
    bool can_be_placed(const SeenJob& seen, std::uint32_t gpus) const {
        return !free_.is_known() || free_.fewest(gpus, seen.nodes) > 0;
    }

    // The largest of its sizes up to `most` that nodes can give it now; 0: none.
    std::uint32_t size_on_nodes(const Asker& asker, std::uint32_t most) const {
        std::uint32_t size = largest_size(asker.job, most);
        while (size > 0 && !can_be_placed(asker.seen, size)) {
            size = largest_size(asker.job, size - 1);
        }
        return size;
    }

    // A policy knows no nodes: 5 GPUs may be nowhere, the same number on each, where 4 are.
    template <class IsGood>
    static std::vector<std::uint32_t> smaller(const SeenJob& seen, std::uint32_t least,
                                              std::uint32_t to, IsGood is_good) {
        constexpr std::size_t most = 16;
        std::vector<std::uint32_t> sizes;
        for (std::uint32_t size = to - 1; size >= least && size > 0 && sizes.size() < most;
             --size) {
            const bool is_allowed = seen.sizes.empty() ||
                                    std::binary_search(seen.sizes.begin(), seen.sizes.end(), size);
            if (is_allowed && is_good(size)) {
                sizes.push_back(size);
            }
        }
        return sizes;
    }

    void push(std::vector<Change>& when, const Asker& asker, std::uint32_t to, std::string why,
              std::vector<std::uint32_t> instead) const {
        const std::uint32_t fallback = least_fallback(asker.job, to, state_.rescale_of(asker.job));
        std::erase_if(instead, [&](std::uint32_t size) { return size < fallback; });
        when.push_back({.id = asker.seen.id,
                        .from = asker.seen.gpus,
                        .to = to,
                        .waits = false,
                        .why = std::move(why),
                        .instead = std::move(instead),
                        .fallback = fallback});
    }

    // `idle`: GPUs that are idle and that no job waits for.
    void grow(std::uint32_t idle) {
        std::uint32_t settled = std::min(idle, pool_.settled);
        for_each([&](const Asker& asker, std::uint32_t to) {
            const SeenJob& seen = asker.seen;
            const Seconds rescale = state_.rescale_of(asker.job);
            // One that its time limit would end does not ask what is saved.
            const std::uint32_t late = late_size(asker.job, state_.now, rescale);
            const bool is_late = late > seen.gpus && to >= late;
            const auto is_worth_it = [&](std::uint32_t size) {
                return is_late
                           ? size >= late
                           : !endangers(asker.job, size, rescale) && saves_enough(asker.job, size);
            };
            if (seen.gpus == 0 || to <= seen.gpus || !is_worth_it(to) ||
                (!is_late && waiting_.would_take_from(seen.gpus))) {
                return;
            }
            if (to - seen.gpus <= idle && !can_be_placed(seen, to)) {
                to = size_on_nodes(asker, to);
                if (to <= seen.gpus || !is_worth_it(to)) {
                    return;
                }
            }
            const std::uint32_t more = to - seen.gpus;
            const bool is_now = more <= (is_late ? idle : settled);
            std::string why =
                is_late ? "it would not end within its time limit on fewer" : "idle GPUs";
            if (more > idle) {
                why += ", once GPUs are free";
                lacking_.add(asker.job, to, state_.constants);
                is_late_lacking_ = is_late_lacking_ || is_late;
            } else {
                why += is_now ? "" : ", once they have been idle for elastic.cooldown";
                idle -= more;
                settled -= std::min(settled, more);
            }
            push(is_now ? verdict_.now : verdict_.later, asker, to, std::move(why),
                 smaller(seen, seen.gpus + 1, to, is_worth_it));
        });
    }

    // What elastic jobs gain. Of their own requests they give up no more than that.
    std::uint32_t gained() {
        std::uint32_t sum = 0;
        for_each([&](const Asker& asker, std::uint32_t to) {
            sum += to - std::min(to, asker.seen.gpus);
        });
        return sum;
    }

    // What others give back for no pending job goes to those that lack GPUs. They all restart for
    // it, and the next arrival or end may undo it.
    bool is_move_worth_it() {
        Speeds moved = lacking_;
        for_each([&](const Asker& asker, std::uint32_t to) {
            if (to > 0 && to < asker.seen.gpus) {
                moved.add(asker.job, to, state_.constants);
            }
        });
        return is_late_lacking_ || moved.after >= state_.constants.least_move_gain * moved.before;
    }

    void shrink(bool is_room_made) {
        if (!is_room_made && (lacking_.before == 0 || !is_move_worth_it())) {
            return;
        }
        std::uint32_t shared = gained();
        for_each([&](const Asker& asker, std::uint32_t to) {
            if (to == 0 || to >= asker.seen.gpus) {
                return;
            }
            const std::uint32_t own = kept_from_others(asker.job);
            const std::uint32_t kept = own - std::min(own, shared);
            to = nearest_on_nodes(asker, kept, std::max(to, least_size(asker.job, kept)));
            shared -= std::min(shared, own - std::min(own, to));
            if (to < asker.seen.gpus) {
                push(verdict_.now, asker, to,
                     is_room_made ? "shrunk for a pending job"
                                  : "GPUs moved to another job (larger speed-up)",
                     smaller(asker.seen, least_size(asker.job, kept), to,
                             [](std::uint32_t) { return true; }));
            }
        });
    }

    // Of its sizes from `gpus` on.
    static std::uint32_t least_size(const ElasticJob& job, std::uint32_t gpus) {
        return next_size(job, std::max(gpus, job.min) - 1);
    }

    // Its nodes may be unable to give it `to`, 53 of 56 GPUs on 14 nodes: then the next smaller
    // size that they can, else the next larger one. What it holds where there is none.
    std::uint32_t nearest_on_nodes(const Asker& asker, std::uint32_t kept, std::uint32_t to) const {
        if (can_be_placed(asker.seen, to)) {
            return to;
        }
        // Its minimum may be a time limit's, which sizes below may keep as well.
        ElasticJob job = asker.job;
        job.min = std::max({kept, own_min(asker.seen), 1U});
        const auto is_possible = [&](std::uint32_t size) {
            return can_be_placed(asker.seen, size) &&
                   !endangers(asker.job, size, state_.rescale_of(asker.job));
        };
        for (std::uint32_t size = largest_size(job, to - 1); size > 0;
             size = largest_size(job, size - 1)) {
            if (is_possible(size)) {
                return size;
            }
        }
        for (std::uint32_t size = next_size(job, to); size > 0 && size < asker.seen.gpus;
             size = next_size(job, size)) {
            if (is_possible(size)) {
                return size;
            }
        }
        return asker.seen.gpus;
    }

    // Where it grew on a prediction that its measurements did not bear out.
    void leave_slower_sizes() {
        const auto changed = jobs_of({&verdict_.now});
        for_each([&](const Asker& asker, std::uint32_t to) {
            const SeenJob& seen = asker.seen;
            const Seconds rescale = state_.rescale_of(asker.job);
            if (to >= seen.gpus || changed.contains(seen.id)) {
                return;
            }
            to = size_on_nodes(asker, to);
            if (to > 0 && saves_enough(asker.job, to) && !endangers(asker.job, to, rescale) &&
                !waiting_.would_take_from(seen.gpus)) {
                push(verdict_.now, asker, to, "faster on fewer GPUs", {});
            }
        });
    }

    const Pool& pool_;
    const Question& question_;
    const domain::ElasticState& state_;  // of the question's jobs
    const Allocation& answer_;
    const FreeNodes& free_;
    WaitingForMore waiting_;
    Verdict verdict_;
    bool has_raised_ = false;  // what a waiting job asks for
    Speeds lacking_;           // of those that could grow if others shrank
    bool is_late_lacking_ = false;
};

}  // namespace

std::unordered_set<std::uint64_t> jobs_of(
    std::initializer_list<const std::vector<Change>*> changes) {
    std::unordered_set<std::uint64_t> jobs;
    for (const auto* const list : changes) {
        for (const Change& change : *list) {
            jobs.insert(change.id);
        }
    }
    return jobs;
}

Verdict judge(const Pool& pool, const Question& question, const Allocation& answer) {
    return judge(pool, question, question.state, answer);
}

Verdict judge(const Pool& pool, const Question& question, const domain::ElasticState& state,
              const Allocation& answer) {
    return Judging(pool, question, state, answer).judge();
}

}  // namespace hora::elastic
