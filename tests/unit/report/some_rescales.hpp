// Rescales of job 12 that several reports are tried with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "libplanner/report/jobs/rescale.hpp"

namespace hora::report {

// Two idle GPUs, all of it measured.
inline Rescale measured_rescale() {
    return {.job = 12,
            .restarts = 0,
            .from = 2,
            .requested = 4,
            .to = 4,
            .why = "2 GPUs idle",
            .outcome = "done",
            .remark = "",
            .asked = 1'700'000'500,
            .ready = 1'700'000'504.5,
            .started = 1'700'000'506,
            .first_step = 1'700'000'507.25,
            .lost = Seconds(3.5),
            .step_before = Seconds(0.4),
            .step_after = Seconds(0.25)};
}

struct Sizes {
    std::uint32_t from = 0;
    std::optional<std::uint32_t> requested;
    std::uint32_t to = 0;
};

// One of which nothing was measured.
inline Rescale bare_rescale(std::uint32_t restarts, Sizes sizes, std::string why,
                            std::string outcome, std::string remark, double asked) {
    return {.job = 12,
            .restarts = restarts,
            .from = sizes.from,
            .requested = sizes.requested,
            .to = sizes.to,
            .why = std::move(why),
            .outcome = std::move(outcome),
            .remark = std::move(remark),
            .asked = asked,
            .ready = {},
            .started = {},
            .first_step = {},
            .lost = {},
            .step_before = {},
            .step_after = {}};
}

}  // namespace hora::report
