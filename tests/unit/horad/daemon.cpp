// Do the daemon's small parts keep their promises: one instance, each trouble said once, what was
// seen kept, metrics that a collector reads?
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include "scripts/horad/failover/instance.hpp"
#include "scripts/horad/failover/supervisor.hpp"
#include "scripts/horad/history/past_runs.hpp"
#include "scripts/horad/log/log.hpp"
#include "scripts/horad/observe/bounded_call.hpp"
#include "scripts/horad/observe/snapshot_writer.hpp"
#include "scripts/horad/publish/metrics.hpp"

namespace hora::horad {
namespace {

class Folder {
  public:
    Folder() { static_cast<void>(!::mkdtemp(path_.data())); }
    ~Folder() { std::filesystem::remove_all(path_); }
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }
    const std::string& path() const { return path_; }

  private:
    std::string path_ = "/tmp/hora-unit.XXXXXX";
};

TEST(Instance, ASecondOneIsRefusedAndNamesTheFirst) {
    const Folder folder;
    {
        const auto first = Instance::claim(folder.path());
        ASSERT_TRUE(first) << first.error().message;
        const auto second = Instance::claim(folder.path());
        ASSERT_FALSE(second);
        EXPECT_NE(second.error().message.find(std::to_string(::getpid())), std::string::npos);
    }
    EXPECT_TRUE(Instance::claim(folder.path())) << "the first has ended";
    EXPECT_FALSE(Instance::claim(folder / "missing"));
}

TEST(Instance, OneOfSeveralActs) {
    const Folder folder;
    const auto first = Instance::claim(folder.path());
    ASSERT_TRUE(first);
    {
        const auto acting = Instance::claim_acting(folder.path());
        ASSERT_TRUE(acting) << acting.error().message;
        EXPECT_FALSE(Instance::claim_acting(folder.path()));
    }
    EXPECT_TRUE(Instance::claim_acting(folder.path())) << "it stands by again";
}

TEST(Instance, FollowsNoLink) {
    const Folder folder;
    std::filesystem::create_symlink("/etc/passwd", folder / "acting.lock");
    EXPECT_FALSE(Instance::claim_acting(folder.path()));
}

TEST(BoundedCall, SaysWhatCameOfItInTime) {
    constexpr std::chrono::milliseconds long_enough{10'000};
    EXPECT_TRUE(succeeds_within(long_enough, [] { return true; }));
    EXPECT_FALSE(succeeds_within(long_enough, [] { return false; }));
    EXPECT_FALSE(succeeds_within(long_enough, []() -> bool { std::abort(); }));
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(succeeds_within(std::chrono::milliseconds(50), [] {
        ::pause();
        return true;
    }));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, long_enough);
}

TEST(Log, ATroubleIsSaidOnceAndItsEndToo) {
    testing::internal::CaptureStderr();
    Log log;
    for (int i = 0; i < 3; ++i) {
        log.trouble("slurmctld", "it is away");
    }
    log.trouble("slurmctld", "it is slow");
    EXPECT_EQ(log.troubles().size(), 1U);
    log.fine("slurmctld", "it is back");
    log.fine("slurmctld", "it is back");
    log.note("a name\nof two lines");
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "horad: it is away\nhorad: it is slow\nhorad: it is back\n"
              "horad: a name?of two lines\n");
}

Observation with_job(std::int64_t now, std::int64_t started, std::uint32_t restarts,
                     std::uint32_t gpus) {
    auto memory = std::make_shared<JobMemory>();
    memory->decision.submitted = 50;
    memory->options.is_elastic = true;
    ObservedJob job;
    job.id = 7;
    job.uid = 1000;
    job.restarts = restarts;
    job.gpus = gpus;
    job.started = started;
    job.state = slurm::JobState::running;
    job.memory = memory;
    Observation seen;
    seen.now = now;
    seen.jobs.push_back(job);
    return seen;
}

TEST(PastRuns, KnowsTheFirstStartAfterARestartOfBoth) {
    const Folder folder;
    {
        JournalFile journal(folder.path());
        PastRuns past_runs(journal);
        ASSERT_TRUE(past_runs.load());
        past_runs.see(with_job(110, 100, 0, 2));
        past_runs.see(with_job(120, 100, 0, 2));
        ASSERT_TRUE(past_runs.keep(120));
    }
    JournalFile journal(folder.path());
    PastRuns past_runs(journal);
    ASSERT_TRUE(past_runs.load());
    const Observation later = with_job(150, 140, 1, 4);
    past_runs.see(later);
    const JobPast* const past = past_runs.find(later.jobs[0]);
    ASSERT_NE(past, nullptr);
    EXPECT_EQ(past->first_started, 100);
    EXPECT_EQ(past->last_started, 140);
    EXPECT_EQ(past->restarts - past->first_restarts, 1U);
    EXPECT_DOUBLE_EQ(past->attained, 20 * 2 + 10 * 4);
}

TEST(PastRuns, AnotherJobOfTheSameNumberIsAnotherJob) {
    const Folder folder;
    JournalFile journal(folder.path());
    PastRuns past_runs(journal);
    past_runs.see(with_job(110, 100, 0, 2));
    Observation other = with_job(500, 490, 0, 2);
    other.jobs[0].uid = 1001;
    EXPECT_EQ(past_runs.find(other.jobs[0]), nullptr);
    past_runs.see(other);
    ASSERT_NE(past_runs.find(other.jobs[0]), nullptr);
    EXPECT_EQ(past_runs.find(other.jobs[0])->first_started, 490);
}

// As they wrote it: in one line, its keys in the order of the alphabet.
TEST(PastRuns, ReadsWhatEarlierDaemonsWrote) {
    const Folder folder;
    std::ofstream(folder / "jobs.json")
        << R"({"jobs":[{"attained":240.5,"first_restarts":1,"first_started":100,"job":7,)"
        << R"("last_started":140,"restarts":2,"seen":200,"submitted":50,"uid":1000}],"version":1})"
        << "\n";
    JournalFile journal(folder.path());
    PastRuns past_runs(journal);
    const auto loaded = past_runs.load();
    ASSERT_TRUE(loaded) << loaded.error().message;
    const Observation seen = with_job(210, 140, 2, 4);
    const JobPast* const past = past_runs.find(seen.jobs[0]);
    ASSERT_NE(past, nullptr);
    EXPECT_EQ(*past, (JobPast{.uid = 1000,
                              .submitted = 50,
                              .first_started = 100,
                              .last_started = 140,
                              .first_restarts = 1,
                              .restarts = 2,
                              .attained = 240.5,
                              .seen = 200}));
}

TEST(PastRuns, AFileOfAnotherShapeIsSaidAndForgotten) {
    const Folder folder;
    for (const char* const text : {"", "{", "[]", "{\"version\": 1}",
                                   "{\"version\":1,\"jobs\":[1]}", "{\"version\":2,\"jobs\":[]}"}) {
        std::ofstream(folder / "jobs.json") << text;
        JournalFile journal(folder.path());
        PastRuns past_runs(journal);
        EXPECT_FALSE(past_runs.load()) << text;
        past_runs.see(with_job(110, 100, 0, 2));
        EXPECT_TRUE(past_runs.keep(110));
    }
}

TEST(SnapshotWriter, WritesNewsAndBeforeItGetsOld) {
    const Folder folder;
    SnapshotWriter writer(folder / "snapshot.json", Seconds(3600));
    const domain::Snapshot cluster;
    EXPECT_TRUE(writer.write(cluster, {}, false, {}, 100).value_or(false)) << "the first";
    EXPECT_FALSE(writer.write(cluster, {}, false, {}, 101).value_or(true)) << "no news";
    EXPECT_TRUE(writer.write(cluster, {}, true, {}, 102).value_or(false)) << "news";
    SnapshotWriter hasty(folder / "snapshot.json", Seconds(0));
    EXPECT_TRUE(hasty.write(cluster, {}, false, {}, 100).value_or(false));
    EXPECT_TRUE(hasty.write(cluster, {}, false, {}, 101).value_or(false)) << "too old at once";
    SnapshotWriter lost(folder / "missing/snapshot.json", Seconds(60));
    EXPECT_FALSE(lost.write(cluster, {}, true, {}, 100));
}

// What systemd hears while WatchdogSec runs.
class Supervisor {
  public:
    Supervisor() {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const std::string path = folder_ / "notify";
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        EXPECT_EQ(::bind(file_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
    }
    ~Supervisor() {
        ::close(file_);
        for (const char* const name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) {
            ::unsetenv(name);
        }
    }
    // Empty: nothing.
    std::string heard() const {
        std::array<char, 64> text{};
        const ssize_t size = ::recv(file_, text.data(), text.size(), MSG_DONTWAIT);
        return {text.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
    }

  private:
    Folder folder_;
    int file_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
};

TEST(Watchdog, IsFedTwiceInItsTime) {
    using std::chrono::seconds;
    const Supervisor supervisor;
    ::setenv("WATCHDOG_USEC", "4000000", 1);
    ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
    Watchdog watchdog;
    const Watchdog::Clock::time_point begin(seconds(1000));
    watchdog.stay_alive(begin);
    EXPECT_EQ(supervisor.heard(), "WATCHDOG=1");
    EXPECT_EQ(watchdog.next(), begin + seconds(2));
    watchdog.stay_alive(begin + seconds(1));
    EXPECT_EQ(supervisor.heard(), "");
    watchdog.stay_alive(begin + seconds(2));
    EXPECT_EQ(supervisor.heard(), "WATCHDOG=1");
}

TEST(Watchdog, OfAnotherProcessOrNoneIsNotFed) {
    const Supervisor supervisor;
    for (const char* const time : {"4000000", "", "many"}) {
        ::setenv("WATCHDOG_USEC", time, 1);
        ::setenv("WATCHDOG_PID", "1", 1);
        Watchdog watchdog;
        watchdog.stay_alive(Watchdog::Clock::now());
        EXPECT_EQ(supervisor.heard(), "") << time;
        EXPECT_EQ(watchdog.next(), Watchdog::Clock::time_point::max());
    }
}

// The names that the collector takes, and each with its help and its type.
TEST(Metrics, EachLineIsOfTheFormat) {
    domain::Status status;
    status.gpus = 12;
    domain::StatusJob job;
    job.is_elastic = true;
    job.gpus = 4;
    status.jobs.push_back(job);
    const std::string text = metrics_text(
        {.status = status, .resizes = {3}, .snapshot_age = Seconds(1.5), .round = Seconds(0.01)});
    const std::regex form(
        "# (HELP|TYPE) hora_[a-z_]+ .+|hora_[a-z_]+(\\{[a-z]+=\"[a-z ]+\"\\})? [0-9.e+-]+");
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_TRUE(std::regex_match(line, form)) << line;
    }
    EXPECT_NE(text.find("\nhora_gpus 12\n"), std::string::npos);
    EXPECT_NE(text.find("\nhora_resizes_total{result=\"done\"} 3\n"), std::string::npos);
    EXPECT_NE(text.find("\nhora_elastic_gpus 4\n"), std::string::npos);
    EXPECT_NE(text.find("\nhora_snapshot_age_seconds 1.5\n"), std::string::npos);
    const std::string of_other = metrics_text(
        {.status = status, .snapshot_age = Seconds(0), .round = Seconds(0), .is_acting = false});
    EXPECT_NE(of_other.find("\nhora_acting 0\n"), std::string::npos);
    EXPECT_EQ(of_other.find("hora_gpus"), std::string::npos);
}

}  // namespace
}  // namespace hora::horad
