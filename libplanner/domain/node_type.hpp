// How many nodes of one type does a cluster have?
#pragma once

#include <cstdint>
#include <string>

namespace hora::domain {

struct NodeType {
    std::string name;  // as jobs request its GPUs: a100
    std::uint32_t nodes = 0;
    std::uint32_t gpus_per_node = 0;

    std::uint32_t gpus() const { return nodes * gpus_per_node; }
};

}  // namespace hora::domain
