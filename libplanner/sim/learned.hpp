// What does a policy know that starts from a prior and sees only what was measured?
#pragma once

#include <memory>
#include <vector>

#include "libplanner/elastic/speed/speed_model.hpp"
#include "libplanner/sim/knowledge.hpp"
#include "libplanner/sim/workload/random.hpp"

namespace hora::sim {

// The prior is of the kind that the cost model gives: the time on one GPU, off by a factor that is
// drawn for each application, and what a ring takes for the application's gradients, or, where
// their size is not known, for few.
class Learned : public Knowledge {
  public:
    Learned(const domain::JobTrace& trace, const PriorSource& source);

    std::shared_ptr<const elastic::SpeedCurve> curve(std::uint32_t job) const override;
    bool observe(std::uint32_t job, std::uint32_t gpus, std::uint32_t nodes,
                 Seconds epoch) override;

  private:
    struct Application {
        std::vector<Seconds> compute;
        std::vector<Seconds> exchange;
        std::vector<Seconds> between;  // the exchange where it crosses nodes
        std::vector<Seconds> hidden;   // of the exchange behind the computation: nothing, as in P5
        elastic::SlowDown slow_down;   // that is expected of `between`
        std::vector<elastic::SpeedPoint> points;
        std::shared_ptr<const elastic::SpeedCurve> curve;
    };

    std::size_t application_of(std::uint32_t job) const;
    Application prior_of(const domain::TrueSpeed& speed, double error) const;
    void fit(Application& application) const;
    void share_slow_downs();

    const domain::JobTrace& trace_;
    PriorSource source_;
    Random noise_;
    std::vector<Application> applications_;  // by JobTrace::speeds; by job where none shares
};

}  // namespace hora::sim
