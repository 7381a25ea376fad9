// The training: steps, epochs, and pauses for checkpoints.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "contrib/trainer/checkpoint.hpp"
#include "contrib/trainer/exchange.hpp"
#include "contrib/trainer/learner.hpp"
#include "contrib/trainer/noise_scale.hpp"
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

    bool is_done() const { return work_ >= all_work_; }

    const Settings& settings_;
    Exchange& exchange_;
    Learner& learner_;
    const std::vector<std::uint64_t> shares_;
    const std::uint64_t samples_;
    const std::uint64_t smallest_batch_;  // the batch, where it may not change
    const Identity identity_;
    const double all_work_;  // in steps of the smallest batch
    std::optional<CheckpointFolder> folder_;
    Progress progress_;

    std::vector<std::size_t> order_;
    std::uint64_t order_epoch_ = ~std::uint64_t{0};
    std::uint64_t step_ = 0;      // steps done
    double work_ = 0;             // what they were worth, in steps of the smallest batch
    std::uint64_t epoch_ = 0;     // whole ones done
    std::uint64_t position_ = 0;  // samples of the next epoch that are done
    NoiseScale noise_scale_;
    double epoch_loss_ = 0;
    double last_loss_ = 0;
    bool is_requested_ = false;

    using Clock = std::chrono::steady_clock;
    double seconds_before_ = 0;  // trained before this start
    Clock::time_point started_;
    Clock::time_point last_report_;
};

}  // namespace hora::trainer
