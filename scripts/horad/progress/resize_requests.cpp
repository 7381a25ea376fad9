// Who may ask for a resize by hand, and how does the asker learn what became of it?
#include "scripts/horad/progress/resize_requests.hpp"

#include <algorithm>
#include <utility>

namespace hora::horad {

bool ResizeDesk::has_room_for(uid_t uid) const {
    if (uid == 0) {
        return cases_.size() < most + reserve;
    }
    const auto own = std::count_if(cases_.begin(), cases_.end(),
                                   [uid](const auto& one) { return one.first.uid == uid; });
    return cases_.size() < most && static_cast<std::size_t>(own) < most_of_user;
}

std::optional<Expected<void>> ResizeDesk::ask(const Wish& wish) {
    const std::lock_guard lock(mutex_);
    const auto found = cases_.find(wish);
    if (found == cases_.end()) {
        if (!has_room_for(wish.uid)) {
            // Answers that were never fetched are no reason to refuse for ever; others' are theirs
            // while there is room.
            const bool is_full = cases_.size() >= most;
            std::erase_if(cases_, [&](const auto& one) {
                return one.second.outcome && (is_full || one.first.uid == wish.uid);
            });
        }
        if (!has_room_for(wish.uid)) {
            return Expected<void>(failure("too many resizes are asked for at once"));
        }
        cases_.emplace(wish, Case());
        return std::nullopt;
    }
    if (!found->second.outcome) {
        return std::nullopt;
    }
    std::optional<Expected<void>> outcome = std::move(found->second.outcome);
    cases_.erase(found);
    return outcome;
}

std::vector<Wish> ResizeDesk::take() {
    const std::lock_guard lock(mutex_);
    std::vector<Wish> wishes;
    for (auto& [wish, one] : cases_) {
        if (!std::exchange(one.is_taken, true)) {
            wishes.push_back(wish);
        }
    }
    return wishes;
}

void ResizeDesk::answer(const Wish& wish, Expected<void> outcome) {
    const std::lock_guard lock(mutex_);
    if (const auto found = cases_.find(wish); found != cases_.end()) {
        found->second.outcome = std::move(outcome);
    }
}

}  // namespace hora::horad
