// What does the system know of a user?
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace hora::slurm {

struct SystemUser {
    std::string name;
    gid_t group = 0;  // its primary one
};

// Empty where the system does not know it, or cannot be asked.
std::optional<SystemUser> find_user(uid_t user);
// Likewise.
std::string user_name(uid_t user);

}  // namespace hora::slurm
