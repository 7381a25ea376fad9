// How does systemd learn in what state the daemon is?
#pragma once

#include <string_view>

namespace hora::horad {

// Sends "READY=1", "RELOADING=1", "STATUS=..." to the socket that NOTIFY_SOCKET names; without one
// nothing happens.
void tell_supervisor(std::string_view state);

}  // namespace hora::horad
