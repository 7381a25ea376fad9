// How long may a job run on so many GPUs, where its time limit means that much of the GPUs that it
// was stated for?
//
// On k of these r GPUs it uses its limit up at the rate min(1, k / r): fewer GPUs have it for
// longer, and more for no shorter. Training on k GPUs is at least k / r times as fast as on r, so
// that a job which would end in time on r ends in time on fewer, but for restarts.
#pragma once

#include <algorithm>
#include <cstdint>

#include "libplanner/domain/elastic.hpp"

namespace hora::elastic {

// How many times as long as on those. 1 where either is 0: not known.
inline double limit_stretch(std::uint32_t gpus, std::uint32_t stated_for) {
    return gpus > 0 && gpus < stated_for ? static_cast<double>(stated_for) / gpus : 1;
}

// What a restart on so many GPUs leaves a job, the restart itself included.
inline Seconds limit_on(const domain::Deadline& deadline, std::uint32_t gpus) {
    const auto& own = deadline.gpu_time;
    return own ? std::min(own->left * limit_stretch(gpus, own->gpus), own->longest) : deadline.left;
}

}  // namespace hora::elastic
