// The training: steps, epochs, and pauses for checkpoints.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "contrib/mpi/exchange.hpp"
#include "contrib/trainer/checkpoint.hpp"
#include "contrib/trainer/digits.hpp"
#include "contrib/trainer/network.hpp"
#include "contrib/trainer/optimiser.hpp"
#include "contrib/trainer/progress.hpp"
#include "contrib/trainer/settings.hpp"

namespace hora::trainer {

class Training {
  public:
    Training(const Settings& settings, const Digits& digits, const Exchange& exchange,
             std::vector<std::uint64_t> shares);

    // Goes on from the newest checkpoint, if there is one. Fails on the rank that is to say why.
    Expected<void> resume();
    void run();

  private:
    void step();
    void brake() const;
    void finish_epoch();
    double accuracy();
    void report_progress();
    bool write_checkpoint();
    void answer_request();
    void load(const Checkpoint& checkpoint);
    Checkpoint state();
    double elapsed() const;
    void say_failure(const Expected<void>& outcome) const;

    std::uint64_t epoch() const { return step_ / steps_per_epoch_; }  // of the next step, from 0
    std::uint64_t last_step() const { return settings_.epochs * steps_per_epoch_; }

    const Settings& settings_;
    const Digits& digits_;
    const Exchange& exchange_;
    const std::vector<std::uint64_t> shares_;
    const Identity identity_;
    const std::uint64_t steps_per_epoch_;
    std::optional<CheckpointFolder> folder_;
    Progress progress_;

    Network network_;
    Optimiser optimiser_;
    std::vector<double> sums_;  // gradient, then loss, then requests for a checkpoint
    std::vector<std::size_t> order_;
    std::uint64_t order_epoch_ = ~std::uint64_t{0};
    std::uint64_t step_ = 0;  // steps done
    double epoch_loss_ = 0;
    double last_loss_ = 0;
    bool is_requested_ = false;

    using Clock = std::chrono::steady_clock;
    double seconds_before_ = 0;  // trained before this start
    Clock::time_point started_;
    Clock::time_point last_report_;
};

}  // namespace hora::trainer
