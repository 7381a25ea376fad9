// Does a daemon that acts see to its own folder before all else, and say what is wrong there?
#include "scripts/horad/failover/active_daemon.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <utime.h>

#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "tests/unit/horad/failover/two_controllers.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

namespace fs = std::filesystem;

class ActiveDaemonTest : public testing::Test {
  protected:
    ActiveDaemonTest() { tests::restart_controllers().state_save_location = folder_.path(); }

    Site site() const {
        Site site{read::Settings(), {}, {}};
        for (const auto& [setting, file] : {std::pair("horad.state", folder_.path()),
                                            {"horad.metrics", folder_.file("hora.prom")},
                                            {"history.path", folder_.file("history.db")},
                                            {"snapshot.path", folder_.file("snapshot.json")}}) {
            const auto good =
                site.settings.set(setting, file, read::Origin::environment, "the test");
            EXPECT_TRUE(good) << setting;
        }
        return site;
    }
    // It ends where slurmctld is asked for jobs.
    void round() {
        ActiveDaemon daemon(folder_.path(), 1, site(), log_);
        EXPECT_FALSE(daemon.round());
        EXPECT_FALSE(daemon.is_busy());
        EXPECT_EQ(daemon.news(), -1) << "it listens before it knows who reports";
    }
    std::string trouble(std::string_view topic) const {
        const auto found = log_.troubles().find(topic);
        return found == log_.troubles().end() ? std::string() : found->second;
    }
    unsigned mode(const char* name) const {
        struct stat status {};
        return ::lstat(folder_.file(name).c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
    }

    const tests::ScratchFolder folder_;
    Log log_;
};

TEST_F(ActiveDaemonTest, DoesNothingWithoutTheConfiguration) {
    tests::controllers().configurations = 0;
    round();
    EXPECT_NE(trouble("slurmctld").find("cannot load the configuration"), std::string::npos);
    EXPECT_FALSE(fs::exists(folder_.file("plans")));
}

TEST_F(ActiveDaemonTest, OpensItsFoldersToThoseWhoMaySeeJobs) {
    struct Case {
        const char* sentence;
        std::uint16_t private_data;
        unsigned plans;
        unsigned history;
    };
    const Case cases[] = {
        {"all may", 0, 0755, 0644},
        {"none may", PRIVATE_DATA_JOBS, 0700, 0600},
        {"all may again", PRIVATE_DATA_NODES, 0755, 0644},
    };
    folder_.write("history.db", "");
    folder_.write("journal.db", "");
    fs::permissions(folder_.file("journal.db"), fs::perms(0666));
    for (const Case& row : cases) {
        tests::controllers().private_data = row.private_data;
        round();
        EXPECT_EQ(mode("plans"), row.plans) << row.sentence;
        EXPECT_EQ(mode("locks"), 0700U) << row.sentence;
        EXPECT_EQ(mode("history.db"), row.history) << row.sentence;
        EXPECT_EQ(mode("journal.db"), 0600U) << row.sentence;
        EXPECT_EQ(trouble("place of plans"), "");
        EXPECT_EQ(trouble("place of restarted jobs"), "");
        EXPECT_NE(trouble("slurmctld"), "");
    }
}

TEST_F(ActiveDaemonTest, TakesNoPlansWhereTheOtherControllerDoesNotSeeThem) {
    round();
    EXPECT_EQ(mode("plans"), 0755U);
    tests::controllers().state_save_location = "/proc";
    round();
    EXPECT_FALSE(fs::exists(folder_.file("plans")));
    EXPECT_NE(trouble("place of plans").find("is not known to be shared by the controllers"),
              std::string::npos)
        << trouble("place of plans");
    tests::controllers().state_save_location = folder_.path();
    round();
    EXPECT_EQ(trouble("place of plans"), "");
}

TEST_F(ActiveDaemonTest, SaysWhatStandsInTheWayOfItsFolders) {
    const std::pair<const char*, std::string> cases[] = {
        {"plans", "; plans stay whole in AdminComment"},
        {"locks", "; owners can change jobs while these are restarted"},
    };
    for (const auto& [name, end] : cases) {
        const std::string_view topic =
            name == std::string_view("plans") ? "place of plans" : "place of restarted jobs";
        for (const bool is_link : {false, true}) {
            fs::remove_all(folder_.file(name));
            if (is_link) {
                fs::create_directory_symlink("/tmp", folder_.file(name));
            } else {
                folder_.write(name, "");
            }
            round();
            EXPECT_EQ(trouble(topic), '"' + folder_.file(name) +
                                          "\": it is not a folder of horad's own; move it away" +
                                          end);
        }
        fs::remove(folder_.file(name));
        round();
        EXPECT_EQ(trouble(topic), "");
    }
}

TEST_F(ActiveDaemonTest, RemovesWhatAKilledOneLeftHalfWritten) {
    const std::string old = "status.json.new-AbC123";
    const std::string young = "status.json.new-AbC124";
    const std::string kept = "history.db.backup";
    for (const std::string& name : {old, young, kept}) {
        folder_.write(name, "{");
    }
    const utimbuf hour_ago{std::time(nullptr) - 3600, std::time(nullptr) - 3600};
    ::utime(folder_.file(old).c_str(), &hour_ago);
    ::utime(folder_.file(kept).c_str(), &hour_ago);
    round();
    EXPECT_FALSE(fs::exists(folder_.file(old)));
    EXPECT_TRUE(fs::exists(folder_.file(young))) << "another program may write it just now";
    EXPECT_TRUE(fs::exists(folder_.file(kept)));
}

}  // namespace
}  // namespace hora::horad
