// The training: steps, epochs, and pauses for checkpoints.
#include "contrib/trainer/training.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <thread>
#include <utility>

#include "contrib/trainer/failure.hpp"
#include "contrib/trainer/requests.hpp"
#include "contrib/trainer/shares.hpp"
#include "contrib/trainer/shuffle.hpp"

namespace hora::trainer {
namespace {

Identity to_identity(const Settings& settings, const Learner::Task& task) {
    return {.seed = settings.seed,
            .batch = settings.batch,
            .samples = task.samples,
            .data_checksum = task.checksum,
            .parameters = task.parameters,
            .rate = settings.rate};
}

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

std::uint64_t digest(const std::vector<double>& values, std::uint64_t before) {
    return crc32_z(before, reinterpret_cast<const Bytef*>(values.data()),
                   values.size() * sizeof(double));
}

}  // namespace

Training::Training(const Settings& settings, Exchange& exchange, Learner& learner,
                   std::vector<std::uint64_t> shares)
    : settings_(settings),
      exchange_(exchange),
      learner_(learner),
      shares_(std::move(shares)),
      samples_(learner.task().samples),
      identity_(to_identity(settings, learner.task())),
      steps_per_epoch_((samples_ + settings.batch - 1) / settings.batch),
      progress_(exchange.is_first() ? settings.progress : std::string()) {
    if (!settings.checkpoints.empty()) {
        folder_.emplace(settings.checkpoints);
    }
}

bool Training::start() {
    const auto checkpoint = find_checkpoint();
    if (has_failed(exchange_, settings_.program, checkpoint)) {
        return false;
    }
    const auto shared = share_counters(checkpoint->value_or(Checkpoint{}));
    if (has_failed(exchange_, settings_.program, shared)) {
        return false;
    }
    return !has_failed(exchange_, settings_.program, start_learner(*checkpoint)) &&
           !has_failed(exchange_, settings_.program, check_same_start());
}

Expected<void> Training::start_learner(const std::optional<Checkpoint>& checkpoint) {
    if (checkpoint) {
        fmt::print("resumed after step {}\n", step_);
        return learner_.start_from_first(
            {.parameters = checkpoint->parameters, .velocity = checkpoint->velocity});
    }
    const auto state = learner_.state();
    return state ? learner_.start_from_first(*state) : unexpected(state.error());
}

// Only rank 0 looks.
Expected<std::optional<Checkpoint>> Training::find_checkpoint() const {
    if (!folder_ || !exchange_.is_first()) {
        return std::nullopt;
    }
    if (auto prepared = folder_->prepare(); !prepared) {
        return unexpected(prepared.error());
    }
    std::vector<std::string> skipped;
    auto newest = folder_->newest(identity_, skipped);
    for (const std::string& remark : skipped) {
        fmt::print(stderr, "{}: {}\n", settings_.program, remark);
    }
    return newest;
}

Expected<void> Training::share_counters(const Checkpoint& checkpoint) {
    const auto step = exchange_.copy_from_first(checkpoint.step);
    if (!step) {
        return unexpected(step.error());
    }
    step_ = *step;
    for (const auto& [to, from] : {std::pair{&epoch_loss_, checkpoint.epoch_loss},
                                   {&last_loss_, checkpoint.last_loss},
                                   {&seconds_before_, checkpoint.seconds}}) {
        const auto bits = exchange_.copy_from_first(std::bit_cast<std::uint64_t>(from));
        if (!bits) {
            return unexpected(bits.error());
        }
        *to = std::bit_cast<double>(*bits);
    }
    return {};
}

// Ranks that start apart stay apart, and nothing else would show it.
Expected<void> Training::check_same_start() {
    const auto state = learner_.state();
    if (!state) {
        return unexpected(state.error());
    }
    const auto other = exchange_.find_other(digest(state->velocity, digest(state->parameters, 0)));
    if (!other) {
        return unexpected(other.error());
    }
    if (*other) {
        return failure(fmt::format(
            "rank {} did not receive the parameters of rank 0; this is a bug, or of the "
            "network between them",
            **other));
    }
    return {};
}

Expected<Checkpoint> Training::state() {
    auto state = learner_.state();
    if (!state) {
        return unexpected(state.error());
    }
    return Checkpoint{.step = step_,
                      .epoch_loss = epoch_loss_,
                      .last_loss = last_loss_,
                      .seconds = elapsed(),
                      .parameters = std::move(state->parameters),
                      .velocity = std::move(state->velocity)};
}

double Training::elapsed() const {
    return seconds_before_ + seconds_between(started_, Clock::now());
}

Expected<void> Training::run() {
    started_ = last_report_ = Clock::now();
    while (step_ < last_step()) {
        if (auto done = step(); !done) {
            return done;
        }
        brake();
        if (step_ % settings_.report_steps == 0 || step_ == last_step()) {
            report_progress();
        }
        if (step_ % steps_per_epoch_ == 0) {
            if (auto done = finish_epoch(); !done) {
                return done;
            }
        }
        if (is_requested_ && step_ < last_step()) {
            if (auto done = answer_request(); !done) {
                return done;
            }
        }
    }
    const auto result = test();
    if (!result) {
        return unexpected(result.error());
    }
    if (exchange_.is_first()) {
        fmt::print("final     loss {:.10g}  {} {:.2f}{}  steps {}  seconds {:.2f}\n", last_loss_,
                   result->name, result->value, result->unit, step_, elapsed());
        if (const std::string more = learner_.summary(); !more.empty()) {
            fmt::print("{}\n", more);
        }
        if (folder_) {
            folder_->withdraw();
        }
    }
    return {};
}

Expected<void> Training::step() {
    if (std::exchange(order_epoch_, epoch()) != epoch()) {
        order_ = epoch_order(samples_, settings_.seed, epoch());
    }
    const std::uint64_t first = step_ % steps_per_epoch_ * settings_.batch;
    const std::uint64_t size = std::min<std::uint64_t>(settings_.batch, order_.size() - first);
    const Slice mine = slice_of(shares_, static_cast<std::size_t>(exchange_.rank()), size);
    const auto sums = learner_.step(
        {.number = step_,
         .samples = std::span(order_).subspan(first + mine.begin, mine.end - mine.begin),
         .batch = size,
         .is_requested = folder_ && requests::take()});
    if (!sums) {
        return unexpected(sums.error());
    }
    is_requested_ = sums->requests > 0;
    epoch_loss_ += sums->loss;
    ++step_;
    return {};
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
    const std::uint64_t samples = (step_ - in_epoch) / steps_per_epoch_ * samples_ +
                                  std::min<std::uint64_t>(in_epoch * settings_.batch, samples_);
    say_failure(progress_.append({.step = step_,
                                  .epoch = (step_ - 1) / steps_per_epoch_ + 1,
                                  .samples = samples,
                                  .seconds = seconds_between(last_report_, now)}));
    last_report_ = now;
}

Expected<void> Training::finish_epoch() {
    last_loss_ = std::exchange(epoch_loss_, 0.0) / static_cast<double>(samples_);
    if (auto settled = learner_.settle(); !settled) {
        return settled;
    }
    const auto result = test();
    if (!result) {
        return unexpected(result.error());
    }
    if (exchange_.is_first()) {
        fmt::print("epoch {:3}  loss {:.6f}  {} {:.1f}{}  seconds {:.2f}\n", epoch(), last_loss_,
                   result->name, result->value, result->unit, elapsed());
        std::fflush(stdout);
    }
    if (settings_.checkpoint_epochs != 0 && epoch() % settings_.checkpoint_epochs == 0) {
        if (const auto written = write_checkpoint(); !written) {
            return unexpected(written.error());
        }
    }
    return {};
}

// Of the samples held out, each rank looks at every size-th.
Expected<Learner::Result> Training::test() {
    const auto mine = learner_.test(static_cast<std::size_t>(exchange_.rank()),
                                    static_cast<std::size_t>(exchange_.size()));
    if (!mine) {
        return unexpected(mine.error());
    }
    const auto bits = exchange_.gather(std::bit_cast<std::uint64_t>(*mine));
    if (!bits) {
        return unexpected(bits.error());
    }
    double sum = 0;
    for (const std::uint64_t one : *bits) {
        sum += std::bit_cast<double>(one);
    }
    return learner_.result(sum);
}

// Whether one stands now; training goes on where it cannot be written.
Expected<bool> Training::write_checkpoint() {
    if (!folder_ || !exchange_.is_first()) {
        return false;
    }
    const auto checkpoint = state();
    if (!checkpoint) {
        return unexpected(checkpoint.error());
    }
    const auto written = folder_->write(*checkpoint, identity_);
    say_failure(written);
    return written.has_value();
}

// The checkpoint contract: write, announce, wait to be ended, go on if that does not come.
Expected<void> Training::answer_request() {
    if (auto settled = learner_.settle(); !settled) {
        return settled;
    }
    const auto written = write_checkpoint();
    if (!written) {
        return unexpected(written.error());
    }
    auto waited = exchange_.while_first_waits(
        [&] {
            if (*written) {
                announce_and_wait();
            }
        },
        [] { requests::take(); });
    last_report_ = Clock::now();  // waiting is not training
    return waited;
}

void Training::announce_and_wait() {
    const auto announced = folder_->announce(step_, settings_.restart_count);
    say_failure(announced);
    const Clock::time_point until =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(
                           std::chrono::duration<double>(settings_.ready_wait));
    while (announced && Clock::now() < until && folder_->is_announced()) {
        // A request that comes while READY stands is answered by it; one that comes after its end
        // is a new one.
        requests::take();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    folder_->withdraw();
}

void Training::say_failure(const Expected<void>& outcome) const {
    if (!outcome) {
        fmt::print(stderr, "{}: {}\n", settings_.program, outcome.error().message);
    }
}

}  // namespace hora::trainer
