// What stands in a file, whole and bounded?
#include "libplanner/read/file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "libplanner/read/quoted.hpp"

namespace hora::read {

Expected<std::string> read_file(const std::string& path, std::size_t limit) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                               &std::fclose);
    if (!file) {
        return failure(fmt::format("cannot open {}: {}", quoted_path(path), std::strerror(errno)));
    }
    std::string text;
    char piece[65536];
    while (const std::size_t count = std::fread(piece, 1, sizeof piece, file.get())) {
        if (text.size() + count > limit) {
            return failure(
                fmt::format("{} is larger than {} bytes, the most that is read of such a file",
                            quoted_path(path), limit));
        }
        text.append(piece, count);
    }
    if (std::ferror(file.get()) != 0) {
        return failure(fmt::format("cannot read {}: {}", quoted_path(path), std::strerror(errno)));
    }
    return text;
}

}  // namespace hora::read
