// What a trainer learns from: a file of somebody's, gzip'd or not.
#include "contrib/trainer/data_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

namespace hora::trainer {
namespace {

struct CloseGzip {
    void operator()(gzFile file) const { gzclose(file); }
};

tl::unexpected<Error> unreadable(const DataFile& file) {
    return failure(
        fmt::format("cannot read {} from \"{}\": {}; install {} or name the file with --data",
                    file.what, file.path, std::strerror(errno), file.package));
}

}  // namespace

Expected<void> read_parts(const DataFile& file,
                          const std::function<bool(std::span<const char>)>& take) {
    const std::unique_ptr<gzFile_s, CloseGzip> packed(gzopen(file.path.c_str(), "rb"));
    if (!packed) {
        return unreadable(file);
    }
    std::array<char, 1 << 16> part{};
    int size = 0;
    while ((size = gzread(packed.get(), part.data(), part.size())) > 0) {
        if (!take(std::span(part).first(static_cast<std::size_t>(size)))) {
            return {};
        }
    }
    int error = Z_OK;
    gzerror(packed.get(), &error);  // also that the file ends within what was packed
    if (error == Z_ERRNO) {
        return unreadable(file);
    }
    if (size < 0 || error != Z_OK) {
        return failure(fmt::format("\"{}\" is damaged; name another file with --data", file.path));
    }
    return {};
}

}  // namespace hora::trainer
