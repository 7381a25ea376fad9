// What goes wrong with a job, each thing said once.
#include "scripts/horad/journal/job_complaints.hpp"

#include <fmt/format.h>

#include <utility>

namespace hora::horad {

JobComplaints::JobComplaints(Log log) : log_(std::move(log)) {}

void JobComplaints::complain(std::uint32_t job, const std::string& what) {
    if (std::exchange(last_[job], what) != what) {
        log_(job == 0 ? what : fmt::format("job {}: {}", job, what));
    }
}

void JobComplaints::forget_gone(const Observation& seen) {
    std::erase_if(
        last_, [&](const auto& one) { return one.first != 0 && seen.find(one.first) == nullptr; });
}

}  // namespace hora::horad
