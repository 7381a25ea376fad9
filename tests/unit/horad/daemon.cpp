// Does the daemon work only while it is its host's turn, and what does it say of wrong settings?
#include "scripts/horad/daemon.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tests/unit/horad/failover/two_controllers.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/small_disk.hpp"

namespace hora::horad {
namespace {

class DaemonTest : public testing::Test {
  protected:
    DaemonTest() {
        // Of the configuration no more than who the controllers are: a round ends there.
        tests::restart_controllers().configurations = 1;
    }

    Instance own() const {
        auto own = Instance::claim(folder_.path());
        EXPECT_TRUE(own);
        return *std::move(own);
    }

    Site site() const { return site_in(folder_.path()); }
    static Site site_in(const std::string& folder) {
        Site site{read::Settings(), {}, {}};
        for (const auto& [setting, file] : {std::pair("horad.state", ""),
                                            {"horad.metrics", "hora.prom"},
                                            {"history.path", "history.db"},
                                            {"snapshot.path", "snapshot.json"}}) {
            const auto good = site.settings.set(setting, folder + "/" + file,
                                                read::Origin::environment, "the test");
            EXPECT_TRUE(good) << setting;
        }
        return site;
    }
    bool is_turn_taken() const { return is_turn_taken(folder_.path()); }
    static bool is_turn_taken(const std::string& folder) {
        const auto acting = Instance::claim_acting(folder);
        return acting && !*acting;
    }
    std::string trouble(std::string_view topic) const {
        const auto found = log_.troubles().find(topic);
        return found == log_.troubles().end() ? std::string() : found->second;
    }
    std::string metrics() const { return folder_.read("hora.prom"); }

    const tests::ScratchFolder folder_;
    Log log_;
};

TEST_F(DaemonTest, LetsGoOfTheTurnWhenAnotherControllerActs) {
    Daemon daemon(site(), own(), log_);
    EXPECT_FALSE(daemon.run_once()) << "slurmctld answers no more";
    EXPECT_TRUE(is_turn_taken());
    EXPECT_EQ(metrics(), "");

    tests::controllers().is_up = {false, false};
    EXPECT_FALSE(daemon.run_once());
    EXPECT_TRUE(is_turn_taken()) << "none has taken over";

    tests::controllers().is_up = {false, true};
    EXPECT_FALSE(daemon.run_once());
    EXPECT_FALSE(is_turn_taken());
    EXPECT_NE(metrics().find("hora_acting 0\n"), std::string::npos);

    tests::controllers().is_up = {true, true};
    EXPECT_FALSE(daemon.run_once());
    EXPECT_TRUE(is_turn_taken()) << "it is back";
}

TEST_F(DaemonTest, WaitsForTheOneOfTheControllerBefore) {
    auto before = Instance::claim_acting(folder_.path());
    ASSERT_TRUE(before && *before);
    Daemon daemon(site(), own(), log_);
    EXPECT_FALSE(daemon.run_once());
    EXPECT_EQ(trouble("turn"), "the horad of another controller still has \"" +
                                   folder_.file("/acting.lock") + "\"; this one waits for it");
    EXPECT_EQ(log_.troubles().count("slurmctld"), 0U) << "it has asked for no more";
    before->reset();
    EXPECT_FALSE(is_turn_taken());
    EXPECT_FALSE(daemon.run_once());
    EXPECT_EQ(log_.troubles().count("turn"), 0U);
    EXPECT_TRUE(is_turn_taken());
}

// Not that another daemon works there.
TEST_F(DaemonTest, SaysWhyItCannotHaveTheTurn) {
    std::filesystem::create_directory(folder_.file("acting.lock"));
    Daemon daemon(site(), own(), log_);
    EXPECT_FALSE(daemon.run_once());
    EXPECT_TRUE(trouble("turn").starts_with("cannot open \"" + folder_.file("/acting.lock") +
                                            "\": Is a directory; "))
        << trouble("turn");
    EXPECT_EQ(trouble("turn").find("another controller"), std::string::npos);
    EXPECT_EQ(trouble("slurmctld"), "") << "it has asked for no more";
    std::filesystem::remove(folder_.file("acting.lock"));
    EXPECT_FALSE(daemon.run_once());
    EXPECT_EQ(trouble("turn"), "");
    EXPECT_TRUE(is_turn_taken());
}

// A disk that takes no lock: another host's daemon may be at work on it.
TEST_F(DaemonTest, WaitsAlsoWhereItCannotKnowWhetherItHasTheTurn) {
    const tests::SmallDisk disk;
    if (!disk.is_mounted()) {
        GTEST_SKIP() << "cannot mount";
    }
    disk.make_read_only();
    auto own = Instance::claim(disk.path());
    ASSERT_TRUE(own);
    Daemon daemon(site_in(disk.path()), *std::move(own), log_);
    EXPECT_FALSE(daemon.run_once());
    EXPECT_NE(trouble("turn").find("acting.lock\": Read-only file system"), std::string::npos);
    EXPECT_EQ(trouble("slurmctld"), "") << "it has asked for no more";
    disk.make_writable();
    EXPECT_FALSE(daemon.run_once());
    EXPECT_EQ(trouble("turn"), "");
    EXPECT_TRUE(is_turn_taken(disk.path()));
}

TEST_F(DaemonTest, TakesTheTurnOnceTheDiskTakesALock) {
    const tests::SmallDisk disk;
    if (!disk.is_mounted()) {
        GTEST_SKIP() << "cannot mount";
    }
    disk.make_read_only();
    auto own = Instance::claim(disk.path());
    ASSERT_TRUE(own);
    Daemon daemon(site_in(disk.path()), *std::move(own), log_, std::chrono::milliseconds(0));
    EXPECT_FALSE(daemon.run_once());
    EXPECT_NE(trouble("turn").find("Read-only file system"), std::string::npos);
    EXPECT_FALSE(is_turn_taken(disk.path()));
    disk.make_writable();
    EXPECT_FALSE(daemon.run_once());
    EXPECT_EQ(trouble("turn"), "");
    EXPECT_TRUE(is_turn_taken(disk.path()));
}

TEST_F(DaemonTest, TakesItsOwnLockOnceTheDiskTakesOneOrEnds) {
    for (const bool is_other_first : {false, true}) {
        SCOPED_TRACE(is_other_first);
        const tests::SmallDisk disk;
        if (!disk.is_mounted()) {
            GTEST_SKIP() << "cannot mount";
        }
        sigset_t before;
        ::sigprocmask(SIG_SETMASK, nullptr, &before);
        auto signals = Signals::block();
        ASSERT_TRUE(signals);
        disk.make_read_only();
        auto own = Instance::claim(disk.path());
        ASSERT_TRUE(own);
        Daemon daemon(site_in(disk.path()), *std::move(own), log_);
        EXPECT_NE(trouble("lock").find("Read-only file system"), std::string::npos);
        disk.make_writable();
        std::optional<Instance> other;
        if (is_other_first) {
            auto claimed = Instance::claim(disk.path());
            ASSERT_TRUE(claimed);
            other = *std::move(claimed);
        }
        ::raise(SIGTERM);
        EXPECT_EQ(daemon.run(*signals), !is_other_first);
        while (signals->next()) {
        }
        EXPECT_FALSE(Instance::claim(disk.path())) << "one of them has it";
        EXPECT_EQ(trouble("lock").empty(), !is_other_first);
        ::sigprocmask(SIG_SETMASK, &before, nullptr);
    }
}

TEST_F(DaemonTest, SaysAtEachReloadWhyTheSettingsStay) {
    folder_.write("hora.toml", "[horad]\ninterval = \"2\"\n");
    ::setenv("HORA_CONF", folder_.file("hora.toml").c_str(), 1);
    sigset_t before;
    ::sigprocmask(SIG_SETMASK, nullptr, &before);
    auto signals = Signals::block();
    ASSERT_TRUE(signals);
    Daemon daemon(site(), own(), log_);
    const auto logged = [&] {
        testing::internal::CaptureStderr();
        for (const int signal : {SIGHUP, SIGTERM}) {
            ::raise(signal);
        }
        daemon.run(*signals);
        return testing::internal::GetCapturedStderr();
    };
    for (int time = 1; time <= 2; ++time) {
        EXPECT_NE(logged().find("horad: the settings stay as they were: "), std::string::npos)
            << time;
    }
    EXPECT_EQ(log_.troubles().count("settings"), 1U);
    folder_.write("hora.toml", "[horad]\ninterval = \"2 s\"\n");
    EXPECT_NE(logged().find("horad: configuration reloaded\n"), std::string::npos);
    EXPECT_EQ(log_.troubles().count("settings"), 0U);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    ::unsetenv("HORA_CONF");
}

}  // namespace
}  // namespace hora::horad
