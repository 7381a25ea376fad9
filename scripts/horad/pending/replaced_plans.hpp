// What did jobs ask for before they were planned anew, however the daemon died since?
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/decision.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"
#include "scripts/horad/journal/journal_list.hpp"

namespace hora::horad {

// A request that gave way to another.
struct ReplacedPlan {
    std::uint32_t job = 0;
    std::uint32_t uid = 0;       // with the next one it tells apart jobs of the same id
    std::int64_t submitted = 0;  // as the job's decision says
    std::uint32_t times = 0;  // the plan that took its place was the first that was made anew, …
    slurm::JobShape shape;
    std::string features;
    std::string prefer;
    std::string admin_comment;
    std::uint32_t priority = 0;

    friend bool operator==(const ReplacedPlan&, const ReplacedPlan&) = default;
};

// A call that fails changes nothing.
class ReplacedPlans {
  public:
    // `journal` outlives it.
    explicit ReplacedPlans(JournalFile& journal);

    // JournalList says what fails.
    Expected<void> load() { return plans_.load(); }
    // On disk when it returns. It takes the place of what was kept for this plan of the job, and
    // for later ones; of each job the newest few stay.
    Expected<void> keep(const ReplacedPlan& plan);
    Expected<void> forget(const std::function<bool(const ReplacedPlan&)>& is_over);

    const JournalList<ReplacedPlan>::Items& all() const { return plans_.all(); }
    // What the job with this decision asked for before; empty where that is not known.
    std::optional<ReplacedPlan> before(std::uint32_t job, std::uint32_t uid,
                                       const domain::Decision& decision) const;

  private:
    JournalList<ReplacedPlan> plans_;  // of each job, the newest has the highest number
};

}  // namespace hora::horad
