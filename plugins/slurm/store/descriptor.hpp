// Who closes a file descriptor?
#pragma once

#include <unistd.h>

#include <utility>

namespace hora::slurm {

// Whichever object it was last moved to, at its end. Below 0: no descriptor.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() { close(); }

    int number() const { return number_; }
    bool is_open() const { return number_ >= 0; }
    // False, with errno, where the system reports that a write has failed after all.
    bool close() { return !is_open() || ::close(std::exchange(number_, -1)) == 0; }

  private:
    int number_ = -1;
};

}  // namespace hora::slurm
