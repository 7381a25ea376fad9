// How long may a job run on so many GPUs, where its time limit means that much of its own request?
//
// On k of the r GPUs of its request it uses its limit up at the rate min(1, k / r): fewer GPUs have
// it for longer, and more for no shorter. Training on k GPUs is at least k / r times as fast as on
// r, so that a job which its own request would end in time ends in time on fewer, but for restarts.
#pragma once

#include <algorithm>
#include <cstdint>

#include "libplanner/domain/elastic.hpp"

namespace hora::elastic {

// How many times as long as on its own request. 1 where either is 0: not known.
inline double limit_stretch(std::uint32_t gpus, std::uint32_t requested) {
    return gpus > 0 && gpus < requested ? static_cast<double>(requested) / gpus : 1;
}

// What a restart on so many GPUs leaves a job, the restart itself included.
inline Seconds limit_on(const domain::Deadline& deadline, std::uint32_t gpus,
                        std::uint32_t requested) {
    const auto& own = deadline.gpu_time;
    return own ? std::min(own->left * limit_stretch(gpus, requested), own->longest) : deadline.left;
}

}  // namespace hora::elastic
