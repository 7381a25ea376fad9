// How long does a device take for one training step over a share of the batch?
#include "libplanner/cost/step.hpp"

#include <algorithm>

#include "libplanner/cost/exchange.hpp"
#include "libplanner/cost/roofline.hpp"

namespace hora::cost {

// The backward pass visits the layers from last to first and takes backward_factor times the
// forward pass of each. A layer without weights has nothing to send: the next one sends the same
// bytes later, so its own line below would never decide.
Step::Step(const domain::Workload& workload, const domain::Device& device, std::uint64_t share,
           const domain::CostModel& model) {
    compute_ = forward_time(workload, device, share);
    const double total = gradient_bytes(workload).count();
    double left = total;
    for (auto layer = workload.layers.rbegin(); layer != workload.layers.rend(); ++layer) {
        const Seconds forward = forward_time(*layer, device, workload.data_type, share);
        compute_ += model.backward_factor * forward;
        if (model.overlap && layer->weight_bytes > 0) {
            ready_.push_back({compute_, left / total});
        }
        left -= static_cast<double>(layer->weight_bytes);
    }
}

// Wait-free backpropagation: gradients queue up as they get ready and flow at the exchange's rate,
// so the last one arrives at the largest over the layers of
// (ready + exchange * bytes not yet ready before it / all bytes).
Seconds Step::time(Seconds exchange) const {
    if (ready_.empty()) {
        return compute_ + exchange;
    }
    Seconds end = compute_;
    for (const Ready& layer : ready_) {
        end = std::max(end, layer.at + exchange * layer.left);
    }
    return end;
}

}  // namespace hora::cost
