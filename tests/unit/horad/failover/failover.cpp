// Does the daemon know at each look whether its host's slurmctld acts, and does the log say so?
#include "scripts/horad/failover/failover.hpp"

#include <gtest/gtest.h>
#include <array>
#include <optional>
#include <string>

#include "tests/unit/horad/failover/two_controllers.hpp"

namespace hora::horad {
namespace {

class FailoverTest : public testing::Test {
  protected:
    FailoverTest() { tests::restart_controllers(); }

    std::optional<Role> look() { return failover_.look(); }
    std::string logged(std::optional<Role> wanted) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(look(), wanted);
        return testing::internal::GetCapturedStderr();
    }

    Log log_;
    Failover failover_{log_};
};

TEST_F(FailoverTest, IsOfTheControllerThatActs) {
    struct Case {
        const char* name;
        bool is_second;
        std::array<bool, 2> is_up;
        bool has_taken_over;
        std::optional<Role> wanted;
    };
    const Case cases[] = {
        {"the first acts here", false, {true, true}, true, Role::acting},
        {"the first acts elsewhere", true, {true, true}, true, Role::standby},
        {"the second has taken over, elsewhere", false, {false, true}, true, Role::standby},
        {"the second has taken over, here", true, {false, true}, true, Role::acting},
        {"the second is still to take over", true, {false, true}, false, Role::standby},
        {"all are down", false, {false, false}, false, std::nullopt},
    };
    for (const Case& row : cases) {
        SCOPED_TRACE(row.name);
        tests::restart_controllers();
        if (row.is_second) {
            tests::controllers().swap();
        }
        Failover failover(log_);
        failover.look();  // while both are up, as the daemon starts
        tests::controllers().is_up = row.is_up;
        tests::controllers().has_taken_over = row.has_taken_over;
        EXPECT_EQ(failover.look(), row.wanted);
    }
}

TEST_F(FailoverTest, KnowsOneThatHasTakenOverBeforeTheDaemonBegan) {
    tests::controllers().swap();
    tests::controllers().is_up = {false, true};
    EXPECT_EQ(look(), Role::acting);
}

TEST_F(FailoverTest, HostThatIsNotNamedDoesNothing) {
    tests::controllers().host_words[0] = tests::controllers().host_words[1];
    EXPECT_EQ(look(), Role::unlisted);
}

TEST_F(FailoverTest, OneThatWaitsSaysOfEachOutageWhenItBeginsAndEnds) {
    tests::controllers().swap();
    EXPECT_EQ(look(), Role::standby);
    for (int outage = 1; outage <= 2; ++outage) {
        SCOPED_TRACE(outage);
        tests::controllers().is_up = {false, false};
        tests::controllers().has_taken_over = false;
        EXPECT_EQ(logged(std::nullopt),
                  "horad: slurmctld does not answer ('scontrol ping'); horad waits for it\n");
        EXPECT_EQ(logged(std::nullopt), "") << "once is enough";
        tests::controllers().is_up = {true, true};
        EXPECT_EQ(logged(Role::standby), "horad: slurmctld answers again\n");
    }
}

TEST_F(FailoverTest, SaysWhyTheControllersAreNotKnown) {
    tests::controllers().configuration_error = SLURM_COMMUNICATIONS_CONNECTION_ERROR;
    EXPECT_NE(logged(std::nullopt).find("cannot load the configuration"), std::string::npos);
    tests::controllers().configuration_error = 0;
    EXPECT_EQ(look(), Role::acting);
}

}  // namespace
}  // namespace hora::horad
