// How are networks and their costs shown to people and to programs?
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/data_type.hpp"
#include "libplanner/domain/network.hpp"

namespace hora::report {

// What of a network's cost is asked for.
struct ModelView {
    std::uint64_t batch = 1;
    domain::DataType data_type = domain::DataType::fp32;
};

// `hora model`: fails with wrong_use where the batch is zero or too large for the network.
Expected<std::string> model_json(const domain::Network& network, const ModelView& view);
Expected<std::string> model_table(const domain::Network& network, const ModelView& view);

// `hora models`: one line a network, a sample of each in fp32.
Expected<std::string> models_json(std::span<const domain::Network> networks);
Expected<std::string> models_table(std::span<const domain::Network> networks);

}  // namespace hora::report
