// How does a small file appear whole, or not at all, to a reader in another process?
#include "plugins/slurm/store/put_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "plugins/slurm/store/error_text.hpp"
#include "plugins/slurm/store/write_all.hpp"

namespace hora::slurm {

Expected<void> put_file(const std::string& path, std::string_view text) {
    const std::string unfinished = path + std::string(unfinished_end);
    const int file =
        ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (file < 0) {
        return failure(error_text(errno));
    }
    // slurmctld's umask may leave less; the folder's own rights decide who comes near.
    bool is_done = write_all(file, text) && ::fchmod(file, 0644) == 0;
    int error = errno;
    if (::close(file) != 0 && is_done) {
        is_done = false;
        error = errno;
    }
    if (is_done && std::rename(unfinished.c_str(), path.c_str()) != 0) {
        is_done = false;
        error = errno;
    }
    if (!is_done) {
        ::unlink(unfinished.c_str());
        return failure(error_text(error));
    }
    return {};
}

}  // namespace hora::slurm
