// How was this srun called, and is it the only one of its job?
#include "plugins/spank/srun/other_sruns.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace hora::spank {
namespace {

constexpr std::size_t longest = std::size_t{1} << 20;

// A file of /proc, whose size nobody knows beforehand; nothing beyond 1 MiB.
std::optional<std::string> read_process_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text(longest + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return text.size() > longest ? std::nullopt : std::optional(std::move(text));
}

bool is_own(const std::string& folder) {
    struct stat status {};
    return stat(folder.c_str(), &status) == 0 && status.st_uid == getuid();
}

// Numbers of jobs are those of one cluster; what does not say which may be ours.
bool names_other_cluster(const std::string& variables) {
    using std::string_view_literals::operator""sv;
    constexpr auto entry = "\0SLURM_CLUSTER_NAME="sv;
    const char* const own = std::getenv("SLURM_CLUSTER_NAME");
    return own != nullptr && variables.find(entry) != std::string::npos &&
           variables.find(std::string(entry) + own + '\0') == std::string::npos;
}

// Also true of an srun whose environment is too long to read; false of one that has ended.
bool is_srun_of(const std::string& folder, const std::string& entry) {
    const auto name = read_process_file(folder + "/comm");
    if (!name || *name != "srun\n" || !is_own(folder)) {
        return false;
    }
    auto variables = read_process_file(folder + "/environ");
    if (!variables) {
        return true;
    }
    variables->insert(0, 1, '\0');
    return variables->find(entry) != std::string::npos && !names_other_cluster(*variables);
}

// A shell without job control has what it starts in the background ignore SIGINT.
bool is_in_background() {
    struct sigaction current {};
    return sigaction(SIGINT, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

}  // namespace

std::optional<std::vector<std::string>> own_words() {
    const auto text = read_process_file("/proc/self/cmdline");
    if (!text) {
        return std::nullopt;
    }
    std::vector<std::string> words;
    for (std::size_t start = 0; start < text->size();) {
        const std::size_t end = std::min(text->find('\0', start), text->size());
        words.push_back(text->substr(start, end - start));
        start = end + 1;
    }
    return words;
}

bool runs_beside_others(std::string_view job) {
    if (is_in_background()) {
        return true;
    }
    const std::string own = std::to_string(getpid());
    const std::string entry = '\0' + ("SLURM_JOB_ID=" + std::string(job)) + '\0';
    std::error_code error;
    for (std::filesystem::directory_iterator process("/proc", error), end; process != end;
         process.increment(error)) {
        const std::string name = process->path().filename().string();
        if (error || (std::isdigit(static_cast<unsigned char>(name.front())) != 0 && name != own &&
                      is_srun_of(process->path().string(), entry))) {
            return true;
        }
    }
    return static_cast<bool>(error);
}

}  // namespace hora::spank
