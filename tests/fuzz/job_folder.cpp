// Does anything in a job's folder, or its name, break what reads it beside the job?
#include "scripts/watch-job/job_folder.hpp"

#include <algorithm>
#include <cstdlib>

#include "scripts/watch-job/requeue/processes.hpp"
#include "scripts/watch-job/requeue/ready_file.hpp"
#include "scripts/watch-job/requeue/requeue_rules.hpp"
#include "scripts/watch-job/requeue/start_list.hpp"
#include "tests/fuzz/lines.hpp"

namespace {

using namespace hora::watch;

void check_starts(std::string_view text) {
    const auto starts = read_starts(text);
    std::string written;
    for (const PastStart& start : starts) {
        written += to_line(start);
    }
    const bool is_ascending = std::ranges::is_sorted(
        starts, [](const auto& a, const auto& b) { return a.restarts <= b.restarts; });
    if (!is_ascending || read_starts(written) != starts) {
        std::abort();
    }
    const RequeueRules rules{.max_restarts = 10, .max_time = hora::Seconds(1000)};
    static_cast<void>(may_requeue({.step = 5, .restarts = 3}, hora::Seconds(60), starts, rules));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = hora::fuzz::text_of(data, size);
    if (const auto ready = read_ready(text)) {
        const std::string written =
            std::to_string(ready->step) + " " + std::to_string(ready->restarts);
        if (ready->restarts > 0xffff || ready->step > std::uint64_t{1} << 53 ||
            read_ready(written) != ready) {
            std::abort();
        }
    }
    check_starts(text);
    if (const std::uint32_t job = job_of_folder(text, "blue");
        job != 0 && text.find(std::to_string(job)) == text.npos) {
        std::abort();
    }
    for (const int signal : {1, 10, 64}) {
        static_cast<void>(is_in_mask(text, "SigCgt", signal));
    }
    return 0;
}
