// What came of the job's earlier starts, as this program noted it in the checkpoint folder?
#include "scripts/watch-job/requeue/start_list.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>

#include "libplanner/read/whole_number.hpp"
#include "libplanner/read/words.hpp"
#include "plugins/slurm/store/descriptor.hpp"
#include "plugins/slurm/store/read_start.hpp"

namespace hora::watch {
namespace {

constexpr std::string_view list_name = "/restarts";
constexpr std::size_t longest_list = 1 << 20;

std::optional<PastStart> read_line(std::string_view line) {
    constexpr read::WholeRange counts{0, std::uint64_t{1} << 53};
    std::array<std::uint64_t, 3> numbers{};
    const auto words = read::split_words(line, ' ');
    if (words.size() != numbers.size()) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto number = read::parse_whole_number(words[i], counts);
        if (!number) {
            return std::nullopt;
        }
        numbers[i] = *number;
    }
    if (numbers[0] > 0xffff) {
        return std::nullopt;
    }
    return PastStart{static_cast<std::uint32_t>(numbers[0]), numbers[1],
                     Seconds(static_cast<double>(numbers[2]))};
}

std::string read_list(const std::string& path) {
    const slurm::Descriptor file(
        open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    return slurm::read_start(file, longest_list);
}

}  // namespace

std::vector<PastStart> read_starts(std::string_view text) {
    std::map<std::uint32_t, PastStart> by_restarts;
    while (!text.empty()) {
        if (const auto start = read_line(read::take_until(text, '\n'))) {
            by_restarts.insert_or_assign(start->restarts, *start);
        }
    }
    std::vector<PastStart> starts;
    for (const auto& [restarts, start] : by_restarts) {
        starts.push_back(start);
    }
    return starts;
}

std::string to_line(const PastStart& start) {
    const double seconds = std::max(0.0, start.ran.count());
    return fmt::format("{} {} {:.0f}\n", start.restarts, start.step, seconds);
}

std::vector<PastStart> load_starts(const std::string& folder) {
    return read_starts(read_list(folder + std::string(list_name)));
}

Expected<void> note_start(const std::string& folder, const PastStart& start) {
    const std::string path = folder + std::string(list_name);
    const slurm::Descriptor file(open(
        path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
    // A line that a full disk tore stays a line of its own.
    const std::string line = "\n" + to_line(start);
    const bool is_written =
        file.is_open() &&
        write(file.number(), line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
        fsync(file.number()) == 0;
    if (!is_written) {
        return failure(
            fmt::format("cannot note the restart in \"{}\": {}", path, std::strerror(errno)));
    }
    return {};
}

}  // namespace hora::watch
