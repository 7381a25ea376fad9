// How do threads share a value that one of them replaces whole?
#pragma once

#include <memory>
#include <mutex>

namespace hora::slurm {

// As std::atomic<std::shared_ptr<Value>>, whose load() of g++ 12 lets go of its lock unordered: the
// next store() may then come before the load has read. A lock is held for as long as a pointer is
// copied.
template <class Value>
class SharedValue {
  public:
    std::shared_ptr<Value> load() const {
        const std::lock_guard lock(mutex_);
        return value_;
    }

    // The value before is destroyed after the lock is released: that may take long.
    void store(std::shared_ptr<Value> value) {
        const std::lock_guard lock(mutex_);
        value_.swap(value);
    }

  private:
    mutable std::mutex mutex_;
    std::shared_ptr<Value> value_;
};

}  // namespace hora::slurm
