// By what do the ranks of one job step know each other?
#include "contrib/nccl/secret.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "contrib/trainer/file.hpp"

namespace hora::trainer {

bool are_same(const Secret::Word& one, const Secret::Word& other) {
    std::byte difference{};
    for (std::size_t i = 0; i < one.size(); ++i) {
        difference |= one[i] ^ other[i];
    }
    return difference == std::byte{};
}

Expected<Secret> make_secret(const std::string& path) {
    Secret secret;
    if (path.empty()) {
        return secret;
    }
    if (getrandom(&secret, sizeof secret, 0) != static_cast<ssize_t>(sizeof secret)) {
        return failure(fmt::format("the system has no random numbers: {}", std::strerror(errno)));
    }
    std::error_code ignored;  // to write the file fails then
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    std::filesystem::create_directories(folder, ignored);
    std::array<char, sizeof secret> bytes{};
    std::memcpy(bytes.data(), &secret, sizeof secret);
    if (auto written = write_private_file(path, {bytes.data(), bytes.size()}); !written) {
        return unexpected(written.error());
    }
    if (const auto read = read_secret(path); !read) {
        std::filesystem::remove(path, ignored);
        return failure(
            fmt::format("\"{}\" does not keep a file for this user alone ({}); set "
                        "HORA_CHECKPOINT_DIR to a folder on a file system that does",
                        folder.string(), read.error().message));
    }
    return secret;
}

Expected<Secret> read_secret(const std::string& path) {
    Secret secret;
    if (path.empty()) {
        return secret;
    }
    const auto bytes = read_private_file(path, sizeof secret);
    if (!bytes) {
        return unexpected(bytes.error());
    }
    if (bytes->size() != sizeof secret) {
        return failure(fmt::format("\"{}\" is not yet whole", path));
    }
    std::memcpy(&secret, bytes->data(), sizeof secret);
    return secret;
}

}  // namespace hora::trainer
