// How long does a device take for one training step over a share of the batch?
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/cost/sampled_gradient.hpp"
#include "libplanner/domain/device.hpp"
#include "libplanner/domain/request.hpp"
#include "libplanner/domain/workload.hpp"

namespace hora::cost {

// What the steps of one device have in common, whatever the share.
class StepTable {
  public:
    StepTable(const domain::Workload& workload, const domain::Device& device,
              const domain::CostModel& model, const SentGradient& sent);

  private:
    friend class Step;
    // A layer's forward pass: max(launch, sample_work * share, weights + sample_traffic * share).
    struct Layer {
        Seconds sample_work;
        Seconds weights;
        Seconds sample_traffic;
        bool sends = false;  // has a gradient that travels while the backward pass goes on
    };
    std::vector<Layer> layers_;  // in the order of the backward pass
    std::vector<double> left_;   // for each that sends: the part of all bytes not yet sent before
    double backward_factor_;
    Seconds launch_;
    Seconds fixed_;  // of each step whatever the share: the optimizer is part of it
};

// A training step of one device over one share, ready to be priced for any exchange. Its time
// never falls when the share or the exchange rises (in floating point too: plan/ relies on it).
class Step {
  public:
    Step(std::shared_ptr<const StepTable> table, std::uint64_t share);
    // All gradients travel.
    Step(const domain::Workload& workload, const domain::Device& device, std::uint64_t share,
         const domain::CostModel& model);

    // Forward and backward pass, and what a step takes beside them.
    Seconds compute() const { return compute_; }
    // Both, and what of the exchange sticks out behind the backward pass.
    Seconds time(Seconds exchange) const;
    // No more than that, and mostly as much, sooner known: by the first and the last gradient.
    Seconds at_least(Seconds exchange) const;

  private:
    std::shared_ptr<const StepTable> table_;
    std::vector<double> ready_;  // when each layer's gradient is; seconds
    Seconds compute_;
};

}  // namespace hora::cost
