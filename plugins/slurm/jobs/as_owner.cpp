// How is slurmctld asked as a job's owner, by a daemon that may do everything?
#include "plugins/slurm/jobs/as_owner.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <system_error>
#include <thread>

#include "plugins/slurm/system_user.hpp"

namespace hora::slurm {
namespace {

#ifdef SYS_setresuid32
constexpr long set_groups = SYS_setgroups32;
constexpr long set_group = SYS_setresgid32;
constexpr long set_user = SYS_setresuid32;
#else
constexpr long set_groups = SYS_setgroups;
constexpr long set_group = SYS_setresgid;
constexpr long set_user = SYS_setresuid;
#endif

// A user that the system does not know has none: then that of the user "nobody".
gid_t group_of(std::uint32_t uid) {
    constexpr gid_t unknown = 65534;
    const auto user = find_user(uid);
    return user ? user->group : unknown;
}

// Of this thread alone: Linux keeps rights by thread, and it is the C library's functions that
// change them for all. The real and the saved user stay, so the user can neither signal nor trace
// it.
int take_rights(std::uint32_t uid, gid_t group) {
    const bool is_done = ::syscall(set_groups, 0, nullptr) == 0 &&
                         ::syscall(set_group, -1, group, -1) == 0 &&
                         ::syscall(set_user, -1, uid, -1) == 0;
    return is_done ? 0 : errno;
}

}  // namespace

Expected<void> as_user(std::uint32_t uid, const std::function<void()>& call) {
    if (uid == ::geteuid()) {
        call();
        return {};
    }
    const gid_t group = group_of(uid);
    const int dumpable = ::prctl(PR_GET_DUMPABLE);
    int error = 0;
    std::exception_ptr thrown;
    try {
        std::thread([&] {
            error = take_rights(uid, group);
            try {
                if (error == 0) {
                    call();
                }
            } catch (...) {
                thrown = std::current_exception();
            }
        }).join();
    } catch (const std::system_error& none) {
        error = none.code().value();
    }
    // The kernel forbids core files of a process that has changed its rights.
    if (dumpable == 1) {
        ::prctl(PR_SET_DUMPABLE, 1);
    }
    if (thrown) {
        std::rethrow_exception(thrown);
    }
    if (error != 0) {
        return failure(fmt::format(
            "cannot change a job as its owner, user {}: {}; run horad as root or SlurmUser", uid,
            std::strerror(error)));
    }
    return {};
}

}  // namespace hora::slurm
