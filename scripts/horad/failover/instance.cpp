// Is this the only daemon on its host, and the only one that acts?
#include "scripts/horad/failover/instance.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "scripts/hora/site/state_files.hpp"
#include "scripts/horad/log/host_name.hpp"

namespace hora::horad {
namespace {

std::string holder_of(const std::string& path) {
    std::array<char, 16> text{};
    // Where its holder cannot have written its own, what stands there is of an earlier one.
    const slurm::Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    const ssize_t size = ::pread(file.number(), text.data(), text.size(), 0);
    const std::string_view digits(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    return std::string(digits.substr(0, digits.find_first_not_of("0123456789")));
}

// Is it the disk that takes nothing now, and not a setting that is wrong?
bool is_of_disk(int error) {
    return error == EROFS || error == ENOSPC || error == EDQUOT;
}

std::string trouble_of(const std::string& path, int error) {
    return fmt::format(
        "cannot write \"{}\": {}; until the journal beside it can be written, horad resizes no "
        "job, and gives priorities back that it has raised",
        path, std::strerror(error));
}

// As a name of a file: a host may call itself anything.
std::string name_of_file() {
    std::string name = host_name();
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}

std::string own_lock(const std::string& folder) {
    return folder + "/horad." + name_of_file() + ".lock";
}

}  // namespace

Expected<Instance> Instance::claim(const std::string& folder) {
    auto taken = claim_again(folder);
    if (!taken) {
        return unexpected(taken.error());
    }
    if (!*taken) {
        const std::string pid = holder_of(own_lock(folder));
        return failure(fmt::format("horad runs already{} on \"{}\"; end that one first",
                                   pid.empty() ? pid : ", as process " + pid, folder));
    }
    return **std::move(taken);
}

Expected<std::optional<Instance>> Instance::claim_again(const std::string& folder) {
    return take(own_lock(folder));
}

Expected<std::optional<Instance>> Instance::claim_acting(const std::string& folder) {
    return take(folder + "/acting.lock");
}

Expected<std::optional<Instance>> Instance::take(const std::string& path) {
    const mode_t mode = scripts::rights_of(scripts::StateFile::lock, {}).mode;
    slurm::Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode));
    const bool is_writable = file.is_open();
    std::string trouble;
    if (const int error = errno; !is_writable) {
        if (!is_of_disk(error)) {
            return failure(
                fmt::format("cannot open \"{}\": {}; the setting horad.state names the "
                            "folder, which must be there and be horad's",
                            path, std::strerror(error)));
        }
        trouble = trouble_of(path, error);
        file = slurm::Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    }
    if (file.is_open() && ::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) {
            return std::nullopt;
        }
        if (is_writable) {
            return failure(fmt::format("cannot lock \"{}\": {}", path, std::strerror(errno)));
        }
        file.close();  // NFS locks only what may be written
    }
    if (is_writable) {
        ::fchmod(file.number(), mode);  // whatever the umask
        const std::string pid = fmt::format("{}\n", ::getpid());
        if (::ftruncate(file.number(), 0) != 0 ||
            ::pwrite(file.number(), pid.data(), pid.size(), 0) < 0) {
            trouble = trouble_of(path, errno);
        }
    }
    return Instance(std::move(file), std::move(trouble));
}

}  // namespace hora::horad
