// What happens next?
#pragma once

#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "libplanner/base/units.hpp"

namespace hora::sim {

// The last: what horad had left alone for a while it looks at again.
enum class EventKind { ends, is_measured, is_cut_off, is_looked_at };

struct Event {
    Seconds time;
    std::uint32_t job = 0;
    // Which start of the job this belongs to: a later one makes it void.
    std::uint32_t start = 0;
    EventKind kind = EventKind::ends;
};

// Earliest first; of one time in the order of the trace, so that nothing hangs on the heap.
class EventQueue {
  public:
    void push(const Event& event) { heap_.push(event); }
    void pop() { heap_.pop(); }
    bool is_empty() const { return heap_.empty(); }
    const Event& top() const { return heap_.top(); }

  private:
    struct Later {
        bool operator()(const Event& one, const Event& other) const {
            return std::tie(one.time, one.job, one.start, one.kind) >
                   std::tie(other.time, other.job, other.start, other.kind);
        }
    };
    std::priority_queue<Event, std::vector<Event>, Later> heap_;
};

}  // namespace hora::sim
