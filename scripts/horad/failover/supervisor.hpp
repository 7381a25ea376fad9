// How does systemd learn in what state the daemon is?
#pragma once

#include <chrono>
#include <string_view>

namespace hora::horad {

// Sends "READY=1", "RELOADING=1", "WATCHDOG=1" to the socket that NOTIFY_SOCKET names; without one
// nothing happens.
void tell_supervisor(std::string_view state);

// WatchdogSec in the unit: a daemon that says nothing for so long is ended and started again.
class Watchdog {
  public:
    using Clock = std::chrono::steady_clock;

    // By WATCHDOG_USEC and WATCHDOG_PID; without them it does nothing.
    Watchdog();
    // To be called whenever a round has ended or none was due.
    void stay_alive(Clock::time_point now);
    // Before that it is to be called again.
    Clock::time_point next() const { return next_; }

  private:
    Clock::duration pause_{};  // 0: systemd does not wait
    Clock::time_point next_ = Clock::time_point::max();
};

}  // namespace hora::horad
