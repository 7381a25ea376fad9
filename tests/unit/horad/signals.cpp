// Does each signal reach the daemon's loop, and nothing but the loop?
#include "scripts/horad/signals.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>

#include <optional>

namespace hora::horad {
namespace {

class SignalsTest : public testing::Test {
  protected:
    SignalsTest() { ::sigprocmask(SIG_SETMASK, nullptr, &before_); }
    ~SignalsTest() override { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_{};
};

TEST_F(SignalsTest, AreReadOneByOneAndWakeTheLoop) {
    auto signals = Signals::block();
    ASSERT_TRUE(signals) << signals.error().message;
    pollfd file{signals->file(), POLLIN, 0};
    EXPECT_EQ(::poll(&file, 1, 0), 0);
    EXPECT_EQ(signals->next(), std::nullopt);
    for (const int signal : {SIGTERM, SIGHUP, SIGHUP, SIGINT, SIGPIPE}) {
        ::raise(signal);
    }
    EXPECT_EQ(::poll(&file, 1, 0), 1);
    // By number; what comes twice before it is read is one.
    for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
        EXPECT_EQ(signals->next(), std::optional(signal));
    }
    EXPECT_EQ(signals->next(), std::nullopt);
    EXPECT_EQ(::poll(&file, 1, 0), 0);
}

}  // namespace
}  // namespace hora::horad
