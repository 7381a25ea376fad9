// Is the snapshot file there, safe to trust, readable and recent? Looks at most once a change.
#include "plugins/slurm/store/snapshot_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "libplanner/read/state/snapshot.hpp"
#include "plugins/slurm/store/descriptor.hpp"
#include "plugins/slurm/store/error_text.hpp"

namespace hora::slurm {
namespace {

Expected<void> check_trust(const struct stat& status, uid_t trusted_user) {
    if (!S_ISREG(status.st_mode)) {
        return failure("is not a regular file");
    }
    if (status.st_uid != 0 && status.st_uid != trusted_user) {
        return failure(
            fmt::format("belongs to user {}; it must be root's or SlurmUser's", status.st_uid));
    }
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        return failure(fmt::format("can be written by others (mode {:04o}); make it 0644",
                                   status.st_mode & 07777));
    }
    if (static_cast<std::uint64_t>(status.st_size) > read::max_snapshot_size) {
        return failure(
            fmt::format("is {} bytes long, at most {}", status.st_size, read::max_snapshot_size));
    }
    return {};
}

// The file may grow while it is read, so the bound holds here too.
Expected<std::string> read_all(int descriptor, std::size_t expected_size) {
    std::string text(expected_size + 1, '\0');
    std::size_t length = 0;
    for (;;) {
        const ssize_t got = ::read(descriptor, text.data() + length, text.size() - length);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return failure(fmt::format("cannot be read: {}", error_text(errno)));
        }
        if (got == 0) {
            text.resize(length);
            return text;
        }
        length += static_cast<std::size_t>(got);
        if (length == text.size()) {
            if (length > read::max_snapshot_size) {
                return failure("grows while it is read");
            }
            text.resize(length * 2);
        }
    }
}

}  // namespace

Expected<std::string> read_trusted_file(const std::string& path, uid_t trusted_user) {
    // O_NONBLOCK: a FIFO put in its place must not hold the thread.
    const Descriptor file(
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
    if (!file.is_open()) {
        return errno == ELOOP ? failure("is a symbolic link; name the file itself")
                              : failure(fmt::format("cannot be opened: {}", error_text(errno)));
    }
    struct stat status {};
    if (::fstat(file.number(), &status) != 0) {
        return failure(fmt::format("cannot be read: {}", error_text(errno)));
    }
    if (auto trusted = check_trust(status, trusted_user); !trusted) {
        return unexpected(trusted.error());
    }
    return read_all(file.number(), static_cast<std::size_t>(status.st_size));
}

SnapshotFile::SnapshotFile(SnapshotSource source)
    : source_(std::move(source)), loaded_(failure("not read yet")) {}

Expected<SharedSnapshot> SnapshotFile::look(std::int64_t now) {
    State state = State::unknown;
    auto result = judge(now, state);
    const bool is_same_file = identity_ == last_identity_;
    is_news_ = state != last_state_ || (state != State::good && !is_same_file);
    last_state_ = state;
    last_identity_ = identity_;
    return result ? result
                  : unexpected(result.error().within(fmt::format("snapshot \"{}\"", source_.path)));
}

Expected<SharedSnapshot> SnapshotFile::judge(std::int64_t now, State& state) {
    struct stat status {};
    if (::lstat(source_.path.c_str(), &status) != 0) {
        const int error = errno;
        state = State::missing;
        identity_ = Identity{};
        loaded_ = failure("not read yet");
        if (error == ENOENT || error == ENOTDIR) {
            return failure("is missing; write it with 'hora cluster snapshot'");
        }
        return failure(fmt::format("cannot be looked at: {}", error_text(error)));
    }
    const Identity identity{status.st_dev, status.st_ino, status.st_ctim.tv_sec,
                            status.st_ctim.tv_nsec, status.st_size};
    if (identity != identity_) {
        load(identity);
    }
    if (!loaded_) {
        state = State::unreadable;
        return loaded_;
    }
    const Seconds age = read::age_of(**loaded_, now);
    state = State::stale;
    switch (read::judge_age(age, source_.max_age)) {
        case read::SnapshotAge::too_old:
            return failure(
                fmt::format("is {:.0f} s old, at most {:.0f} s (snapshot.max_age); is "
                            "'hora cluster snapshot' still run?",
                            age.count(), source_.max_age.count()));
        case read::SnapshotAge::ahead:
            return failure(
                fmt::format("was written {:.0f} s from now; check the clocks", -age.count()));
        case read::SnapshotAge::usable:
            break;
    }
    state = State::good;
    return loaded_;
}

void SnapshotFile::load(const Identity& identity) {
    identity_ = identity;
    const auto text = read_trusted_file(source_.path, source_.trusted_user);
    if (!text) {
        loaded_ = unexpected(text.error());
        return;
    }
    auto snapshot = read::read_snapshot(*text);
    if (!snapshot) {
        loaded_ = unexpected(snapshot.error());
        return;
    }
    loaded_ = std::make_shared<const domain::Snapshot>(*std::move(snapshot));
}

}  // namespace hora::slurm
