// How does a script go on that this program has stopped, where it is killed meanwhile?
#include "scripts/watch-job/requeue/stop_guard.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "libplanner/base/blocked_signals.hpp"
#include "plugins/spank/process/process_descriptor.hpp"

namespace hora::watch {
namespace {

constexpr std::size_t most_processes = 4096;  // a script of more is guarded in part

// One descriptor, beside one byte of text.
class Message {
  public:
    Message() {
        header_.msg_iov = &text_;
        header_.msg_iovlen = 1;
        header_.msg_control = control_.data();
        header_.msg_controllen = control_.size();
    }
    Message(const Message&) = delete;
    Message& operator=(const Message&) = delete;

    bool send(int channel, int descriptor) {
        cmsghdr* const first = CMSG_FIRSTHDR(&header_);
        first->cmsg_level = SOL_SOCKET;
        first->cmsg_type = SCM_RIGHTS;
        first->cmsg_len = CMSG_LEN(sizeof descriptor);
        std::memcpy(CMSG_DATA(first), &descriptor, sizeof descriptor);
        return sendmsg(channel, &header_, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
    }

    // False at the end of the channel. The descriptor is -1 where it could not be had.
    bool receive(int channel, int& descriptor) {
        ssize_t size = -1;
        do {
            size = recvmsg(channel, &header_, MSG_CMSG_CLOEXEC);
        } while (size < 0 && errno == EINTR);
        descriptor = -1;
        const cmsghdr* const first = size == 1 ? CMSG_FIRSTHDR(&header_) : nullptr;
        if (first != nullptr && first->cmsg_type == SCM_RIGHTS) {
            std::memcpy(&descriptor, CMSG_DATA(first), sizeof descriptor);
        }
        return size == 1;
    }

  private:
    char byte_ = 0;
    iovec text_{.iov_base = &byte_, .iov_len = 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control_{};
    msghdr header_{};
};

// Also true where the other end is closed.
bool has_room_within(int channel, std::chrono::milliseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    pollfd writable{channel, POLLOUT, 0};
    int found = -1;
    do {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        found = poll(&writable, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    } while (found < 0 && errno == EINTR);
    return found > 0;
}

// This program's own user's, as it is: a process of that user's that could trace the guard could
// trace this program as well, and may stop and continue the script without either. It needs no
// rights of root's, which only a program could give up that is executed anew (--uid). Only calls to
// the kernel: other threads may have held any lock at the fork.
[[noreturn]] void guard(int channel) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    setsid();  // what is sent to the group of this program is not for it
    std::array<int, most_processes> processes;
    std::size_t count = 0;
    for (int descriptor = -1; Message().receive(channel, descriptor);) {
        if (descriptor >= 0 && count < processes.size()) {
            processes[count++] = descriptor;
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        syscall(SYS_pidfd_send_signal, processes[i], SIGCONT, nullptr, 0);
    }
    _exit(0);
}

}  // namespace

StopGuard::StopGuard(std::chrono::milliseconds patience) : patience_(patience) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return;
    }
    slurm::Descriptor own(ends[0]);
    const slurm::Descriptor guards(ends[1]);
    {
        // One to the group of this program would end the guard before it has blocked them itself.
        const BlockedSignals blocked;
        guard_ = fork();
        if (guard_ == 0) {
            own.close();
            guard(guards.number());
        }
    }
    if (guard_ > 0) {
        channel_ = std::move(own);
    }
}

bool StopGuard::watch(const slurm::Descriptor& process) {
    if (guard_ <= 0) {
        return false;
    }
    bool is_sent = Message().send(channel_.number(), process.number());
    if (!is_sent && errno == EAGAIN && !is_late_) {
        is_late_ = !has_room_within(channel_.number(), patience_);
        is_sent = !is_late_ && Message().send(channel_.number(), process.number());
    } else if (is_sent) {
        is_late_ = false;
    }
    return is_sent;
}

void StopGuard::dismiss() {
    if (guard_ <= 0) {
        return;
    }
    const pid_t guard = std::exchange(guard_, -1);
    kill(guard, SIGKILL);
    while (waitpid(guard, nullptr, 0) < 0 && errno == EINTR) {
    }
    channel_.close();
}

}  // namespace hora::watch
