// Who may ask for a resize manually, and how does the asker learn what became of it?
#include "scripts/horad/progress/resize_requests.hpp"

#include <algorithm>
#include <utility>

namespace hora::horad {

bool ResizeRequests::has_room_for(uid_t uid) const {
    if (uid == 0) {
        return cases_.size() < most + reserve;
    }
    const auto own = std::count_if(cases_.begin(), cases_.end(),
                                   [uid](const auto& one) { return one.first.uid == uid; });
    return cases_.size() < most && static_cast<std::size_t>(own) < most_of_user;
}

std::optional<Expected<void>> ResizeRequests::ask(const ResizeRequest& request) {
    const std::lock_guard lock(mutex_);
    const auto found = cases_.find(request);
    if (found == cases_.end()) {
        if (!has_room_for(request.uid)) {
            // Answers that were never fetched are no reason to refuse for ever; others' are theirs
            // while there is room.
            const bool is_full = cases_.size() >= most;
            std::erase_if(cases_, [&](const auto& one) {
                return one.second.outcome && (is_full || one.first.uid == request.uid);
            });
        }
        if (!has_room_for(request.uid)) {
            return Expected<void>(failure("too many resizes are requested at once"));
        }
        cases_.emplace(request, Case());
        return std::nullopt;
    }
    if (!found->second.outcome) {
        return std::nullopt;
    }
    std::optional<Expected<void>> outcome = std::move(found->second.outcome);
    cases_.erase(found);
    return outcome;
}

std::vector<ResizeRequest> ResizeRequests::take() {
    const std::lock_guard lock(mutex_);
    std::vector<ResizeRequest> requests;
    for (auto& [request, one] : cases_) {
        if (!std::exchange(one.is_taken, true)) {
            requests.push_back(request);
        }
    }
    return requests;
}

void ResizeRequests::answer(const ResizeRequest& request, Expected<void> outcome) {
    const std::lock_guard lock(mutex_);
    if (const auto found = cases_.find(request); found != cases_.end()) {
        found->second.outcome = std::move(outcome);
    }
}

}  // namespace hora::horad
