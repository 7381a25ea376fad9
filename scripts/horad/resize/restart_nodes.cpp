// Which nodes are reserved for the jobs that are being restarted?
#include "scripts/horad/resize/restart_nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>

namespace hora::horad {
namespace {

// For a job to start again, once its checkpoint is written.
constexpr Seconds start_time(60);
// Until slurmctld has surely looked again at a job that waits.
constexpr Seconds look_time(60);
// Until another try to end one: slurmctld may not end one that a job is in, and what it is known to
// have may be a second old.
constexpr Seconds pause(5);

// When Slurm ends the reservation of its nodes, by slurmctld's clock.
double end_of(const ResizeEntry& entry, const ResizeLimits& limits) {
    return static_cast<double>(entry.latest) + (limits.ready + start_time).count();
}

// Of a clock that is set back; by no more an end may be late.
constexpr Seconds step_back(60);

// Until the job runs again. Where the clock was set back by hours, the end that it counts to is not
// to be waited for.
bool reserves_now(const ResizeEntry& entry, const ResizeLimits& limits, Moment now) {
    return entry.reserves_nodes && entry.state >= ResizeState::checkpoint_requested &&
           entry.state < ResizeState::verifying && end_of(entry, limits) > now.wall &&
           static_cast<double>(entry.latest) <= now.wall + step_back.count();
}

bool is_one_of(std::uint64_t number, const std::vector<std::uint64_t>& numbers) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

}  // namespace

// One that has just begun to run is in the reservation for a moment longer, and so its owner must
// be.
std::optional<slurm::ReservedNodes> nodes_of(const std::vector<ResizeEntry>& under_way,
                                             const ResizeLimits& limits, Moment now) {
    std::set<std::string> nodes;
    std::set<std::uint32_t> users;
    double end = 0;
    for (const ResizeEntry& entry : under_way) {
        if (reserves_now(entry, limits, now)) {
            nodes.insert(entry.where);
            end = std::max(end, end_of(entry, limits));
        }
        if (entry.reserves_nodes) {
            users.insert(entry.uid);
        }
    }
    if (nodes.empty()) {
        return std::nullopt;
    }
    return slurm::ReservedNodes{.nodes = fmt::format("{}", fmt::join(nodes, ",")),
                                .users = {users.begin(), users.end()},
                                .until = static_cast<std::int64_t>(end)};
}

std::string RestartNodes::keep(std::vector<ResizeEntry> under_way, const ResizeLimits& limits,
                               Moment now) {
    std::erase_if(without_, [&](std::uint64_t number) {
        return std::none_of(under_way.begin(), under_way.end(),
                            [&](const ResizeEntry& entry) { return entry.number == number; });
    });
    std::erase_if(under_way,
                  [&](const ResizeEntry& entry) { return is_one_of(entry.number, without_); });
    if (const auto wanted = nodes_of(under_way, limits, now)) {
        return wanted == made_ ? std::string() : make(*wanted, under_way);
    }
    if (may_stand_ && now.steady >= next_end_) {
        end(now.steady);
    }
    return {};
}

// Where another one than before is refused, that stands, and is kept for those who had it.
std::string RestartNodes::make(const slurm::ReservedNodes& wanted,
                               const std::vector<ResizeEntry>& entries) {
    const slurm::Answered answered = slurm_.reserve(wanted);
    may_stand_ = may_stand_ || answered.reply != slurm::Reply::refused;
    if (answered.reply == slurm::Reply::unreachable) {
        return {};
    }
    is_refused_ = answered.reply == slurm::Reply::refused;
    if (!is_refused_) {
        made_ = wanted;
        next_end_ = {};
        kept_.clear();
    }
    bool is_any_new = false;
    for (const ResizeEntry& entry : entries) {
        if (entry.reserves_nodes && !is_one_of(entry.number, kept_)) {
            (is_refused_ ? without_ : kept_).push_back(entry.number);
            is_any_new = true;
        }
    }
    if (is_refused_ && !is_any_new) {
        made_ = wanted;  // it stands as it was: the same would only be refused again
    }
    return answered.why;
}

// One that slurmctld refuses to end ends by itself.
void RestartNodes::end(Seconds now) {
    const slurm::Answered answered = slurm_.end_reservation();
    next_end_ = now + pause;
    if (answered.reply == slurm::Reply::unreachable) {
        return;
    }
    ended_ = made_ ? std::optional(now) : ended_;
    may_stand_ = false;
    made_.reset();
    kept_.clear();
}

bool RestartNodes::has(const ResizeEntry& entry) const {
    return is_one_of(entry.number, kept_);
}

bool RestartNodes::closes_nodes(Seconds now) const {
    return made_.has_value() || (ended_ && now - *ended_ < look_time);
}

}  // namespace hora::horad
