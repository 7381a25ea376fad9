// The last few entries of a kind, for several threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <utility>

namespace hora::submit {

template <class Entry>
class Latest {
  public:
    // A member of the entry for which `is_it` holds; an empty one where there is none.
    template <class IsIt, class Value>
    Value find(const IsIt& is_it, Value Entry::*value) const {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find_if(entries_, is_it);
        return found == entries_.end() ? Value() : (*found).*value;
    }

    void keep(Entry entry) {
        const std::lock_guard lock(mutex_);
        // The oldest goes; its memory is freed after the lock, by the last that holds it.
        std::swap(entries_[next_], entry);
        next_ = (next_ + 1) % entries_.size();
    }

  private:
    mutable std::mutex mutex_;
    std::array<Entry, 8> entries_;
    std::size_t next_ = 0;
};

}  // namespace hora::submit
