// May slurmctld leave plans for this daemon, and where?
#include "scripts/horad/observe/spool_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>

#include "libplanner/read/quoted.hpp"
#include "scripts/hora/site/state_files.hpp"

namespace hora::horad {
namespace {

// statfs(2): NFS, Lustre, GPFS, CephFS, BeeGFS, GFS2, OCFS2, SMB2, CIFS.
constexpr std::array<std::uint32_t, 9> shared_file_systems{0x6969,     0x0bd00bd0, 0x47504653,
                                                           0x00c36400, 0x19830326, 0x01161970,
                                                           0x7461636f, 0xfe534d42, 0xff534d42};

bool is_shared(const std::string& folder, const std::string& state_save_location) {
    struct stat own {};
    struct stat slurms {};
    struct statfs system {};
    if (::stat(folder.c_str(), &own) != 0 || ::statfs(folder.c_str(), &system) != 0) {
        return false;
    }
    const bool is_beside =
        ::stat(state_save_location.c_str(), &slurms) == 0 && own.st_dev == slurms.st_dev;
    const auto type = static_cast<std::uint32_t>(system.f_type);
    return is_beside || std::find(shared_file_systems.begin(), shared_file_systems.end(), type) !=
                            shared_file_systems.end();
}

tl::unexpected<Error> refusal(const std::string& folder, const std::string& why) {
    return failure(fmt::format("{}: {}", read::quoted(folder), why));
}

int make_folder(const std::string& folder, gid_t group) {
    const scripts::AsGroup as_group(group);
    return ::mkdir(folder.c_str(), 0700) == 0 ? 0 : errno;
}

}  // namespace

std::string why_not_spooled(const slurm_conf_t& configuration, const std::string& state,
                            const std::string& history) {
    if (configuration.control_cnt < 2) {
        return {};
    }
    const std::string slurms(slurm::text_of(configuration.state_save_location));
    for (const std::string& folder :
         {state, std::filesystem::path(history).parent_path().string()}) {
        if (!is_shared(folder, slurms)) {
            return fmt::format(
                "{} is not known to be shared by the controllers, as StateSaveLocation is; "
                "plans stay whole in AdminComment",
                read::quoted(folder));
        }
    }
    return {};
}

// Sticky: of slurmctld's group no other member can remove a record, and what such a member adds is
// not trusted, since it is not slurmctld's.
Expected<void> open_spool(const std::string& folder, uid_t slurm_user, bool is_private) {
    const bool is_own = slurm_user == ::geteuid();
    const auto group = is_own ? std::optional(::getegid()) : scripts::group_of(slurm_user);
    if (!group) {
        return refusal(folder, fmt::format("SlurmUser {} has no group", slurm_user));
    }
    if (const int error = make_folder(folder, *group); error != 0 && error != EEXIST) {
        return refusal(folder, std::strerror(error));
    }
    struct stat status {};
    if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
        status.st_uid != ::geteuid()) {
        return refusal(folder, "it is not a folder of horad's own; move it away");
    }
    if (!is_own && status.st_gid != *group) {
        ::rmdir(folder.c_str());  // the next time it is made as it has to be
        return refusal(folder, fmt::format("it is not of the group {} of SlurmUser; run horad as "
                                           "root or SlurmUser",
                                           *group));
    }
    const mode_t readable = is_own ? 0055U : 0005U;
    const mode_t mode = (is_own ? 0700U : 01770U) | (is_private ? 0U : readable);
    if ((status.st_mode & 07777U) != mode && ::chmod(folder.c_str(), mode) != 0) {
        return refusal(folder, std::strerror(errno));
    }
    return {};
}

void close_spool(const std::string& folder) {
    struct stat status {};
    if (::rmdir(folder.c_str()) != 0 && ::lstat(folder.c_str(), &status) == 0 &&
        S_ISDIR(status.st_mode)) {
        ::chmod(folder.c_str(), status.st_mode & 07755U & ~0020U);
    }
}

}  // namespace hora::horad
