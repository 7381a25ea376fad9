// How is a process held so that its number cannot come to mean another one? Linux 5.3 or later; on
// an older kernel the calls fail with ENOSYS. The C library has its own names for them only since
// 2.36, and there C++ cannot link them.
#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "plugins/slurm/store/descriptor.hpp"

namespace hora::spank {

// Closed at an exec; readable once the process has ended. None where there is no such process.
inline slurm::Descriptor open_process(pid_t process) {
    return slurm::Descriptor(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
}

inline bool signal_process(const slurm::Descriptor& process, int signal) {
    return syscall(SYS_pidfd_send_signal, process.number(), signal, nullptr, 0) == 0;
}

}  // namespace hora::spank
