// What does a policy know that sees the true curves?
#pragma once

#include "libplanner/sim/knowledge.hpp"

namespace hora::sim {

class Oracle : public Knowledge {
  public:
    explicit Oracle(const domain::JobTrace& trace) : trace_(trace) {}

    std::span<const Seconds> epoch_seconds(std::uint32_t job) const override {
        return trace_.speeds[trace_.jobs[job].speed].epoch_seconds;
    }
    std::span<const double> doubt(std::uint32_t) const override { return {}; }
    bool observe(std::uint32_t, std::uint32_t, std::uint32_t, Seconds) override { return false; }

  private:
    const domain::JobTrace& trace_;
};

}  // namespace hora::sim
