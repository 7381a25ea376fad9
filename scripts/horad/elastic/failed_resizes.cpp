// For how long is a job left alone whose resize came to nothing?
#include "scripts/horad/elastic/failed_resizes.hpp"

#include <algorithm>
#include <cmath>

#include "plugins/slurm/jobs/resize_job.hpp"

namespace hora::horad {
namespace {

bool is_lost_to_others(const Resized& resized) {
    const std::string& reason = resized.entry.returned_for;
    return resized.ending == Ending::other_size && !reason.empty() && slurm::is_in_turn(reason);
}

}  // namespace

std::int64_t FailedResizes::rest_after(const Resized& failed, std::int64_t now, Seconds cooldown) {
    const Resize& resize = failed.entry.resize;
    if (failed.ending == Ending::no_checkpoint) {
        unanswered_[resize.job] = resize.restarts;
    }
    const std::int64_t longest = longest_rest(cooldown);
    if (!is_lost_to_others(failed)) {
        return longest;
    }
    InARow& row = to_others_[resize.job];
    const bool goes_on = now >= row.last && now - row.last <= 2 * longest;
    row = {.times = (goes_on ? row.times : 0) + 1, .last = now};
    const double rest = std::ldexp(cooldown.count(), static_cast<int>(std::min(row.times, 30U)));
    return static_cast<std::int64_t>(std::min(rest, static_cast<double>(longest)));
}

std::int64_t FailedResizes::longest_rest(Seconds cooldown) {
    return static_cast<std::int64_t>(std::max(5 * cooldown.count(), 600.0));
}

bool FailedResizes::is_unanswered(std::uint32_t job, std::uint32_t restarts) const {
    const auto found = unanswered_.find(job);
    return found != unanswered_.end() && found->second == restarts;
}

void FailedResizes::forget_gone(const Observation& seen) {
    const auto is_gone = [&](const auto& one) { return seen.find(one.first) == nullptr; };
    std::erase_if(to_others_, is_gone);
    std::erase_if(unanswered_, is_gone);
}

}  // namespace hora::horad
