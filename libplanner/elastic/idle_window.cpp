// How many GPUs have idled for a while?
#include "libplanner/elastic/idle_window.hpp"

#include <algorithm>
#include <iterator>

namespace hora::elastic {

void IdleWindow::see(Seconds now, std::uint32_t idle) {
    if (spans_.empty() || now < now_) {
        spans_.clear();
        since_ = now;
    } else {
        spans_.back().until = now;
    }
    now_ = now;
    while (!spans_.empty() && spans_.back().idle >= idle) {
        spans_.pop_back();
    }
    spans_.push_back({now, idle});
}

std::uint32_t IdleWindow::least(Seconds length) const {
    // A caller that looks again `length` after a moment adds them, and a difference of the sum may
    // be rounded to less.
    if (spans_.empty() || now_ < since_ + length) {
        return 0;
    }
    const auto covered =
        std::partition_point(spans_.begin(), spans_.end() - 1,
                             [&](const Span& span) { return span.until + length <= now_; });
    return covered->idle;
}

Seconds IdleWindow::lasted(std::uint32_t gpus) const {
    const auto enough = std::partition_point(spans_.begin(), spans_.end(),
                                             [&](const Span& span) { return span.idle < gpus; });
    return now_ - (enough == spans_.begin() ? since_ : std::prev(enough)->until);
}

}  // namespace hora::elastic
