// How long does a device take for one training step over a share of the batch?
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/device.hpp"
#include "libplanner/domain/request.hpp"
#include "libplanner/domain/workload.hpp"

namespace hora::cost {

// A training step of one device over one share, ready to be priced for any exchange. Its time
// never falls when the share or the exchange rises (in floating point too: plan/ relies on it).
class Step {
  public:
    Step(const domain::Workload& workload, const domain::Device& device, std::uint64_t share,
         const domain::CostModel& model);

    // Forward and backward pass.
    Seconds compute() const { return compute_; }
    // Both, and what of the exchange sticks out behind the backward pass.
    Seconds time(Seconds exchange) const;

  private:
    // When a layer's gradient is ready, and which part of all bytes travels from then on.
    struct Ready {
        Seconds at;
        double left;
    };
    std::vector<Ready> ready_;  // empty: no overlap
    Seconds compute_;
};

}  // namespace hora::cost
