// How many GPUs have idled for a while?
#include "libplanner/elastic/idle_window.hpp"

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

std::uint32_t IdleWindow::least(Seconds length) {
    if (spans_.empty() || now_ - since_ < length) {
        return 0;
    }
    while (spans_.size() > 1 && spans_.front().until <= now_ - length) {
        spans_.pop_front();
    }
    return spans_.front().idle;
}

}  // namespace hora::elastic
