// What does a policy know that starts from a prior and sees only what was measured?
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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

    std::shared_ptr<const elastic::SpeedCurve> curve(std::uint32_t job) override;
    bool observe(std::uint32_t job, std::uint32_t gpus, std::uint32_t nodes, std::uint64_t batch,
                 Seconds epoch) override;

  private:
    struct Application {
        std::vector<Seconds> compute;
        std::vector<Seconds> exchange;
        std::vector<Seconds> between;  // the exchange where it crosses nodes
        std::vector<Seconds> hidden;   // of the exchange behind the computation: nothing, as in P5
        elastic::SlowDown slow_down;   // that is expected of `between`
        std::uint64_t shared = 0;      // times that others had shown one when it was looked at
        std::vector<elastic::SpeedPoint> points;
        // Where the batch may change: as far as a program has reported its noise scale, and what it
        // will report.
        std::optional<elastic::BatchRange> batches;
        double noise_scale = 0;
        std::shared_ptr<const elastic::SpeedCurve> curve;
    };

    std::size_t application_of(std::uint32_t job) const;
    std::size_t place_of(const domain::TraceJob& job) const;
    Application prior_of(const domain::TrueSpeed& speed, std::size_t sizes, double error) const;
    Application prior_of(const std::vector<domain::BatchSpeed>& range, double error,
                         double noise_error) const;
    void fit(Application& application) const;
    void show(std::size_t place, const std::optional<elastic::SlowDown>& before);
    void expect_anew(std::size_t place);

    const domain::JobTrace& trace_;
    PriorSource source_;
    Random noise_;
    elastic::SlowDowns slow_downs_;  // by all applications, where they share
    std::uint64_t shared_ = 0;       // times that one of them has shown another
    // By JobTrace::speeds, then JobTrace::ranges; by job where none shares.
    std::vector<Application> applications_;
};

}  // namespace hora::sim
