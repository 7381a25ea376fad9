// Has NCCL built the ring that Hora predicts?
//
// Environment: TMPDIR; NCCL_DEBUG, NCCL_DEBUG_SUBSYS and NCCL_DEBUG_FILE are set
#include "contrib/nccl/ring_check.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "contrib/trainer/file.hpp"

extern char** environ;

namespace hora::trainer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_log = std::size_t{16} << 20;  // of one rank
constexpr std::string_view log_prefix = "rank.";

// Runs a program of the PATH; its data go to the file, if one is named.
Expected<int> run(const std::vector<std::string>& words, const std::string& output) {
    std::vector<char*> arguments;
    for (const std::string& word : words) {
        arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (!output.empty()) {
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
    }
    pid_t pid = -1;
    const int error =
        posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        return failure(fmt::format("cannot run \"{}\": {}; name it with --hora", words[0],
                                   std::strerror(error)));
    }
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status)) {
        return failure(fmt::format("\"{}\" was ended by signal {}", words[0], WTERMSIG(status)));
    }
    return WEXITSTATUS(status);
}

// What `hora ring` predicts from.
Expected<std::vector<std::string>> machine_words(const RingCheck& check,
                                                 const std::string& folder) {
    if (!check.cluster.empty()) {
        return std::vector<std::string>{"--cluster", check.cluster};
    }
    if (!check.topology.empty()) {
        return std::vector<std::string>{"--topology", check.topology};
    }
    const std::string machine = folder + "/machine.json";
    const auto code = run({check.hora, "topology", "--local", "--json"}, machine);
    if (!code) {
        return unexpected(code.error());
    }
    if (*code != 0) {
        return failure(
            "hora knows no topology of this machine; name a file with --topology or --cluster");
    }
    return std::vector<std::string>{"--topology", machine};
}

std::uint64_t host_checksum() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return crc32(0, reinterpret_cast<const Bytef*>(name.data()), name.size());
}

}  // namespace

Expected<std::unique_ptr<NcclLog>> NcclLog::begin() {
    std::error_code error;
    fs::path parent = fs::temp_directory_path(error);
    std::string folder = (error ? fs::path("/tmp") : parent) / "hora-nccl.XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) {
        return failure(fmt::format("cannot make a folder for NCCL's log, \"{}\": {}", folder,
                                   std::strerror(errno)));
    }
    std::unique_ptr<NcclLog> log(new NcclLog(folder));
    setenv("NCCL_DEBUG", "INFO", 1);
    setenv("NCCL_DEBUG_SUBSYS", "INIT,GRAPH", 1);
    setenv("NCCL_DEBUG_FILE", fmt::format("{}/{}%h.%p", folder, log_prefix).c_str(), 1);
    return log;
}

NcclLog::~NcclLog() {
    std::error_code error;
    fs::remove_all(folder_, error);
}

Expected<std::string> NcclLog::text() const {
    std::string text;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_, error)) {
        if (!entry.path().filename().string().starts_with(log_prefix)) {
            continue;
        }
        const auto part = read_file(entry.path(), most_log);
        if (!part) {
            return unexpected(part.error());
        }
        text += *part;
    }
    return text.empty() ? failure("NCCL has logged nothing") : Expected<std::string>(text);
}

Expected<int> judge_ring(const RingCheck& check, const std::string& log,
                         const std::string& folder) {
    const std::string name = "nccl.log";
    if (auto written = replace_file(folder, name, log); !written) {
        return unexpected(written.error());
    }
    const auto machine = machine_words(check, folder);
    if (!machine) {
        return unexpected(machine.error());
    }
    std::vector<std::string> words{check.hora, "ring"};
    words.insert(words.end(), machine->begin(), machine->end());
    words.insert(words.end(), {"--verify", folder + "/" + name});
    return run(words, "");
}

Expected<int> verify_ring(TcpExchange& exchange, const RingCheck& check, const NcclLog& log) {
    if (exchange.size() == 1) {
        return wrong_use("--verify-ring needs two ranks or more; one GPU has no ring");
    }
    const auto hosts = exchange.gather(host_checksum());
    if (!hosts) {
        return unexpected(hosts.error());
    }
    const bool are_several =
        std::ranges::adjacent_find(*hosts, std::not_equal_to()) != hosts->end();
    if (are_several && check.cluster.empty()) {
        return wrong_use(
            "the ranks are on several nodes; name a cluster file or a snapshot with "
            "--cluster");
    }
    const auto own = log.text();
    const auto texts = exchange.collect(own.value_or(""), most_log);
    if (!own || !texts) {
        return unexpected(own ? texts.error() : own.error());
    }
    if (!exchange.is_first()) {
        return 0;
    }
    std::string all;
    for (const std::string& text : *texts) {
        all += text;
        all += all.ends_with('\n') ? "" : "\n";
    }
    return judge_ring(check, all, log.folder());
}

}  // namespace hora::trainer
