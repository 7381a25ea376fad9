// Which running job is worth a restart with as many GPUs as it has: on fewer nodes, or with another
// batch?
#include "libplanner/elastic/same_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "libplanner/base/counted.hpp"
#include "libplanner/elastic/worth/deadline.hpp"

namespace hora::elastic {
namespace {

using domain::ElasticJob;

// By less measurements of one placement differ.
constexpr double least_speed_up = 1.05;

class SameSize {
  public:
    SameSize(const Pool& pool, const Question& question, const Verdict& verdict)
        : pool_(pool),
          question_(question),
          free_(question.free),
          waiting_(pool),
          changed_(jobs_of({&verdict.now, &verdict.later})) {}

    std::optional<Change> best() {
        std::optional<Change> best;
        Seconds most{};
        for (std::size_t i = 0; i < question_.seen.size(); ++i) {
            const SeenJob& seen = pool_.jobs[question_.seen[i]];
            const ElasticJob& job = question_.state.jobs[i];
            const bool is_settled = seen.nodes.size() < 2 && seen.batch == 0;
            if (seen.nodes.empty() || is_settled || seen.keeps_nodes ||
                changed_.contains(seen.id) || waiting_.would_take_from(seen.gpus)) {
                continue;
            }
            const Placed then = restarted(seen);
            const Seconds saved = saving(seen, job, then);
            const Seconds rescale = question_.state.rescale_of(job);
            if (saved > std::max(most, question_.state.least_saving_of(job)) &&
                !endangers(job, job.gpus, rescale)) {
                most = saved;
                best = change_of(seen, then);
            }
        }
        return best;
    }

  private:
    struct Placed {
        std::uint32_t nodes = 0;
        std::uint64_t batch = 0;

        friend bool operator==(const Placed&, const Placed&) = default;
    };

    static Placed placed(const SeenJob& seen) {
        return {static_cast<std::uint32_t>(seen.nodes.size()), seen.batch};
    }

    // What it would have after a restart now.
    Placed restarted(const SeenJob& seen) const {
        Placed then = placed(seen);
        if (const std::uint32_t nodes = free_.fewest(seen.gpus, seen.nodes); nodes > 0) {
            then.nodes = std::min(then.nodes, nodes);
        }
        then.batch = fastest_batch(*seen.curve, seen.gpus, then.nodes);
        return then;
    }

    static Change change_of(const SeenJob& seen, const Placed& then) {
        std::string why;
        if (then.nodes < seen.nodes.size()) {
            why =
                fmt::format("on {} in place of {}", counted(then.nodes, "node"), seen.nodes.size());
        }
        if (then.batch != seen.batch) {
            why += fmt::format("{}with a batch of {} in place of {}", why.empty() ? "" : ", ",
                               then.batch, seen.batch);
        }
        return {.id = seen.id,
                .from = seen.gpus,
                .to = seen.gpus,
                .why = std::move(why),
                .fallback = seen.gpus,
                .nodes = then.nodes};
    }

    Seconds saving(const SeenJob& seen, const ElasticJob& job, const Placed& then) const {
        const Placed now = placed(seen);
        const auto now_step = now.batch == 0
                                  ? step_on(*seen.curve, seen.gpus, now.nodes, pool_.gpus_per_node)
                                  : measured_step(*seen.curve, seen.gpus, now.nodes, now.batch);
        const auto then_step = step_on(*seen.curve, seen.gpus, then.nodes, pool_.gpus_per_node);
        return then != now && now_step && then_step && *now_step >= *then_step * least_speed_up
                   ? (*now_step - *then_step) * job.epochs_left
                   : Seconds(0);
    }

    const Pool& pool_;
    const Question& question_;
    const FreeNodes& free_;
    WaitingForMore waiting_;
    std::unordered_set<std::uint64_t> changed_;
};

}  // namespace

std::optional<Change> same_size(const Pool& pool, const Question& question,
                                const Verdict& verdict) {
    return pool.free.empty() ? std::nullopt : SameSize(pool, question, verdict).best();
}

}  // namespace hora::elastic
