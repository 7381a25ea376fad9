// Does any table of speeds, or any trace of jobs that refers to it, break its reader or give a job
// that cannot be simulated?
//
// The table of speeds stands before a line "--", the trace behind it.
#include "libplanner/read/trace/job_trace.hpp"

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/fuzz/lines.hpp"

namespace {

const std::vector<hora::domain::BatchSpeed> no_range;

void check(const hora::domain::TrueSpeed& speed) {
    bool is_good =
        speed.least >= 1 && std::isfinite(speed.steps) && std::isfinite(speed.gradients.count());
    for (const hora::Seconds epoch : speed.epoch_seconds) {
        is_good = is_good && epoch > hora::Seconds(0);
    }
    for (const auto& spread : speed.spread) {
        is_good = is_good && spread.nodes >= 1 && spread.epoch > hora::Seconds(0);
    }
    if (!is_good) {
        std::abort();
    }
}

void check(const hora::domain::JobTrace& trace) {
    hora::Seconds before(0);
    for (const auto& job : trace.jobs) {
        if (job.speed >= trace.speeds.size() || job.submitted < before ||
            !std::isfinite(job.submitted.count()) || job.min < 1 || job.min > job.max ||
            job.requested < job.min || job.requested > job.max || !(job.epochs > 0)) {
            std::abort();
        }
        before = job.submitted;
    }
    for (const auto& speed : trace.speeds) {
        check(speed);
    }
    // Each type is played by itself.
    for (const auto& job : trace.jobs) {
        bool is_of_type = trace.speeds[job.speed].gpu_type == job.gpu_type;
        for (const auto& known : job.range ? trace.ranges.at(*job.range) : no_range) {
            is_of_type = is_of_type && trace.speeds.at(known.speed).gpu_type == job.gpu_type;
        }
        if (!is_of_type) {
            std::abort();
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::string_view between = "\n--\n";
    const std::string_view text = hora::fuzz::text_of(data, size);
    const std::size_t end = text.find(between);
    const std::vector<std::string> alike;
    const std::vector<std::string> types{"t4", "a100"};
    for (const auto& nodes : {alike, types}) {
        const auto table = hora::read::read_speed_table(text.substr(0, end), nodes);
        if (table) {
            for (const auto& [key, speed] : *table) {
                check(speed);
            }
        }
        if (end == text.npos) {
            continue;
        }
        for (const bool any_batch : {false, true}) {
            const auto trace = hora::read::read_job_trace(text.substr(end + between.size()),
                                                          table.value_or(hora::read::SpeedTable()),
                                                          any_batch, nodes);
            if (trace) {
                check(*trace);
            }
        }
    }
    return 0;
}
