// What does the system know of a user?
#include "plugins/slurm/system_user.hpp"

#include <pwd.h>

#include <cerrno>
#include <cstddef>
#include <vector>

namespace hora::slurm {

std::optional<SystemUser> find_user(uid_t user) {
    constexpr std::size_t largest = std::size_t{1} << 20;
    passwd entry{};
    passwd* found = nullptr;
    std::vector<char> buffer(4096);
    while (buffer.size() <= largest) {
        const int error = ::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found);
        if (error == 0 && found != nullptr) {
            return SystemUser{.name = found->pw_name, .group = found->pw_gid};
        }
        if (error == ERANGE) {
            buffer.resize(buffer.size() * 2);
        } else if (error != EINTR) {
            break;
        }
    }
    return std::nullopt;
}

std::string user_name(uid_t user) {
    const auto found = find_user(user);
    return found ? found->name : std::string();
}

}  // namespace hora::slurm
