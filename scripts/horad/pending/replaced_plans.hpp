// What did jobs ask for before they were planned anew, however the daemon died since?
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/decision.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"

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

// One small file, replaced whole. A call that fails changes nothing.
class ReplacedPlans {
  public:
    explicit ReplacedPlans(std::string path) : path_(std::move(path)) {}

    // What an earlier daemon left. Fails on a file that is not of this version, and is empty then.
    Expected<void> load();
    // On disk when it returns. It takes the place of what was kept for this plan of the job, and
    // for later ones; of each job the newest few stay.
    Expected<void> keep(const ReplacedPlan& plan);
    Expected<void> forget(const std::function<bool(const ReplacedPlan&)>& is_over);

    const std::vector<ReplacedPlan>& all() const { return plans_; }
    // What the job with this decision asked for before; empty where that is not known.
    std::optional<ReplacedPlan> before(std::uint32_t job, std::uint32_t uid,
                                       const domain::Decision& decision) const;

  private:
    using Plans = std::vector<ReplacedPlan>;

    Expected<void> write(Plans plans);

    std::string path_;
    Plans plans_;  // as they stand in the file
};

}  // namespace hora::horad
