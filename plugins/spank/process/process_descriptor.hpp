// How is a process held so that its number cannot come to mean another one? Linux 5.3 or later; on
// an older kernel the calls fail with ENOSYS. The C library has its own names for them only since
// 2.36, and there C++ cannot link them.
#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace hora::spank {

// Closed at an exec; readable once the process has ended. Below 0 where there is no such process.
inline int open_process(pid_t process) {
    return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
}

inline bool signal_process(int descriptor, int signal) {
    return syscall(SYS_pidfd_send_signal, descriptor, signal, nullptr, 0) == 0;
}

}  // namespace hora::spank
