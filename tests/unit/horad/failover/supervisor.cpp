// Does systemd hear of the daemon what it waits for?
#include "scripts/horad/failover/supervisor.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>

#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

// What systemd hears while WatchdogSec runs.
class Supervisor {
  public:
    Supervisor() {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const std::string path = folder_.file("notify");
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
    tests::ScratchFolder folder_;
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

}  // namespace
}  // namespace hora::horad
