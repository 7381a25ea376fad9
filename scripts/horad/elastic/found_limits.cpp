// How many GPUs are too many for a job, though nothing that is known beforehand says so?
#include "scripts/horad/elastic/found_limits.hpp"

namespace hora::horad {
namespace {

constexpr std::int64_t holds_for = 6 * 3600;  // seconds

// It went back to its old request, and not because others had taken the GPUs.
bool went_back(const Resized& resized) {
    const ResizeEntry& entry = resized.entry;
    return !entry.was_pending && !entry.has_fallen_back && entry.wanted == entry.was &&
           !slurm::is_in_turn(entry.returned_for) &&
           (resized.ending == Ending::other_size || resized.ending == Ending::refused);
}

}  // namespace

void FoundLimits::learn(const Resized& resized, std::int64_t now) {
    const Resize& resize = resized.entry.resize;
    const bool is_impossible = resized.ending == Ending::reverted || went_back(resized);
    if (is_impossible && resize.to > resize.from) {
        limits_[resize.job] = {.most = resize.to - 1, .until = now + holds_for};
    }
}

void FoundLimits::forget_gone(const Observation& seen) {
    std::erase_if(limits_, [&](const auto& one) {
        // A clock that was set back does not make it last.
        return seen.find(one.first) == nullptr || one.second.until <= seen.now ||
               one.second.until > seen.now + holds_for;
    });
}

std::optional<std::uint32_t> FoundLimits::most(std::uint32_t job) const {
    const auto found = limits_.find(job);
    return found == limits_.end() ? std::nullopt : std::optional(found->second.most);
}

}  // namespace hora::horad
