// How fast did a program really train, by its own reports?
#include "libplanner/cost/measured.hpp"

namespace hora::cost {

std::optional<Measured> measured_of(std::span<const domain::ProgressReport> reports) {
    Measured measured;
    Seconds between;
    std::uint64_t steps_between = 0;
    std::optional<std::uint64_t> last_step;
    for (const domain::ProgressReport& report : reports) {
        measured.spent += report.seconds;
        // A restart begins at an earlier step, or at the same one.
        if (last_step && report.step > *last_step) {
            between += report.seconds;
            steps_between += report.step - *last_step;
        }
        last_step = report.step;
    }
    if (steps_between == 0) {
        return std::nullopt;
    }
    measured.steps = reports.back().step;
    measured.samples = reports.back().samples;
    measured.step_seconds = between / static_cast<double>(steps_between);
    return measured;
}

}  // namespace hora::cost
