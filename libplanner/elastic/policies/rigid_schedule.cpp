// When would each job run, if every one kept to its own request?
#include "libplanner/elastic/policies/rigid_schedule.hpp"

#include <algorithm>
#include <limits>

namespace hora::elastic {

std::size_t RigidSchedule::submit(std::uint32_t gpus, Seconds now, Seconds length) {
    advance(now);
    const std::size_t job = slots_.size();
    slots_.push_back({now, now + length, gpus});
    live_.push_back(job);
    place(job, now);
    return job;
}

void RigidSchedule::set_length(std::size_t job, Seconds length) {
    domain::Slot& slot = slots_[job];
    is_stale_ = is_stale_ || slot.start + length != slot.end;
    slot.end = slot.start + length;
}

void RigidSchedule::advance(Seconds now) {
    std::erase_if(live_, [&](std::size_t job) { return slots_[job].end <= now; });
    if (is_stale_) {
        used_ = 0;
        changes_.clear();
        for (const std::size_t job : live_) {
            if (slots_[job].start <= now) {
                hold(slots_[job]);
            }
        }
    }
    while (!changes_.empty() && changes_.begin()->first <= now) {
        used_ += changes_.begin()->second;
        changes_.erase(changes_.begin());
    }
    for (const std::size_t job : live_) {
        if (is_stale_ && slots_[job].start > now) {
            place(job, now);
        }
    }
    is_stale_ = false;
}

Seconds RigidSchedule::next_start(Seconds now) const {
    Seconds next(std::numeric_limits<double>::infinity());
    for (const std::size_t job : live_) {
        if (slots_[job].start > now) {
            next = std::min(next, slots_[job].start);
        }
    }
    return next;
}

Seconds RigidSchedule::earliest(std::uint32_t gpus, Seconds now, Seconds length) const {
    Seconds start = now;
    std::int64_t used = used_;
    for (const auto& [time, change] : changes_) {
        if (used + gpus > gpus_) {
            start = time;
        } else if (time >= start + length) {
            break;
        }
        used += change;
    }
    return start;
}

void RigidSchedule::place(std::size_t job, Seconds now) {
    domain::Slot& slot = slots_[job];
    const Seconds length = slot.end - slot.start;
    slot.start = earliest(slot.gpus, now, length);
    slot.end = slot.start + length;
    hold(slot);
}

void RigidSchedule::hold(const domain::Slot& slot) {
    changes_[slot.start] += slot.gpus;
    changes_[slot.end] -= slot.gpus;
}

}  // namespace hora::elastic
