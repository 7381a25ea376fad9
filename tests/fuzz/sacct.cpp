// Does anything that sacct may print, or any time in Slurm's notation, break its reader or give a
// job that cannot have run?
#include "libplanner/read/slurm/sacct.hpp"

#include <cmath>
#include <cstdlib>

#include "libplanner/read/format/table_field.hpp"
#include "libplanner/read/slurm/sacct_field.hpp"
#include "libplanner/read/slurm/slurm_time.hpp"
#include "tests/fuzz/lines.hpp"

namespace {

bool is_length(hora::Seconds time) {
    return std::isfinite(time.count()) && time >= hora::Seconds(0);
}

void check(const hora::read::Accounting& accounting) {
    for (const auto& job : accounting.jobs) {
        const bool is_sized = job.gpus >= 1 && job.gpus <= hora::read::most_gpus_of_a_job &&
                              job.nodes >= 1 && job.nodes <= job.gpus;
        const bool is_timed = is_length(job.submitted) && job.submitted <= job.started &&
                              is_length(job.elapsed) && job.elapsed > hora::Seconds(0) &&
                              is_length(job.limit.value_or(hora::Seconds(0)));
        if (!is_sized || !is_timed) {
            std::abort();
        }
    }
}

void check_field(std::string_view field) {
    const auto elapsed = hora::read::read_elapsed(field);
    const auto time = hora::read::read_sacct_time(field);
    const auto asked = hora::read::parse_slurm_time(field);
    const auto limit = hora::read::read_time_limit(field);
    if ((elapsed && !is_length(*elapsed)) || (time && !is_length(*time)) ||
        (asked && !is_length(*asked)) || (limit && !(*limit > hora::Seconds(0)))) {
        std::abort();
    }
    static_cast<void>(hora::read::read_tres(field));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = hora::fuzz::text_of(data, size);
    for (const char* partition : {"", "gpu"}) {
        if (const auto accounting = hora::read::read_sacct(text, partition)) {
            check(*accounting);
        }
    }
    for (std::string_view line : hora::fuzz::lines_of(text)) {
        while (!line.empty()) {
            check_field(hora::fuzz::take_until(line, '|'));
        }
    }
    return 0;
}
