// Which processes run on this node?
#include "plugins/spank/process/process_list.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "libplanner/read/leading_number.hpp"
#include "libplanner/read/words.hpp"
#include "plugins/slurm/store/read_start.hpp"

namespace hora::spank {
namespace {

struct Close {
    void operator()(DIR* folder) const { closedir(folder); }
};

template <class Number>
bool is_number(std::string_view word, Number& number) {
    return read::take_number(word, number) && word.empty();
}

}  // namespace

std::string process_name(std::string_view program) {
    constexpr std::size_t longest = 15;             // TASK_COMM_LEN, with its end
    program.remove_prefix(program.rfind('/') + 1);  // npos + 1 is 0
    return std::string(program.substr(0, longest));
}

std::string read_process_text(pid_t pid, const char* file, std::size_t most_bytes) {
    const std::string path = "/proc/" + std::to_string(pid) + "/" + file;
    const slurm::Descriptor opened(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    return slurm::read_start(opened, most_bytes);
}

std::optional<Process> read_process(std::string_view stat) {
    // The name stands in parentheses and may hold any of them, and blanks.
    const std::size_t open = stat.find(" (");
    const std::size_t close = stat.rfind(") ");
    Process process;
    if (open == std::string_view::npos || close == std::string_view::npos || close < open + 2 ||
        !is_number(stat.substr(0, open), process.pid)) {
        return std::nullopt;
    }
    process.name = stat.substr(open + 2, close - open - 2);
    std::string_view rest = stat.substr(close + 2);
    process.has_ended = read::take_until(rest, ' ') == "Z";
    const bool has_parent = is_number(read::take_until(rest, ' '), process.parent);
    read::take_until(rest, ' ');  // the process group
    if (!has_parent || !is_number(read::take_until(rest, ' '), process.session)) {
        return std::nullopt;
    }
    constexpr int fields_between = 15;  // from tty_nr to itrealvalue, as proc(5) counts them
    for (int field = 0; field < fields_between; ++field) {
        read::take_until(rest, ' ');
    }
    return is_number(read::take_until(rest, ' '), process.start) ? std::optional(process)
                                                                 : std::nullopt;
}

std::optional<Process> find_process(pid_t pid) {
    constexpr std::size_t longest_stat = 1024;
    return read_process(read_process_text(pid, "stat", longest_stat));
}

std::vector<Process> all_processes() {
    std::vector<Process> processes;
    const std::unique_ptr<DIR, Close> folder(opendir("/proc"));
    while (const dirent* entry = folder ? readdir(folder.get()) : nullptr) {
        pid_t pid = 0;
        if (!is_number(std::string_view(entry->d_name), pid)) {
            continue;
        }
        if (auto process = find_process(pid)) {
            processes.push_back(*std::move(process));
        }
    }
    return processes;
}

}  // namespace hora::spank
