// Does a share of the batch fit into a device's memory?
#pragma once

#include <cstdint>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/device.hpp"
#include "libplanner/domain/request.hpp"
#include "libplanner/domain/workload.hpp"

namespace hora::cost {

// Of what layers write (P1's M) so much is kept for the backward pass: frameworks overwrite the
// input of activations and sums. By 476 published batches that ran, on GPUs of 6 to 80 GB, of which
// the whole of M would refuse 77: all 417 of networks known by name fit.
constexpr double kept_activations = 0.6;

// Bytes that the loss keeps for each logit of a layer that predicts words, beside the logit itself:
// cross-entropy is computed in fp32, on a copy of the logits where they have another format, and
// has their log-softmax and its gradient in memory at once. By GPT-2 on an H200
// (tests/bench/truth), where that is half of all that is taken.
constexpr double loss_bytes = 8;

// Weights, gradients and the optimizer's copies, which mixed precision has in fp32 beside weights
// in the smaller format; the activations kept for the backward pass; what the loss keeps of the
// words that are predicted; and what driver and framework take.
Bytes memory_needed(const domain::Workload& workload, std::uint64_t share,
                    const domain::CostModel& model);

// The error of memory_needed(), as a part of it: what needs between (1 - error) and (1 + error)
// times a device's memory may fit or not.
constexpr double memory_error = 0.3;

// The largest share up to `limit` that fits into `memory`, 0 if not even one sample does. Memory
// that is not known (0) holds everything.
std::uint64_t largest_share(const domain::Workload& workload, Bytes memory,
                            const domain::CostModel& model, std::uint64_t limit);

}  // namespace hora::cost
