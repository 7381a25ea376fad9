// Which networks are known by name, and what do they cost?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/network.hpp"

namespace hora::model {

struct NetworkOptions {
    // Positions of one sample of a network that reads sequences; empty = the network's own.
    std::optional<std::uint64_t> sequence;
};

// In the order in which `hora models` lists them.
std::span<const std::string_view> builtin_names();

// The built-in network of that name. Fails with wrong_use, naming the nearest known one, when there
// is none, and when the sequence is not one that the network can read.
Expected<domain::Network> builtin_network(std::string_view name,
                                          const NetworkOptions& options = {});

}  // namespace hora::model
