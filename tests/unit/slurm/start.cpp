#include "plugins/slurm/start.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <string>

namespace hora::slurm {
namespace {

TEST(Start, DoesNotWaitForAFileThatCannotBeRead) {
    ::setenv("SLURM_CONF", "/nonexistent/slurm.conf", 1);
    const auto started = start("hora");
    ::unsetenv("SLURM_CONF");
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().message,
              "cannot read \"/nonexistent/slurm.conf\", which SLURM_CONF names");
}

TEST(PatienceDeathTest, EndsTheProgramWithItsMessage) {
    const auto wait = [](const std::string& message) {
        const Patience patience(message);
        std::raise(SIGALRM);
    };
    EXPECT_EXIT(wait("hora: no answer\n"), testing::ExitedWithCode(1), "^hora: no answer\n$");
    EXPECT_EXIT(wait(std::string(1000, 'x')), testing::ExitedWithCode(1), "^x{200}$");
}

}  // namespace
}  // namespace hora::slurm
