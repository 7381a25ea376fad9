// How long does a device take for one training step over a share of the batch?
#include "libplanner/cost/step.hpp"

#include <algorithm>
#include <utility>

#include "libplanner/cost/exchange.hpp"
#include "libplanner/cost/formats.hpp"

namespace hora::cost {

// A layer without weights has nothing to send: the next one sends the same bytes later, so its own
// line in Step::time would never decide.
StepTable::StepTable(const domain::Workload& workload, const domain::Device& device,
                     const domain::CostModel& model, const SentGradient& sent)
    : backward_factor_(model.backward_factor) {
    const auto roofs = attained_roofs(formats_of(workload), device);
    const domain::Efficiency& efficiency = device.efficiency;
    const double total = sent.total().count();
    double left = total;
    layers_.reserve(workload.layers.size());
    left_.reserve(workload.layers.size());
    auto bytes = sent.layers.rbegin();
    for (auto layer = workload.layers.rbegin(); layer != workload.layers.rend(); ++layer, ++bytes) {
        const bool sends = model.overlap && *bytes > Bytes(0);
        const Roofs& roof = roofs[static_cast<std::size_t>(layer->kind)];
        layers_.push_back({Flops(2.0 * static_cast<double>(layer->mac)) / roof.peak,
                           Bytes(static_cast<double>(layer->weight_bytes)) / roof.memory,
                           Bytes(static_cast<double>(layer->activation_bytes)) / roof.memory,
                           sends});
        if (sends) {
            left_.push_back(left / total);
        }
        left -= bytes->count();
    }
    launch_ = efficiency.layer;
    const double weights = gradient_bytes(workload).count() /
                           static_cast<double>(domain::element_size(workload.data_type));
    // It reads and writes the weight and each copy, and reads the gradient.
    const double moved = efficiency.optimizer_bytes * (3 + 2 * model.optimizer_states);
    fixed_ = efficiency.step + Bytes(moved * weights) / device.memory_bandwidth;
}

// P1, layer by layer, of what the device attains: tau = max(launch, W / (eta_c pi), M / (eta_m
// beta)). The backward pass visits the layers from last to first and takes backward_factor times
// the forward pass of each. Summed up in doubles: the maximum of two Seconds is a branch, which the
// processor predicts wrong as often as not.
Step::Step(std::shared_ptr<const StepTable> table, std::uint64_t share) : table_(std::move(table)) {
    const auto samples = static_cast<double>(share);
    const double launch = table_->launch_.count();
    const auto forward_of = [samples, launch](const StepTable::Layer& layer) {
        return std::max(std::max(launch, layer.sample_work.count() * samples),
                        layer.weights.count() + layer.sample_traffic.count() * samples);
    };
    ready_.resize(table_->left_.size());
    double* ready = ready_.data();
    double forward = 0;  // of the layers so far
    for (const StepTable::Layer& layer : table_->layers_) {
        forward += forward_of(layer);
        if (layer.sends) {
            *ready++ = forward;
        }
    }
    const double before = table_->fixed_.count() + forward;
    const double backward_factor = table_->backward_factor_;
    for (double& when : ready_) {
        when = before + backward_factor * when;
    }
    compute_ = Seconds(before + backward_factor * forward);
}

Step::Step(const domain::Workload& workload, const domain::Device& device, std::uint64_t share,
           const domain::CostModel& model)
    : Step(std::make_shared<const StepTable>(workload, device, model,
                                             sent_gradient(workload, share, 1)),
           share) {}

// Wait-free backpropagation: gradients queue up as they get ready and flow at the exchange's rate,
// so the last one arrives at the largest over the layers of
// (ready + exchange * bytes not yet ready before it / all bytes).
// Four running maxima instead of one: the planner spends most of its time here, waiting for max.
Seconds Step::time(Seconds exchange) const {
    if (ready_.empty()) {
        return compute_ + exchange;
    }
    const double* const ready = ready_.data();
    const double* const left = table_->left_.data();
    const std::size_t layers = ready_.size();
    const auto arrival = [=, whole = exchange.count()](std::size_t layer) {
        return ready[layer] + whole * left[layer];
    };
    double first = compute_.count();
    double second = 0;
    double third = 0;
    double fourth = 0;
    std::size_t i = 0;
    for (; i + 4 <= layers; i += 4) {
        first = std::max(first, arrival(i));
        second = std::max(second, arrival(i + 1));
        third = std::max(third, arrival(i + 2));
        fourth = std::max(fourth, arrival(i + 3));
    }
    for (; i < layers; ++i) {
        first = std::max(first, arrival(i));
    }
    return Seconds(std::max(std::max(first, second), std::max(third, fourth)));
}

Seconds Step::at_least(Seconds exchange) const {
    if (ready_.empty()) {
        return compute_ + exchange;
    }
    const double first = ready_.front() + exchange.count() * table_->left_.front();
    const double last = ready_.back() + exchange.count() * table_->left_.back();
    return Seconds(std::max(compute_.count(), std::max(first, last)));
}

}  // namespace hora::cost
