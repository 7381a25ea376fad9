// The training: steps, epochs, and pauses for checkpoints.
#include "contrib/mpi/training.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <thread>
#include <utility>

#include "contrib/trainer/requests.hpp"
#include "contrib/trainer/shares.hpp"
#include "contrib/trainer/shuffle.hpp"

namespace hora::trainer {
namespace {

constexpr std::size_t loss_at = Network::parameter_count;
constexpr std::size_t request_at = loss_at + 1;

Identity to_identity(const Settings& settings, const Digits& digits) {
    return {.seed = settings.seed,
            .batch = settings.batch,
            .samples = digits.training.size(),
            .data_checksum = digits.checksum,
            .parameters = Network::parameter_count,
            .rate = settings.rate};
}

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

}  // namespace

Training::Training(const Settings& settings, const Digits& digits, const Exchange& exchange,
                   std::vector<std::uint64_t> shares)
    : settings_(settings),
      digits_(digits),
      exchange_(exchange),
      shares_(std::move(shares)),
      identity_(to_identity(settings, digits)),
      steps_per_epoch_((digits.training.size() + settings.batch - 1) / settings.batch),
      progress_(exchange.is_first() ? settings.progress : std::string()),
      network_(settings.seed),
      optimiser_(Network::parameter_count, settings.rate),
      sums_(request_at + 1) {
    if (!settings.checkpoints.empty()) {
        folder_.emplace(settings.checkpoints);
    }
}

Expected<void> Training::resume() {
    std::optional<Checkpoint> checkpoint;
    Expected<void> outcome;
    if (folder_ && exchange_.is_first()) {
        outcome = folder_->prepare();
        std::vector<std::string> skipped;
        auto newest = outcome ? folder_->newest(identity_, skipped) : unexpected(outcome.error());
        for (const std::string& remark : skipped) {
            fmt::print(stderr, "hora-train-digits: {}\n", remark);
        }
        if (newest) {
            checkpoint = std::move(*newest);
        } else {
            outcome = unexpected(newest.error());
        }
    }
    if (exchange_.agree(!outcome.has_value()).failed) {
        return outcome ? failure("") : outcome;
    }
    if (exchange_.copy_from_first(std::uint64_t{checkpoint.has_value()}) != 0) {
        load(checkpoint.value_or(Checkpoint{}));
    }
    return exchange_.broadcast_start(network_.parameters(), optimiser_.velocity());
}

void Training::load(const Checkpoint& checkpoint) {
    step_ = exchange_.copy_from_first(checkpoint.step);
    double numbers[] = {checkpoint.epoch_loss, checkpoint.last_loss, checkpoint.seconds};
    exchange_.copy_from_first(numbers);
    epoch_loss_ = numbers[0];
    last_loss_ = numbers[1];
    seconds_before_ = numbers[2];
    if (exchange_.is_first()) {
        std::ranges::copy(checkpoint.parameters, network_.parameters().begin());
        std::ranges::copy(checkpoint.velocity, optimiser_.velocity().begin());
        fmt::print("resumed after step {}\n", step_);
    }
}

Checkpoint Training::state() {
    const auto parameters = network_.parameters();
    const auto velocity = optimiser_.velocity();
    return {.step = step_,
            .epoch_loss = epoch_loss_,
            .last_loss = last_loss_,
            .seconds = elapsed(),
            .parameters = {parameters.begin(), parameters.end()},
            .velocity = {velocity.begin(), velocity.end()}};
}

double Training::elapsed() const {
    return seconds_before_ + seconds_between(started_, Clock::now());
}

void Training::run() {
    started_ = last_report_ = Clock::now();
    while (step_ < last_step()) {
        step();
        brake();
        if (step_ % settings_.report_steps == 0 || step_ == last_step()) {
            report_progress();
        }
        if (step_ % steps_per_epoch_ == 0) {
            finish_epoch();
        }
        if (is_requested_ && step_ < last_step()) {
            answer_request();
        }
    }
    const double result = accuracy();
    if (exchange_.is_first()) {
        fmt::print("final     loss {:.10g}  accuracy {:.2f} %  steps {}  seconds {:.2f}\n",
                   last_loss_, 100 * result, step_, elapsed());
        if (folder_) {
            folder_->withdraw();
        }
    }
}

void Training::step() {
    if (std::exchange(order_epoch_, epoch()) != epoch()) {
        order_ = epoch_order(digits_.training.size(), settings_.seed, epoch());
    }
    const std::uint64_t first = step_ % steps_per_epoch_ * settings_.batch;
    const std::uint64_t size = std::min<std::uint64_t>(settings_.batch, order_.size() - first);
    const Slice mine = slice_of(shares_, static_cast<std::size_t>(exchange_.rank()), size);

    std::ranges::fill(sums_, 0.0);
    const auto gradient = std::span(sums_).first<Network::parameter_count>();
    for (std::uint64_t i = mine.begin; i < mine.end; ++i) {
        sums_[loss_at] += network_.learn(digits_.training[order_[first + i]], gradient);
    }
    // A request reaches the ranks at different moments. Summed with the gradient, it reaches all of
    // them at the end of the same step.
    sums_[request_at] = folder_ && requests::take() ? 1 : 0;
    exchange_.sum(sums_);
    is_requested_ = sums_[request_at] > 0;
    epoch_loss_ += sums_[loss_at];
    for (double& value : gradient) {
        value /= static_cast<double>(size);
    }
    optimiser_.step(network_.parameters(), gradient);
    ++step_;
}

void Training::brake() const {
    if (!settings_.brake.empty() && ::access(settings_.brake.c_str(), F_OK) == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

void Training::report_progress() {
    if (!exchange_.is_first()) {
        return;
    }
    const Clock::time_point now = Clock::now();
    const std::uint64_t in_epoch = (step_ - 1) % steps_per_epoch_ + 1;
    const std::uint64_t samples =
        (step_ - in_epoch) / steps_per_epoch_ * digits_.training.size() +
        std::min<std::uint64_t>(in_epoch * settings_.batch, digits_.training.size());
    say_failure(progress_.append({.step = step_,
                                  .epoch = (step_ - 1) / steps_per_epoch_ + 1,
                                  .samples = samples,
                                  .seconds = seconds_between(last_report_, now)}));
    last_report_ = now;
}

void Training::finish_epoch() {
    last_loss_ = std::exchange(epoch_loss_, 0.0) / static_cast<double>(digits_.training.size());
    const double result = accuracy();
    if (exchange_.is_first()) {
        fmt::print("epoch {:3}  loss {:.6f}  accuracy {:.1f} %  seconds {:.2f}\n", epoch(),
                   last_loss_, 100 * result, elapsed());
        std::fflush(stdout);
    }
    if (settings_.checkpoint_epochs != 0 && epoch() % settings_.checkpoint_epochs == 0) {
        write_checkpoint();
    }
}

// Of the test images, each rank looks at every size-th.
double Training::accuracy() {
    double right[] = {0};
    const auto stride = static_cast<std::size_t>(exchange_.size());
    for (std::size_t i = static_cast<std::size_t>(exchange_.rank()); i < digits_.test.size();
         i += stride) {
        right[0] += network_.classify(digits_.test[i]) == digits_.test[i].label ? 1 : 0;
    }
    exchange_.sum(right);
    return right[0] / static_cast<double>(digits_.test.size());
}

// Whether one stands now; a failure is reported and training goes on.
bool Training::write_checkpoint() {
    if (!folder_ || !exchange_.is_first()) {
        return false;
    }
    const auto written = folder_->write(state(), identity_);
    say_failure(written);
    return written.has_value();
}

// The checkpoint contract: write, announce, wait to be ended, go on if nobody does.
void Training::answer_request() {
    const auto still_the_same_request = [] { requests::take(); };
    exchange_.while_first_waits(
        [&] {
            if (!write_checkpoint()) {
                return;
            }
            const auto announced = folder_->announce(step_, settings_.restart_count);
            say_failure(announced);
            const Clock::time_point until =
                Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(settings_.ready_wait));
            // A request that comes while READY stands is answered by it; one that comes after its
            // end is a new one.
            while (announced && Clock::now() < until && folder_->is_announced()) {
                still_the_same_request();
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }
            folder_->withdraw();
        },
        still_the_same_request);
    last_report_ = Clock::now();  // waiting is not training
}

void Training::say_failure(const Expected<void>& outcome) const {
    if (!outcome) {
        fmt::print(stderr, "hora-train-digits: {}\n", outcome.error().message);
    }
}

}  // namespace hora::trainer
