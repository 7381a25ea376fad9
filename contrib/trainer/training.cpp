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
#include "contrib/trainer/say.hpp"
#include "contrib/trainer/shares.hpp"
#include "contrib/trainer/shuffle.hpp"

namespace hora::trainer {
namespace {

Identity to_identity(const Settings& settings, const Learner::Task& task) {
    return {.seed = settings.seed,
            .batch = settings.smallest_batch.value_or(settings.batch),
            .samples = task.samples,
            .data_checksum = task.checksum,
            .parameters = task.parameters,
            .rate = settings.rate};
}

std::uint64_t steps_of_epoch(std::uint64_t samples, std::uint64_t batch) {
    return (samples + batch - 1) / batch;
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
      smallest_batch_(settings.smallest_batch.value_or(settings.batch)),
      identity_(to_identity(settings, learner.task())),
      all_work_(static_cast<double>(settings.epochs * steps_of_epoch(samples_, smallest_batch_))),
      progress_(exchange.is_first() ? settings.progress : std::string()),
      noise_scale_(smallest_batch_) {
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
    // Not asked of all together: others may wait for this rank's GPU, and notice its end alone.
    if (const auto started = start_learner(*checkpoint); !started) {
        say(stderr, "{}: {}\n", settings_.program, started.error().message);
        return false;
    }
    return !has_failed(exchange_, settings_.program, check_same_start());
}

Expected<void> Training::start_learner(const std::optional<Checkpoint>& checkpoint) {
    if (checkpoint) {
        say(stdout, "resumed after step {}\n", step_);
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
        say(stderr, "{}: {}\n", settings_.program, remark);
    }
    return newest;
}

Expected<void> Training::share_counters(const Checkpoint& checkpoint) {
    for (const auto& [to, from] : {std::pair{&step_, checkpoint.step},
                                   {&epoch_, checkpoint.epoch},
                                   {&position_, checkpoint.position}}) {
        const auto number = exchange_.copy_from_first(from);
        if (!number) {
            return unexpected(number.error());
        }
        *to = *number;
    }
    NoiseScale::State noise;
    for (const auto& [to, from] : {std::pair{&work_, checkpoint.work},
                                   {&noise.signal, checkpoint.noise.signal},
                                   {&noise.noise, checkpoint.noise.noise},
                                   {&noise.weight, checkpoint.noise.weight},
                                   {&noise.value, checkpoint.noise.value},
                                   {&epoch_loss_, checkpoint.epoch_loss},
                                   {&last_loss_, checkpoint.last_loss},
                                   {&seconds_before_, checkpoint.seconds}}) {
        const auto bits = exchange_.copy_from_first(std::bit_cast<std::uint64_t>(from));
        if (!bits) {
            return unexpected(bits.error());
        }
        *to = std::bit_cast<double>(*bits);
    }
    if (settings_.smallest_batch) {
        noise_scale_.restore(noise);
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
                      .work = work_,
                      .epoch = epoch_,
                      .position = position_,
                      .noise = noise_scale_.state(),
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
    while (!is_done()) {
        if (auto done = step(); !done) {
            return done;
        }
        brake();
        // What is trained since the last report would be lost in a wait.
        if (step_ % settings_.report_steps == 0 || is_done() || is_requested_) {
            report_progress();
        }
        if (position_ == samples_ || is_done()) {
            if (auto done = finish_epoch(); !done) {
                return done;
            }
        }
        if (is_requested_ && !is_done()) {
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
        say(stdout, "final     loss {:.10g}  {} {:.2f}{}  steps {}  seconds {:.2f}\n", last_loss_,
            result->name, result->value, result->unit, step_, elapsed());
        if (const auto noise_scale = noise_scale_.value()) {
            say(stdout, "noise scale {:.4g} samples\n", *noise_scale);
        }
        if (const std::string more = learner_.summary(); !more.empty()) {
            say(stdout, "{}\n", more);
        }
        if (folder_) {
            folder_->withdraw();
        }
    }
    return {};
}

Expected<void> Training::step() {
    if (std::exchange(order_epoch_, epoch_) != epoch_) {
        order_ = epoch_order(samples_, settings_.seed, epoch_);
    }
    const std::uint64_t size = std::min(settings_.batch, samples_ - position_);
    const double left = all_work_ - work_;
    const double worth = std::min(gain(size, smallest_batch_, noise_scale_.value()), left);
    const Slice mine = slice_of(shares_, static_cast<std::size_t>(exchange_.rank()), size);
    const auto sums = learner_.step(
        {.number = step_,
         .samples = std::span(order_).subspan(position_ + mine.begin, mine.end - mine.begin),
         .batch = size,
         .is_requested = folder_ && requests::take(),
         .measures_noise = settings_.smallest_batch.has_value(),
         .gain = worth});
    if (!sums) {
        return unexpected(sums.error());
    }
    is_requested_ = sums->requests > 0;
    noise_scale_.add(sums->squares, size);
    epoch_loss_ += sums->loss;
    ++step_;
    work_ = worth < left ? work_ + worth : all_work_;  // as added up it may miss it by a rounding
    position_ += size;
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
    // Where the batch may change: as many as steps of the smallest batch would have needed.
    const double worth = work_ * static_cast<double>(smallest_batch_);
    const std::uint64_t samples = settings_.smallest_batch ? static_cast<std::uint64_t>(worth)
                                                           : epoch_ * samples_ + position_;
    say_failure(progress_.append({.step = step_,
                                  .epoch = epoch_ + 1,
                                  .samples = samples,
                                  .seconds = seconds_between(last_report_, now),
                                  .noise_scale = noise_scale_.value()}));
    last_report_ = now;
}

// The last epoch ends where the work is done.
Expected<void> Training::finish_epoch() {
    last_loss_ = epoch_loss_ / static_cast<double>(position_);
    const std::uint64_t epoch = epoch_ + 1;
    const bool is_whole = position_ == samples_;
    if (is_whole) {
        epoch_ = epoch;
        position_ = 0;
        epoch_loss_ = 0;
    }
    if (auto settled = learner_.settle(); !settled) {
        return settled;
    }
    const auto result = test();
    if (!result) {
        return unexpected(result.error());
    }
    if (exchange_.is_first()) {
        say(stdout, "epoch {:3}  loss {:.6f}  {} {:.1f}{}  seconds {:.2f}\n", epoch, last_loss_,
            result->name, result->value, result->unit, elapsed());
        std::fflush(stdout);
    }
    if (settings_.checkpoint_epochs != 0 &&
        (!is_whole || epoch % settings_.checkpoint_epochs == 0)) {
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
        say(stderr, "{}: {}\n", settings_.program, outcome.error().message);
    }
}

}  // namespace hora::trainer
