// Which running job is worth a restart with the GPUs that it has, on fewer nodes?
#include "libplanner/elastic/packing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "libplanner/base/counted.hpp"
#include "libplanner/elastic/free_nodes.hpp"
#include "libplanner/elastic/worth/deadline.hpp"

namespace hora::elastic {
namespace {

using domain::ElasticJob;

// By less measurements of one placement differ.
constexpr double least_speed_up = 1.05;

class Packing {
  public:
    Packing(const Pool& pool, const Question& question, const Verdict& verdict)
        : pool_(pool),
          question_(question),
          free_(pool.free, pool.gpus_per_node),
          changed_(jobs_of({&verdict.now, &verdict.later})) {}

    std::optional<Change> best() {
        std::optional<Change> best;
        Seconds most{};
        for (std::size_t i = 0; i < question_.seen.size(); ++i) {
            const SeenJob& seen = pool_.jobs[question_.seen[i]];
            const ElasticJob& job = question_.state.jobs[i];
            if (seen.nodes.size() < 2 || seen.keeps_nodes || changed_.contains(seen.id)) {
                continue;
            }
            const std::uint32_t nodes = free_.fewest(seen.gpus, seen.nodes);
            const Seconds saved =
                nodes > 0 && nodes < seen.nodes.size() ? saving(seen, job, nodes) : Seconds(0);
            const Seconds rescale = question_.state.rescale_of(job);
            if (saved > std::max(most, question_.state.constants.least_gain * rescale) &&
                !endangers(job, job.gpus, rescale)) {
                most = saved;
                best = change_of(seen, nodes);
            }
        }
        return best;
    }

  private:
    static Change change_of(const SeenJob& seen, std::uint32_t nodes) {
        return {
            .id = seen.id,
            .from = seen.gpus,
            .to = seen.gpus,
            .why = fmt::format("on {} in place of {}", counted(nodes, "node"), seen.nodes.size()),
            .fallback = seen.gpus,
            .nodes = nodes};
    }

    Seconds saving(const SeenJob& seen, const ElasticJob& job, std::uint32_t nodes) const {
        const auto step = [&](std::size_t of) {
            return step_on(*seen.curve, seen.gpus, static_cast<std::uint32_t>(of),
                           pool_.gpus_per_node);
        };
        const auto now = step(seen.nodes.size());
        const auto then = step(nodes);
        return now && then && *now >= *then * least_speed_up ? (*now - *then) * job.epochs_left
                                                             : Seconds(0);
    }

    const Pool& pool_;
    const Question& question_;
    FreeNodes free_;
    std::unordered_set<std::uint64_t> changed_;
};

}  // namespace

std::optional<Change> packing(const Pool& pool, const Question& question, const Verdict& verdict) {
    return pool.free.empty() ? std::nullopt : Packing(pool, question, verdict).best();
}

}  // namespace hora::elastic
