// Does the program say that its checkpoint stands?
#include "scripts/watch-job/requeue/ready_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "libplanner/read/whole_number.hpp"
#include "plugins/slurm/store/descriptor.hpp"

namespace hora::watch {
namespace {

constexpr const char* ready_name = "READY";
constexpr std::size_t longest_ready = 64;
constexpr read::WholeRange steps{0, std::uint64_t{1} << 53};
constexpr read::WholeRange starts{0, 0xffff};

using slurm::Descriptor;

int open_folder(const std::string& folder) {
    return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

}  // namespace

std::optional<Ready> read_ready(std::string_view text) {
    if (!text.empty() && text.back() == '\n') {
        text.remove_suffix(1);
    }
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos) {
        return std::nullopt;
    }
    const auto step = read::parse_whole_number(text.substr(0, space), steps);
    const auto restarts = read::parse_whole_number(text.substr(space + 1), starts);
    if (!step || !restarts) {
        return std::nullopt;
    }
    return Ready{*step, static_cast<std::uint32_t>(*restarts)};
}

std::optional<Ready> find_ready(const std::string& folder) {
    const Descriptor place(open_folder(folder));
    if (!place.is_open()) {
        return std::nullopt;
    }
    // Neither a link nor a pipe that would hold up the reader.
    const Descriptor file(openat(place.number(), ready_name,
                                 O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat found {};
    if (!file.is_open() || fstat(file.number(), &found) != 0 || !S_ISREG(found.st_mode)) {
        return std::nullopt;
    }
    std::array<char, longest_ready + 1> text;
    const ssize_t length = ::read(file.number(), text.data(), text.size());
    if (length <= 0 || static_cast<std::size_t>(length) > longest_ready) {
        return std::nullopt;
    }
    return read_ready({text.data(), static_cast<std::size_t>(length)});
}

void remove_ready(const std::string& folder) {
    const Descriptor place(open_folder(folder));
    if (place.is_open()) {
        unlinkat(place.number(), ready_name, 0);
    }
}

}  // namespace hora::watch
