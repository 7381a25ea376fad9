// Does the daemon know at each look whether its host's slurmctld acts, and does the log say so?
#include "scripts/horad/failover/failover.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <string>

#include "plugins/slurm/compat.hpp"
#include "tests/unit/slurm/stand_ins.hpp"

namespace {

std::string host_of_tests() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

// Two hosts that may run slurmctld.
struct Controllers {
    std::array<std::string, 2> hosts{host_of_tests(), "elsewhere.invalid"};
    std::array<std::string, 2> addresses{"198.51.100.1", "198.51.100.2"};
    std::array<bool, 2> is_up{true, true};
    bool has_taken_over = true;  // the second one, where the first is down
    int configuration_error = 0;

    std::array<char*, 2> host_words{hosts[0].data(), hosts[1].data()};
    std::array<char*, 2> address_words{addresses[0].data(), addresses[1].data()};
};

std::optional<Controllers> controllers;
slurm_conf_t configuration{};
partition_info_msg_t partitions{};

}  // namespace

extern "C" {

int slurm_ping(int place) {
    return controllers->is_up.at(static_cast<std::size_t>(place)) ? SLURM_SUCCESS : SLURM_ERROR;
}

int slurm_load_ctl_conf(time_t /*since*/, slurm_conf_t** answer) {
    configuration.control_cnt = 2;
    configuration.control_machine = controllers->host_words.data();
    configuration.control_addr = controllers->address_words.data();
    configuration.tcp_timeout = 1;
    *answer = controllers->configuration_error == 0 ? &configuration : nullptr;
    return hora::tests::answer_with(controllers->configuration_error);
}
// One of the two names, by the release.
void slurm_free_ctl_conf(slurm_conf_t* /*configuration*/) {}
void slurm_free_conf(slurm_conf_t* /*configuration*/) {}

int slurm_load_partitions(time_t /*since*/, partition_info_msg_t** answer, uint16_t /*flags*/) {
    const bool does_act = controllers->is_up[0] || controllers->has_taken_over;
    *answer = does_act ? &partitions : nullptr;
    return does_act ? SLURM_SUCCESS : SLURM_ERROR;
}
void slurm_free_partition_info_msg(partition_info_msg_t* /*message*/) {}

}  // extern "C"

namespace hora::horad {
namespace {

class FailoverTest : public testing::Test {
  protected:
    FailoverTest() { controllers.emplace(); }

    void is_second() { std::swap(controllers->host_words[0], controllers->host_words[1]); }
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
        controllers.emplace();
        if (row.is_second) {
            is_second();
        }
        Failover failover(log_);
        failover.look();  // while both are up, as the daemon starts
        controllers->is_up = row.is_up;
        controllers->has_taken_over = row.has_taken_over;
        EXPECT_EQ(failover.look(), row.wanted);
    }
}

TEST_F(FailoverTest, KnowsOneThatHasTakenOverBeforeTheDaemonBegan) {
    is_second();
    controllers->is_up = {false, true};
    EXPECT_EQ(look(), Role::acting);
}

TEST_F(FailoverTest, HostThatIsNotNamedDoesNothing) {
    controllers->host_words[0] = controllers->host_words[1];
    EXPECT_EQ(look(), Role::unlisted);
}

TEST_F(FailoverTest, OneThatWaitsSaysOfEachOutageWhenItBeginsAndEnds) {
    is_second();
    EXPECT_EQ(look(), Role::standby);
    for (int outage = 1; outage <= 2; ++outage) {
        SCOPED_TRACE(outage);
        controllers->is_up = {false, false};
        controllers->has_taken_over = false;
        EXPECT_EQ(logged(std::nullopt),
                  "horad: slurmctld does not answer ('scontrol ping'); horad waits for it\n");
        EXPECT_EQ(logged(std::nullopt), "") << "once is enough";
        controllers->is_up = {true, true};
        EXPECT_EQ(logged(Role::standby), "horad: slurmctld answers again\n");
    }
}

TEST_F(FailoverTest, SaysWhyTheControllersAreNotKnown) {
    controllers->configuration_error = SLURM_COMMUNICATIONS_CONNECTION_ERROR;
    EXPECT_NE(logged(std::nullopt).find("cannot load the configuration"), std::string::npos);
    controllers->configuration_error = 0;
    EXPECT_EQ(look(), Role::acting);
}

}  // namespace
}  // namespace hora::horad
