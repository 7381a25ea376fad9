// May the job be requeued at this checkpoint, by what came of its earlier starts?
#include "scripts/watch-job/requeue/requeue_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "libplanner/base/counted.hpp"

namespace hora::watch {

Expected<void> may_requeue(const Ready& ready, Seconds ran, std::span<const PastStart> past,
                           const RequeueRules& rules) {
    if (ready.restarts >= rules.max_restarts) {
        return failure(fmt::format("it has been restarted {}, and requeue.max is {}",
                                   counted(ready.restarts, "time"), rules.max_restarts));
    }
    std::uint64_t before = 0;  // steps that earlier starts had done
    Seconds total = ran;
    for (const PastStart& start : past) {
        if (start.restarts < ready.restarts) {
            before = std::max(before, start.step);
            total += start.ran;
        }
    }
    if (ready.step <= before) {
        return failure(fmt::format("no step of progress since the checkpoint of step {}", before));
    }
    if (total >= rules.max_time) {
        return failure(
            fmt::format("it has run for {:.0f} s in all, and requeue.max_time is {:.0f} s",
                        total.count(), rules.max_time.count()));
    }
    return {};
}

}  // namespace hora::watch
