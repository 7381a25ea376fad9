// How fast does one GPU write to another?
#pragma once

#include <cstddef>
#include <cstdint>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"
#include "scripts/hora/machine/cuda_driver.hpp"

namespace hora::scripts {

// 64 MiB are copied twice to warm up and seven times for the median.
constexpr std::size_t link_test_size = std::size_t{64} << 20;
constexpr int link_test_warm_up = 2;
constexpr int link_test_rounds = 7;

struct TestedLink {
    Bandwidth bandwidth;          // of the slower direction
    bool has_peer_access = true;  // else the copies went through the host's memory
};

// Between two GPUs, by CUDA's number; both directions, one after the other. On failure: what the
// driver says; nothing stays allocated.
Expected<TestedLink> test_link(const CudaDriver& driver, int a, int b);

}  // namespace hora::scripts
