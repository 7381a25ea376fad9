// Is what a training tests and keeps the state of all its steps, and does it take each sample once
// whatever the batches are?
#include "contrib/trainer/training.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>

#include "contrib/trainer/requests.hpp"
#include "contrib/trainer/shuffle.hpp"
#include "contrib/trainer/train.hpp"
#include "libplanner/read/trace/progress.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::trainer {
namespace {

class OneRank final : public Exchange {
  public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    Expected<std::vector<std::uint64_t>> gather(std::uint64_t value) override { return {{value}}; }
    Expected<void> while_first_waits(const std::function<void()>& waits,
                                     const std::function<void()>&) override {
        waits();
        return {};
    }
};

// Its parameter counts the samples that it has learned, of which settle() brings those of the last
// steps.
class Behind final : public Learner {
  public:
    explicit Behind(std::uint64_t asked_in) : asked_in_(asked_in) {}

    Task task() const override {
        return {.data = "10 samples", .samples = 10, .checksum = 1, .parameters = 1};
    }
    Expected<Sums> step(const Step& step) override {
        EXPECT_EQ(step.number, steps_++);
        behind_ += static_cast<double>(step.samples.size());
        if (step.number == asked_in_) {
            std::raise(SIGUSR1);  // is seen in the next step
        }
        return Sums{.loss = 0, .requests = step.is_requested ? 1.0 : 0.0};
    }
    Expected<double> test(std::size_t, std::size_t) override {
        EXPECT_EQ(behind_, 0) << "tested before it was settled";
        return learned_;
    }
    Result result(double sum) const override { return {.name = "sum", .value = sum, .unit = ""}; }
    Expected<void> settle() override {
        learned_ += std::exchange(behind_, 0);
        return {};
    }
    Expected<State> state() override {
        EXPECT_EQ(behind_, 0) << "kept before it was settled";
        return State{.parameters = {learned_}, .velocity = {}};
    }
    Expected<void> start_from_first(const State& state) override {
        learned_ = state.parameters.front();
        return {};
    }

  private:
    std::uint64_t asked_in_;
    std::uint64_t steps_ = 0;
    double learned_ = 0;
    double behind_ = 0;
};

TEST(Training, SettlesBeforeItTestsAndKeeps) {
    const tests::ScratchFolder folder;
    requests::listen();
    const Settings settings{.program = "training",
                            .epochs = 2,
                            .batch = 3,
                            .checkpoints = folder.path(),
                            .ready_wait = 0};
    OneRank exchange;
    Behind learner(4);  // the first step of the second epoch
    Training training(settings, exchange, learner, {3});
    ASSERT_TRUE(training.start());
    ASSERT_TRUE(training.run());
    const CheckpointFolder kept(folder.path());
    const Identity identity{.seed = settings.seed,
                            .batch = 3,
                            .samples = 10,
                            .data_checksum = 1,
                            .parameters = 1,
                            .rate = settings.rate};
    std::vector<std::string> skipped;
    auto newest = kept.newest(identity, skipped);
    ASSERT_TRUE(newest && *newest);
    EXPECT_EQ((*newest)->step, 8U);
    EXPECT_EQ((*newest)->parameters.front(), 20);
    // The one before it was asked for, within the epoch.
    std::filesystem::remove(folder.file("checkpoint-0000000008"));
    newest = kept.newest(identity, skipped);
    ASSERT_TRUE(newest && *newest);
    EXPECT_EQ((*newest)->step, 6U);
    EXPECT_EQ((*newest)->parameters.front(), 16);
}

TEST(Training, ReportsItsStepsBeforeItAnswersARequest) {
    const tests::ScratchFolder folder;
    requests::listen();
    const Settings settings{.program = "training",
                            .epochs = 2,
                            .batch = 3,
                            .report_steps = 100,
                            .checkpoints = folder.path(),
                            .ready_wait = 0,
                            .progress = folder.file("progress")};
    OneRank exchange;
    Behind learner(4);
    Training training(settings, exchange, learner, {3});
    ASSERT_TRUE(training.start());
    ASSERT_TRUE(training.run());
    const auto progress = read::read_progress(folder.read("progress"));
    ASSERT_TRUE(progress);
    ASSERT_EQ(progress->reports.size(), 2U);
    EXPECT_EQ(progress->reports[0].step, 6U);
    EXPECT_EQ(progress->reports[1].step, 8U);
}

TEST(Training, RefusesARangeOfBatchesWhereNoNoiseIsMeasured) {
    OneRank exchange;
    const Settings settings{.program = "training", .batch = 4, .smallest_batch = 2};
    const auto make = [](auto) -> Expected<std::unique_ptr<Learner>> {
        return std::make_unique<Behind>(0);
    };
    testing::internal::CaptureStderr();
    EXPECT_EQ(train(exchange, settings, make), 2);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "training: this trainer does not measure the noise of its gradients, which a batch "
              "that changes needs; unset HORA_BATCH_MIN, or give the job one batch: "
              "--hora-batch=N\n");
}

constexpr std::uint64_t sample_count = 100;
constexpr double noise_scale = 40;

// Notes what it is given; its gradients have that noise scale. It is lost in the step after the
// one whose checkpoint it asked for.
class Notes final : public Learner {
  public:
    struct Seen {
        std::uint64_t number = 0;
        std::vector<std::size_t> samples;
        double gain = 0;
    };

    Notes(std::vector<Seen>& seen, std::uint64_t last_step) : seen_(seen), last_step_(last_step) {}

    Task task() const override {
        return {.data = "100 samples", .samples = sample_count, .checksum = 1, .parameters = 1};
    }
    bool measures_noise() const override { return true; }
    Expected<Sums> step(const Step& step) override {
        if (step.number == last_step_) {
            return failure("lost");
        }
        if (step.number + 2 == last_step_) {
            std::raise(SIGUSR1);  // is seen in the next step
        }
        seen_.push_back({.number = step.number,
                         .samples = {step.samples.begin(), step.samples.end()},
                         .gain = step.gain});
        // Two parts of a batch with |G|² = 1: see NoiseScale::add().
        const auto batch = static_cast<double>(step.batch);
        const GradientSquares squares{.parts = 2,
                                      .of_parts = batch * (1 + 2 * noise_scale / batch),
                                      .of_batch = batch * batch * (1 + noise_scale / batch)};
        return Sums{.loss = batch,
                    .requests = step.is_requested ? 1.0 : 0.0,
                    .squares = step.measures_noise ? squares : GradientSquares{}};
    }
    Expected<double> test(std::size_t, std::size_t) override { return 0.0; }
    Result result(double sum) const override { return {.name = "sum", .value = sum, .unit = ""}; }
    Expected<State> state() override { return State{.parameters = {0}, .velocity = {}}; }
    Expected<void> start_from_first(const State&) override { return {}; }

  private:
    std::vector<Seen>& seen_;
    std::uint64_t last_step_;
};

struct Start {
    std::uint64_t batch;
    std::uint64_t last_step;  // the last one starts reach the end of the training
    bool has_range = true;
};

struct Restarts {
    const char* sentence;
    std::uint64_t smallest;
    std::vector<Start> starts;
};

constexpr std::uint64_t to_the_end = ~std::uint64_t{0};

const Restarts restarts[] = {
    {"the smallest batch alone", 8, {{8, to_the_end}}},
    {"one larger batch", 8, {{32, to_the_end}}},
    {"a batch larger than an epoch", 8, {{1'000, to_the_end}}},
    {"larger within an epoch", 8, {{8, 5}, {32, to_the_end}}},
    {"larger, smaller, larger", 8, {{8, 5}, {40, 9}, {24, 17}, {64, to_the_end}}},
    {"a change before anything is known", 8, {{8, 2}, {64, to_the_end}}},
    {"a restart with the same batch", 8, {{24, 7}, {24, to_the_end}}},
    {"a batch that does not divide the epoch", 7, {{7, 10}, {33, 15}, {7, to_the_end}}},
    {"a training of one batch gets a range", 8, {{8, 5, false}, {32, to_the_end}}},
    {"a range is taken from a training", 8, {{32, 5}, {8, to_the_end, false}}},
};

std::vector<Notes::Seen> train_with(const Restarts& test, std::uint64_t epochs,
                                    const tests::ScratchFolder& folder) {
    std::vector<Notes::Seen> seen;
    for (const Start& start : test.starts) {
        Settings settings{.program = "training",
                          .epochs = epochs,
                          .batch = start.batch,
                          .smallest_batch = std::nullopt,
                          .checkpoint_epochs = 0,
                          .checkpoints = folder.path(),
                          .ready_wait = 0,
                          .progress = folder.file("progress")};
        if (start.has_range) {
            settings.smallest_batch = test.smallest;
        }
        OneRank exchange;
        Notes learner(seen, start.last_step);
        Training training(settings, exchange, learner, {start.batch});
        EXPECT_TRUE(training.start()) << test.sentence;
        EXPECT_EQ(training.run().has_value(), start.last_step == to_the_end) << test.sentence;
    }
    return seen;
}

TEST(Training, TakesEachSampleOfAnEpochOnceWhateverTheBatches) {
    requests::listen();
    for (const Restarts& test : restarts) {
        const tests::ScratchFolder folder;
        std::vector<std::size_t> taken;
        std::uint64_t steps = 0;
        for (const Notes::Seen& one : train_with(test, 3, folder)) {
            EXPECT_EQ(one.number, steps++) << test.sentence;
            taken.insert(taken.end(), one.samples.begin(), one.samples.end());
        }
        EXPECT_GE(taken.size(), 2 * sample_count) << test.sentence;
        std::vector<std::size_t> expected;
        for (std::uint64_t epoch = 0; expected.size() < taken.size(); ++epoch) {
            const auto order = epoch_order(sample_count, Settings{}.seed, epoch);
            expected.insert(expected.end(), order.begin(), order.end());
        }
        expected.resize(taken.size());
        EXPECT_EQ(taken, expected) << test.sentence;
    }
}

TEST(Training, EndsWhenItsStepsAreWorthThoseOfTheSmallestBatch) {
    requests::listen();
    for (const Restarts& test : restarts) {
        const tests::ScratchFolder folder;
        const auto seen = train_with(test, 3, folder);
        const auto smallest = static_cast<double>(test.smallest);
        double work = 0;
        for (const Notes::Seen& one : seen) {
            const auto size = static_cast<double>(one.samples.size());
            if (one.number + 1 < seen.size()) {
                EXPECT_GE(one.gain, 1) << test.sentence;
            }
            EXPECT_GT(one.gain, 0) << test.sentence;
            EXPECT_LE(one.gain, std::max(1.0, size / smallest)) << test.sentence;
            work += one.gain;
        }
        EXPECT_NEAR(work, 3 * std::ceil(sample_count / smallest), 1e-9) << test.sentence;
        // Once it is known, with this noise scale: as AdaScale has it.
        const Notes::Seen& late = seen[seen.size() - 2];
        const auto size = static_cast<double>(late.samples.size());
        if (test.starts.back().has_range && size > smallest) {
            EXPECT_NEAR(late.gain,
                        size / smallest * (noise_scale + smallest) / (noise_scale + size), 1e-9)
                << test.sentence;
        }
    }
}

TEST(Training, ReportsWhatItsSamplesAreWorth) {
    requests::listen();
    for (const Restarts& test : restarts) {
        if (!std::ranges::all_of(test.starts, &Start::has_range)) {
            continue;
        }
        const tests::ScratchFolder folder;
        const auto seen = train_with(test, 3, folder);
        const auto progress = read::read_progress(folder.read("progress"));
        ASSERT_TRUE(progress) << test.sentence;
        ASSERT_EQ(progress->reports.size(), seen.size()) << test.sentence;
        std::uint64_t samples = 0;
        for (std::size_t i = 0; i < seen.size(); ++i) {
            EXPECT_EQ(progress->reports[i].step, i + 1) << test.sentence;
            EXPECT_GE(progress->reports[i].samples, samples) << test.sentence;
            samples = progress->reports[i].samples;
        }
        const std::uint64_t epoch = (sample_count + test.smallest - 1) / test.smallest;
        EXPECT_EQ(samples, 3 * epoch * test.smallest) << test.sentence;
        const std::string text = folder.read("progress");
        const std::string last_line = text.substr(text.rfind('\n', text.size() - 2) + 1);
        EXPECT_NE(last_line.find(",\"noise_scale\":40}"), std::string::npos) << last_line;
    }
}

}  // namespace
}  // namespace hora::trainer
