// Which signals has the daemon got?
#pragma once

#include <optional>

#include "libplanner/base/error.hpp"

namespace hora::horad {

// SIGTERM, SIGINT and SIGHUP, taken in the loop and nowhere else. To be made before any thread
// starts: threads inherit what is blocked.
class Signals {
  public:
    static Expected<Signals> block();

    Signals(Signals&& other) noexcept;
    Signals& operator=(Signals&& other) noexcept;
    ~Signals();

    int file() const { return file_; }  // readable when one has come
    std::optional<int> next();          // empty: no more for now

  private:
    explicit Signals(int file) : file_(file) {}

    int file_ = -1;
};

}  // namespace hora::horad
