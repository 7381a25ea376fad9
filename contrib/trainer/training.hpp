// The training: steps, epochs, and pauses for checkpoints.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "contrib/trainer/checkpoint.hpp"
#include "contrib/trainer/exchange.hpp"
#include "contrib/trainer/learner.hpp"
#include "contrib/trainer/progress.hpp"
#include "contrib/trainer/settings.hpp"

namespace hora::trainer {

class Training {
  public:
    Training(const Settings& settings, Exchange& exchange, Learner& learner,
             std::vector<std::uint64_t> shares);

    // All ranks start alike: from the newest checkpoint, if there is one, or else from the weights
    // of rank 0. False where that fails on a rank, which has then said why.
    bool start();
    // Fails where a rank or its device is lost.
    Expected<void> run();

  private:
    Expected<std::optional<Checkpoint>> find_checkpoint() const;
    Expected<void> share_counters(const Checkpoint& checkpoint);
    Expected<void> start_learner(const std::optional<Checkpoint>& checkpoint);
    Expected<void> check_same_start();
    Expected<void> step();
    void brake() const;
    Expected<void> finish_epoch();
    Expected<Learner::Result> test();
    void report_progress();
    Expected<bool> write_checkpoint();
    Expected<void> answer_request();
    void announce_and_wait();
    Expected<Checkpoint> state();
    double elapsed() const;
    void say_failure(const Expected<void>& outcome) const;

    std::uint64_t epoch() const { return step_ / steps_per_epoch_; }  // of the next step, from 0
    std::uint64_t last_step() const { return settings_.epochs * steps_per_epoch_; }

    const Settings& settings_;
    Exchange& exchange_;
    Learner& learner_;
    const std::vector<std::uint64_t> shares_;
    const std::uint64_t samples_;
    const Identity identity_;
    const std::uint64_t steps_per_epoch_;
    std::optional<CheckpointFolder> folder_;
    Progress progress_;

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
