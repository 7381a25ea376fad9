// May the job be requeued at this checkpoint, by what came of its earlier starts?
#pragma once

#include <cstdint>
#include <span>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"
#include "scripts/watch-job/requeue/ready_file.hpp"
#include "scripts/watch-job/requeue/start_list.hpp"

namespace hora::watch {

struct RequeueRules {
    std::uint32_t max_restarts = 0;  // requeue.max
    Seconds max_time{};              // requeue.max_time, of all starts together
};

// `ran` is how long this start has run. Fails, in words for the user, where the limit on restarts
// or on time is reached, and where the start has made no step of progress: it would go round for
// ever.
Expected<void> may_requeue(const Ready& ready, Seconds ran, std::span<const PastStart> past,
                           const RequeueRules& rules);

}  // namespace hora::watch
