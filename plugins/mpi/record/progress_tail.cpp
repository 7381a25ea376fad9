// Which steps has the program reported since it was last asked?
#include "plugins/mpi/record/progress_tail.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <optional>
#include <string_view>

namespace hora::mpi {
namespace {

constexpr std::size_t longest_line = 1024;
constexpr std::size_t most_bytes = 65536;  // at a time: a program that writes more is no program's

// Of a line {"step":3,…}, in whichever order its keys stand.
std::optional<std::uint64_t> step_of(std::string_view line) {
    constexpr std::string_view key = "\"step\"";
    const auto found = line.find(key);
    if (!line.starts_with('{') || found == line.npos) {
        return std::nullopt;
    }
    line.remove_prefix(found + key.size());
    const auto digit = line.find_first_not_of(": \t");
    std::uint64_t step = 0;
    if (digit == line.npos || digit == 0 ||
        std::from_chars(line.data() + digit, line.data() + line.size(), step).ec != std::errc() ||
        step > std::uint64_t{1} << 53) {
        return std::nullopt;
    }
    return step;
}

}  // namespace

ProgressTail::~ProgressTail() {
    if (file_ >= 0) {
        close(file_);
    }
}

void ProgressTail::start(const std::string& path) {
    path_ = path;
    struct stat found {};
    if (open() && fstat(file_, &found) == 0) {
        read_ = found.st_size;
    }
}

bool ProgressTail::open() {
    if (file_ < 0 && !path_.empty()) {
        // A pipe in its place must not wait for a writer.
        file_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    }
    return file_ >= 0;
}

std::vector<std::uint64_t> ProgressTail::take_steps() {
    std::vector<std::uint64_t> steps;
    char memory[4096];
    for (std::size_t taken = 0; open() && taken < most_bytes;) {
        const ssize_t count = pread(file_, memory, sizeof memory, read_);
        if (count <= 0) {
            break;
        }
        read_ += count;
        taken += static_cast<std::size_t>(count);
        rest_.append(memory, static_cast<std::size_t>(count));
        std::size_t begin = 0;
        for (auto end = rest_.find('\n'); end != rest_.npos; end = rest_.find('\n', begin)) {
            if (const auto step = step_of(std::string_view(rest_).substr(begin, end - begin))) {
                steps.push_back(*step);
            }
            begin = end + 1;
        }
        rest_.erase(0, begin);
        if (rest_.size() > longest_line) {
            rest_.clear();
        }
    }
    return steps;
}

}  // namespace hora::mpi
