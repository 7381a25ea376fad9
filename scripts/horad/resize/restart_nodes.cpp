// Which nodes are reserved for the jobs that are being restarted?
#include "scripts/horad/resize/restart_nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace hora::horad {
namespace {

// For a job to start again, once its checkpoint is written.
constexpr Seconds start_time(60);
// Until slurmctld has surely looked again at a job that waits.
constexpr Seconds look_time(60);
constexpr Seconds pause(5);  // slurmctld ends no reservation that a job is in

bool keeps_now(const ResizeEntry& entry) {
    return entry.keeps_nodes && entry.state >= ResizeState::checkpoint_requested &&
           entry.state < ResizeState::verifying;
}

}  // namespace

std::optional<slurm::ReservedNodes> nodes_of(const std::vector<ResizeEntry>& under_way,
                                             const ResizeLimits& limits) {
    std::set<std::string> nodes;
    std::set<std::uint32_t> users;
    std::int64_t latest = 0;
    for (const ResizeEntry& entry : under_way) {
        if (keeps_now(entry)) {
            nodes.insert(entry.where);
            users.insert(entry.uid);
            latest = std::max(latest, entry.latest);
        }
    }
    if (nodes.empty()) {
        return std::nullopt;
    }
    const double longest = std::ceil((limits.ready + start_time).count());
    return slurm::ReservedNodes{.nodes = fmt::format("{}", fmt::join(nodes, ",")),
                                .users = {users.begin(), users.end()},
                                .until = latest + static_cast<std::int64_t>(longest)};
}

std::string RestartNodes::keep(const std::vector<ResizeEntry>& under_way,
                               const ResizeLimits& limits, Seconds now) {
    if (const auto wanted = nodes_of(under_way, limits)) {
        return wanted == made_ || wanted == refused_ ? std::string() : make(*wanted, under_way);
    }
    if (may_stand_ && now >= next_end_) {
        end(now);
    }
    return {};
}

// Where another one than before is refused, that stands.
std::string RestartNodes::make(const slurm::ReservedNodes& wanted,
                               const std::vector<ResizeEntry>& under_way) {
    may_stand_ = true;
    const slurm::Answered answered = slurm_.reserve(wanted);
    if (answered.reply == slurm::Reply::refused) {
        refused_ = wanted;
        return answered.why;
    }
    if (answered.reply == slurm::Reply::done) {
        made_ = wanted;
        refused_.reset();
        kept_.clear();
        for (const ResizeEntry& entry : under_way) {
            if (keeps_now(entry)) {
                kept_.push_back(entry.number);
            }
        }
    }
    return {};
}

// One that slurmctld refuses to end ends by itself.
void RestartNodes::end(Seconds now) {
    const slurm::Answered answered = slurm_.end_reservation();
    if (answered.reply == slurm::Reply::unreachable) {
        next_end_ = now + pause;
        return;
    }
    ended_ = made_ ? std::optional(now) : ended_;
    may_stand_ = false;
    made_.reset();
    kept_.clear();
}

bool RestartNodes::has(const ResizeEntry& entry) const {
    return std::find(kept_.begin(), kept_.end(), entry.number) != kept_.end();
}

bool RestartNodes::closes_nodes(Seconds now) const {
    return made_.has_value() || (ended_ && now - *ended_ < look_time);
}

}  // namespace hora::horad
