// Does a training end as it should where ranks, the disk or a signal come in between?
#include "contrib/trainer/train.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "contrib/trainer/requests.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::trainer {
namespace {

using testing::HasSubstr;

// One rank, or the first of two whose other one is lost before the call with this number.
class SomeRanks final : public Exchange {
  public:
    explicit SomeRanks(std::optional<int> lost = {}) : lost_(lost) {}

    int rank() const override { return 0; }
    int size() const override { return lost_ ? 2 : 1; }
    Expected<std::vector<std::uint64_t>> gather(std::uint64_t value) override {
        if (auto here = are_here(); !here) {
            return unexpected(here.error());
        }
        return std::vector(static_cast<std::size_t>(size()), value);
    }
    Expected<void> while_first_waits(const std::function<void()>& waits,
                                     const std::function<void()>&) override {
        waits();
        return are_here();
    }
    int calls() const { return calls_; }

  private:
    Expected<void> are_here() {
        ++calls_;
        return lost_ && calls_ > *lost_ ? Expected<void>(failure("rank 1 is lost"))
                                        : Expected<void>();
    }

    std::optional<int> lost_;
    int calls_ = 0;
};

class SomeLearner final : public Learner {
  public:
    explicit SomeLearner(int signal) : signal_(signal) {}

    Task task() const override {
        return {.data = "10 samples", .samples = 10, .checksum = 1, .parameters = 1};
    }
    Expected<Sums> step(const Step& step) override {
        if (step.number == 2 && signal_ != 0) {
            std::raise(signal_);
        }
        return Sums{.loss = 1, .requests = step.is_requested ? 1.0 : 0.0};
    }
    Expected<double> test(std::size_t, std::size_t) override { return 1; }
    Result result(double sum) const override { return {.name = "sum", .value = sum, .unit = ""}; }
    Expected<State> state() override { return State{.parameters = {1}, .velocity = {}}; }
    Expected<void> start_from_first(const State&) override { return {}; }

  private:
    const int signal_;
};

MakeLearner learner(int signal = 0) {
    return [signal](auto) -> Expected<std::unique_ptr<Learner>> {
        return std::make_unique<SomeLearner>(signal);
    };
}

Settings settings(const std::string& checkpoints = {}) {
    return {.program = "train",
            .epochs = 2,
            .batch = 2,
            .checkpoint_epochs = 0,
            .checkpoints = checkpoints,
            .ready_wait = 0};
}

// What a process of its own ends with, as waitpid() has it.
int end_of(const std::function<int()>& work) {
    std::fflush(stdout);
    const pid_t process = fork();
    if (process == 0) {
        _exit(work());
    }
    int status = 0;
    EXPECT_EQ(waitpid(process, &status, 0), process);
    return status;
}

TEST(Train, EndsWhereverARankIsLost) {
    const tests::ScratchFolder folder;
    requests::listen();
    SomeRanks all(1'000'000);
    ASSERT_EQ(train(all, settings(folder.path()), learner(SIGUSR1)), 0);
    ASSERT_GT(all.calls(), 10);
    for (int calls = 0; calls < all.calls(); ++calls) {
        const tests::ScratchFolder other;
        SomeRanks some(calls);
        testing::internal::CaptureStderr();
        EXPECT_NE(train(some, settings(other.path()), learner(SIGUSR1)), 0) << calls;
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "train: rank 1 is lost\n") << calls;
    }
}

TEST(Train, IsEndedBySigtermWhereNothingCanBeKept) {
    const auto end_by = [](int before, int within) {
        return end_of([=] {
            requests::listen();
            if (before != 0) {
                std::raise(before);
            }
            SomeRanks one;
            return train(one, settings(), learner(within));
        });
    };
    EXPECT_EQ(WTERMSIG(end_by(SIGTERM, 0)), SIGTERM);
    EXPECT_EQ(WTERMSIG(end_by(0, SIGTERM)), SIGTERM);
    EXPECT_EQ(end_by(SIGUSR1, SIGUSR1), 0);
}

TEST(Train, KeepsACheckpointWheneverSigtermComes) {
    struct Case {
        const char* name;
        int before;
        int within;
        const char* kept;
    };
    const Case cases[] = {
        {"before it begins", SIGTERM, 0, "checkpoint-0000000001"},
        {"within a step, which the next one says", 0, SIGTERM, "checkpoint-0000000004"},
    };
    for (const Case& c : cases) {
        const tests::ScratchFolder folder;
        const int end = end_of([&] {
            requests::listen();
            if (c.before != 0) {
                std::raise(c.before);
            }
            SomeRanks one;
            return train(one, settings(folder.path()), learner(c.within));
        });
        EXPECT_EQ(end, 0) << c.name;
        EXPECT_TRUE(std::filesystem::exists(folder.file(c.kept))) << c.name;
        EXPECT_FALSE(std::filesystem::exists(folder.file("READY"))) << c.name;
    }
}

// That of its output as well.
TEST(Train, GoesOnWhereTheDiskIsFull) {
    const tests::ScratchFolder folder;
    const int end = end_of([&] {
        requests::listen();
        std::signal(SIGXFSZ, SIG_IGN);
        const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
        dup2(full, STDOUT_FILENO);
        dup2(full, STDERR_FILENO);
        std::setvbuf(stdout, nullptr, _IONBF, 0);
        const rlimit none{};
        SomeRanks one;
        setrlimit(RLIMIT_FSIZE, &none);
        return train(one, settings(folder.path()), learner(SIGTERM));
    });
    EXPECT_EQ(end, 0);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "half a checkpoint is left";
}

TEST(Train, SaysThatItsOutputIsLost) {
    testing::internal::CaptureStderr();
    const int end = end_of([] {
        const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
        dup2(full, STDOUT_FILENO);
        SomeRanks one;
        return train(one, settings(), learner());
    });
    EXPECT_EQ(end, 0);
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                HasSubstr("train: not all of the output could be written"));
}

TEST(Train, NeedsAFolderForCheckpoints) {
    const tests::ScratchFolder folder;
    folder.write("file", "");
    SomeRanks one;
    testing::internal::CaptureStderr();
    EXPECT_EQ(train(one, settings(folder.file("file")), learner()), 1);
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                HasSubstr("cannot make the checkpoint folder \"" + folder.file("file")));
}

TEST(Train, RefusesSharesThatAreNoBatch) {
    for (const std::uint64_t share : {0U, 1U, 3U, 1'000'000'000U}) {
        Settings wrong = settings();
        wrong.share = share;
        SomeRanks one;
        testing::internal::CaptureStderr();
        EXPECT_EQ(train(one, wrong, learner()), 2) << share;
        EXPECT_THAT(testing::internal::GetCapturedStderr(),
                    HasSubstr("HORA_SHARE is set on 1 of 1"))
            << share;
    }
}

}  // namespace
}  // namespace hora::trainer
