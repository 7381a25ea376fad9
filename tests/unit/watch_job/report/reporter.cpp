#include "scripts/watch-job/report/reporter.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/unit/comes_true.hpp"

namespace hora::watch {
namespace {

using tests::comes_true;

slurm::Report report(slurm::ReportKind kind, std::uint64_t step) {
    slurm::Report report;
    report.kind = kind;
    report.step = step;
    return report;
}

// The failure that comes, or "none".
std::string failure_of(Reporter& reporter) {
    std::optional<std::string> failure;
    comes_true([&] { return (failure = reporter.take_failure()).has_value(); });
    return failure.value_or("none");
}

TEST(Reporter, SaysWhetherTheDaemonTookWhatIsUrgent) {
    for (const bool is_taken : {true, false}) {
        std::promise<std::uint64_t> sent;
        {
            Reporter reporter([&]() -> Reporter::Send {
                return [&](const slurm::Report& given) {
                    sent.set_value(given.step);
                    return is_taken;
                };
            });
            reporter.tell(report(slurm::ReportKind::checkpoint, 7));
            EXPECT_EQ(sent.get_future().get(), 7U);
            EXPECT_EQ(is_taken, comes_true([&] { return reporter.is_heard() || !is_taken; }) &&
                                    reporter.is_heard());
            EXPECT_FALSE(reporter.take_failure());
        }
    }
}

TEST(Reporter, WaitsUntilWhatIsUrgentHasBeenSentAndNoLongerThanItsLimit) {
    constexpr std::chrono::seconds long_enough(60);
    std::promise<void> answer;
    std::atomic<bool> is_sent = false;
    Reporter reporter([&, answered = answer.get_future().share()]() -> Reporter::Send {
        return [&, answered](const slurm::Report&) {
            answered.wait();
            is_sent = true;
            return false;
        };
    });
    EXPECT_TRUE(reporter.wait_until_sent(long_enough)) << "nothing was told";
    reporter.tell(report(slurm::ReportKind::checkpoint, 7));
    EXPECT_FALSE(reporter.wait_until_sent(std::chrono::milliseconds(1)));
    answer.set_value();
    EXPECT_TRUE(reporter.wait_until_sent(long_enough)) << "refused is sent, too";
    EXPECT_TRUE(is_sent);
    reporter.tell(report(slurm::ReportKind::ended, 0));
    EXPECT_TRUE(reporter.wait_until_sent(long_enough));
}

TEST(Reporter, SendsWhatIsUrgentBeforeItEnds) {
    std::vector<slurm::ReportKind> sent;
    {
        Reporter reporter([&]() -> Reporter::Send {
            return [&](const slurm::Report& given) {
                sent.push_back(given.kind);
                return true;
            };
        });
        reporter.tell(report(slurm::ReportKind::ended, 0));
    }
    EXPECT_EQ(sent, std::vector<slurm::ReportKind>{slurm::ReportKind::ended});
}

TEST(Reporter, AnExceptionEndsTheReportsAndIsSaidOnce) {
    const std::pair<const char*, Reporter::Open> cases[] = {
        {"while it opens", []() -> Reporter::Send { throw std::runtime_error("a bug"); }},
        {"while it sends",
         []() -> Reporter::Send {
             return [](const slurm::Report&) -> bool { throw std::runtime_error("a bug"); };
         }},
    };
    for (const auto& [name, open] : cases) {
        Reporter reporter(open);
        reporter.tell(report(slurm::ReportKind::checkpoint, 7));
        EXPECT_EQ(failure_of(reporter), "a bug") << name;
        EXPECT_FALSE(reporter.take_failure()) << name;
        // The work goes on unheard.
        reporter.tell_progress(report(slurm::ReportKind::progress, 8));
        reporter.tell(report(slurm::ReportKind::checkpoint, 9));
        EXPECT_FALSE(reporter.is_heard()) << name;
    }
}

// As a user who has as many processes as may be. LeakSanitizer would need one more at the exit.
void report_without_threads() {
    if (geteuid() == 0 && setuid(65534) != 0) {
        _exit(1);
    }
    const rlimit none{0, 0};
    setrlimit(RLIMIT_NPROC, &none);
    Reporter reporter([]() -> Reporter::Send { return {}; });
    reporter.tell(report(slurm::ReportKind::checkpoint, 7));
    _exit(reporter.take_failure() && !reporter.is_heard() ? 0 : 1);
}

TEST(Reporter, DoesWithoutAThread) {
    EXPECT_EXIT(report_without_threads(), testing::ExitedWithCode(0), "");
}

// For ThreadSanitizer.
TEST(Reporter, IsSharedByTheWatcherAndItsThread) {
    constexpr std::uint64_t rounds = 300;
    std::atomic<std::uint64_t> last = 0;
    {
        Reporter reporter([&]() -> Reporter::Send {
            return [&](const slurm::Report& given) {
                if (given.step == rounds) {
                    throw std::runtime_error("a bug");
                }
                last = given.step;
                return true;
            };
        });
        for (std::uint64_t step = 1; step < rounds; ++step) {
            reporter.tell_progress(report(slurm::ReportKind::progress, step));
            reporter.tell(report(slurm::ReportKind::checkpoint, step));
            EXPECT_FALSE(reporter.take_failure());
            while (!reporter.is_heard()) {
                std::this_thread::yield();
            }
            EXPECT_EQ(last, step);
        }
        reporter.tell(report(slurm::ReportKind::checkpoint, rounds));
        EXPECT_EQ(failure_of(reporter), "a bug");
    }
    EXPECT_EQ(last, rounds - 1);
}

}  // namespace
}  // namespace hora::watch
