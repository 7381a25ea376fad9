// What does one forward pass of a whole batch cost?
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/data_type.hpp"
#include "libplanner/domain/network.hpp"

namespace hora::model {

// P1's W and M, with the weights read once and everything else once a sample.
struct PassCost {
    std::uint64_t mac = 0;
    std::uint64_t bytes = 0;
    std::uint64_t parameters = 0;
};

struct ForwardPass {
    std::vector<PassCost> layers;
    PassCost total;

    // P1's I: multiply-adds for each byte moved.
    double intensity() const {
        return static_cast<double>(total.mac) / static_cast<double>(total.bytes);
    }
};

// Fails with wrong_use when the batch is zero or takes a sum past 2^62.
Expected<ForwardPass> forward_pass(const domain::Network& network, std::uint64_t batch,
                                   domain::DataType type);

}  // namespace hora::model
