// Which signals has the daemon got?
#pragma once

#include <optional>
#include <utility>

#include "libplanner/base/error.hpp"
#include "plugins/slurm/store/descriptor.hpp"

namespace hora::horad {

// SIGTERM, SIGINT and SIGHUP, taken in the loop and nowhere else. To be made before any thread
// starts: threads inherit what is blocked.
class Signals {
  public:
    static Expected<Signals> block();

    int file() const { return file_.number(); }  // readable when one has come
    std::optional<int> next();                   // empty: no more for now

  private:
    explicit Signals(slurm::Descriptor file) : file_(std::move(file)) {}

    slurm::Descriptor file_;
};

}  // namespace hora::horad
