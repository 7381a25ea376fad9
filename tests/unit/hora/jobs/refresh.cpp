// Is a picture shown until a signal ends that, and are signals afterwards what they were?
#include "scripts/hora/jobs/refresh.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "tests/unit/scratch_folder.hpp"

namespace hora::scripts {
namespace {

using Handler = void (*)(int);

Handler handler_of(int signal) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    return action.sa_handler;
}

class RefreshTest : public testing::Test {
  protected:
    // stdout is a file of the test's, and so no terminal.
    explicit RefreshTest(const char* path = nullptr) : before_(::dup(STDOUT_FILENO)) {
        std::fflush(stdout);
        const std::string file = path != nullptr ? path : folder_.file("stdout");
        const int out = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        ::dup2(out, STDOUT_FILENO);
        ::close(out);
    }
    ~RefreshTest() override {
        std::fflush(stdout);
        std::clearerr(stdout);
        ::dup2(before_, STDOUT_FILENO);
        ::close(before_);
    }
    std::string shown() const { return folder_.read("stdout"); }

  private:
    const tests::ScratchFolder folder_;
    int before_;
};

TEST_F(RefreshTest, EndsWhereASignalComesBetweenALookAndTheWait) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        // A test in the background of a script has SIGINT ignored.
        const Handler before = ::signal(signal, SIG_DFL);
        int pictures = 0;
        EXPECT_TRUE(refresh(Seconds(3600), [&] {
            ++pictures;
            ::raise(signal);
            return std::to_string(signal);
        }));
        EXPECT_EQ(pictures, 1);
        EXPECT_EQ(handler_of(signal), SIG_DFL) << signal;
        sigset_t blocked;
        ::sigprocmask(SIG_SETMASK, nullptr, &blocked);
        EXPECT_EQ(sigismember(&blocked, signal), 0) << signal;
        ::signal(signal, before);
    }
    EXPECT_EQ(shown(), "2\n15\n1\n");
}

// As by nohup, or in the background of a script.
TEST_F(RefreshTest, GoesOnWhereASignalWasIgnoredBefore) {
    for (const int signal : {SIGHUP, SIGINT}) {
        const Handler before = ::signal(signal, SIG_IGN);
        int pictures = 0;
        EXPECT_TRUE(refresh(Seconds(0.001), [&] {
            ++pictures;
            ::raise(pictures < 3 ? signal : SIGTERM);
            return std::string("x");
        }));
        EXPECT_EQ(pictures, 3) << signal;
        EXPECT_EQ(handler_of(signal), SIG_IGN) << signal;
        ::signal(signal, before);
    }
}

class RefreshToFullDisk : public RefreshTest {
  protected:
    RefreshToFullDisk() : RefreshTest("/dev/full") {}
};

TEST_F(RefreshToFullDisk, EndsAndSaysSo) {
    int pictures = 0;
    EXPECT_FALSE(refresh(Seconds(0.001), [&] {
        ++pictures;
        return std::string("x");
    }));
    EXPECT_EQ(pictures, 1);
    EXPECT_EQ(handler_of(SIGTERM), SIG_DFL);
}

}  // namespace
}  // namespace hora::scripts
