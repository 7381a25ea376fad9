// Which controllers are there, which acts, and since when?
#include "plugins/slurm/controllers.hpp"

#include <gtest/gtest.h>
#include <slurm/slurm_errno.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "plugins/slurm/controller_start.hpp"
#include "tests/unit/slurm/answers.hpp"

namespace hora::slurm {
namespace {

TEST(Controllers, AreInTheOrderOfTheConfiguration) {
    slurm_conf_t configuration{};
    EXPECT_TRUE(controllers_of(configuration).empty());
    std::string host = "ctl1";
    std::string address = "192.0.2.1";
    std::array<char*, 2> hosts{host.data(), nullptr};
    std::array<char*, 2> addresses{nullptr, address.data()};
    configuration.control_cnt = 2;
    configuration.control_machine = hosts.data();
    configuration.control_addr = addresses.data();
    const auto controllers = controllers_of(configuration);
    ASSERT_EQ(controllers.size(), 2U);
    EXPECT_EQ(controllers[0].host, "ctl1");
    EXPECT_EQ(controllers[0].address, "");
    EXPECT_EQ(controllers[1].host, "");
    EXPECT_EQ(controllers[1].address, "192.0.2.1");
}

TEST(Controllers, OfWhichTheFirstThatAnswersActs) {
    const struct {
        std::vector<bool> is_up;
        std::size_t count;
        std::optional<std::size_t> acting;
    } cases[] = {
        {{}, 0, {}},
        {{true}, 0, {}},
        {{false}, 1, {}},
        {{false, false}, 2, {}},
        {{true, true}, 2, 0},
        {{false, true}, 2, 1},
        {{false, true}, 1, {}},
    };
    for (const auto& one : cases) {
        tests::restart_answers().is_up = one.is_up;
        EXPECT_EQ(find_acting(one.count), one.acting) << one.is_up.size() << " " << one.count;
    }
    EXPECT_TRUE(does_act());
    tests::answers().error = SLURM_COMMUNICATIONS_CONNECTION_ERROR;
    EXPECT_FALSE(does_act());
}

TEST(ControllerStart, IsOfAnotherThanTheFirstThatHasStoodBy) {
    const struct {
        const char* sentence;
        std::uint32_t count;
        bool is_first_up;
        bool has_stood_by;
    } cases[] = {
        {"the only one", 1, true, false},
        {"the only one, which answers no ping", 1, false, false},
        {"the first of two", 2, true, false},
        {"the second of two", 2, false, true},
    };
    for (const auto& one : cases) {
        tests::Answers& said = tests::restart_answers();
        said.configuration.boot_time = 1234;
        said.configuration.control_cnt = one.count;
        said.is_up = {one.is_first_up, true};
        const ControllerStart start = controller_start();
        EXPECT_EQ(start.started, 1234) << one.sentence;
        EXPECT_EQ(start.has_stood_by, one.has_stood_by) << one.sentence;
    }
    tests::answers().error = SLURM_COMMUNICATIONS_CONNECTION_ERROR;
    EXPECT_EQ(controller_start().started, 0);
    EXPECT_FALSE(controller_start().has_stood_by);
}

}  // namespace
}  // namespace hora::slurm
