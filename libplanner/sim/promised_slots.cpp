// When is each job of a simulation promised the GPUs of its own request?
#include "libplanner/sim/promised_slots.hpp"

#include <cmath>

namespace hora::sim {

Seconds PromisedSlots::held(Seconds length) const {
    return round_ > Seconds(0) ? round_ * std::ceil(length / round_) : length;
}

void PromisedSlots::submit(std::uint32_t job, std::uint32_t gpus, Seconds now, Seconds length) {
    entries_[job] = {schedule_.submit(gpus, now, held(length)), length};
}

void PromisedSlots::set_length(std::uint32_t job, Seconds length) {
    Entry& entry = entries_.at(job);
    entry.length = length;
    schedule_.set_length(entry.place, held(length));
}

void PromisedSlots::end(std::uint32_t job) {
    ended_.push_back(entries_.at(job).place);
    entries_.erase(job);
}

void PromisedSlots::advance(Seconds now) {
    schedule_.advance(now);
}

domain::Slot PromisedSlots::slot(std::uint32_t job) const {
    const Entry& entry = entries_.at(job);
    domain::Slot slot = schedule_.slot(entry.place);
    slot.end = slot.start + entry.length;
    return slot;
}

std::vector<domain::Slot> PromisedSlots::ended(Seconds now) {
    std::erase_if(ended_, [&](std::size_t place) { return schedule_.slot(place).end <= now; });
    std::vector<domain::Slot> slots;
    for (const std::size_t place : ended_) {
        slots.push_back(schedule_.slot(place));
    }
    return slots;
}

}  // namespace hora::sim
