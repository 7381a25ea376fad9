// Is what a training tests and keeps the state of all its steps?
#include "contrib/trainer/training.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "contrib/trainer/requests.hpp"
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

}  // namespace
}  // namespace hora::trainer
