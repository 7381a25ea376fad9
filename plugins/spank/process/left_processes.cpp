// What is left in a step when its last task has ended, and how does it end?
#include "plugins/spank/process/left_processes.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <functional>
#include <utility>
#include <vector>

#include "libplanner/read/words.hpp"
#include "plugins/spank/process/process_descriptor.hpp"
#include "plugins/spank/process/process_list.hpp"

namespace hora::spank {
namespace {

using Clock = std::chrono::steady_clock;

void wait_for_end(const Process& process, int descriptor, Clock::time_point deadline) {
    while (find_process(process.pid) == process) {
        const auto rest =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        pollfd wait{descriptor, POLLIN, 0};
        if (rest.count() <= 0 || poll(&wait, 1, static_cast<int>(rest.count())) > 0) {
            return;
        }
    }
}

struct Held {
    Process process;
    slurm::Descriptor descriptor;
};

// Of those that are there now: what would start others has ended.
void wait_for(const std::function<bool(const Process&)>& is_waited_for,
              std::chrono::milliseconds limit, int signal = 0) {
    const Clock::time_point deadline = Clock::now() + limit;
    std::vector<Held> all;
    for (const Process& process : all_processes()) {
        if (process.has_ended || !is_waited_for(process)) {
            continue;
        }
        slurm::Descriptor descriptor = open_process(process.pid);
        if (descriptor.is_open() && find_process(process.pid) == process) {
            all.push_back({process, std::move(descriptor)});
        }
    }
    for (const Held& held : all) {
        if (signal != 0) {
            signal_process(held.descriptor, signal);
        }
    }
    for (const Held& held : all) {
        wait_for_end(held.process, held.descriptor.number(), deadline);
    }
}

std::string cgroup_of(pid_t process) {
    constexpr std::size_t longest = 64 * 1024;
    return read_process_text(process, "cgroup", longest);
}

// Of the hierarchy by which Slurm tracks processes: "4:freezer:/path" in version 1, "0::/path" in
// version 2. On a machine with both the second one says nothing of jobs.
std::string_view tracked_path(std::string_view cgroup, std::string_view part) {
    while (!cgroup.empty()) {
        std::string_view line = read::take_until(cgroup, '\n');
        line.remove_prefix(std::min(line.find(':'), line.size()));
        const bool tracks = line.starts_with("::/") || line.starts_with(":freezer:/");
        if (tracks && line.find(part) != std::string_view::npos) {
            return line.substr(line.find('/'));
        }
    }
    return {};
}

}  // namespace

void wait_for_sruns(pid_t session, std::chrono::milliseconds limit) {
    wait_for(
        [&](const Process& process) {
            return process.session == session && process.name == "srun";
        },
        limit);
}

void wait_for_job_watcher(const std::string& watcher, std::uint32_t job,
                          std::chrono::milliseconds limit) {
    const std::string name = process_name(watcher);
    const std::string container = job_container(cgroup_of(getpid()), job);
    if (container.empty()) {
        return;
    }
    wait_for(
        [&](const Process& process) {
            return process.name == name &&
                   is_in_step(cgroup_of(process.pid), container, "step_batch");
        },
        limit);
}

void end_rest_of_step(std::uint32_t job, const std::string& step, std::chrono::milliseconds limit) {
    const std::string container = job_container(cgroup_of(getpid()), job);
    if (container.empty()) {
        return;
    }
    wait_for(
        [&](const Process& process) {
            return process.pid != getpid() && is_in_step(cgroup_of(process.pid), container, step);
        },
        limit, SIGKILL);
}

std::string job_container(std::string_view cgroup, std::uint32_t job) {
    const std::string folder = fmt::format("/job_{}", job);
    const std::string_view path = tracked_path(cgroup, folder);
    const std::size_t end = path.find(folder) + folder.size();
    const bool is_found = !path.empty() && (end == path.size() || path[end] == '/');
    return is_found ? std::string(path.substr(0, end)) : std::string();
}

bool is_in_step(std::string_view cgroup, const std::string& job_container, std::string_view step) {
    const std::string folder = fmt::format("{}/{}", job_container, step);
    std::string_view path = tracked_path(cgroup, folder);
    if (!path.starts_with(folder)) {
        return false;
    }
    path.remove_prefix(folder.size());
    const bool is_slurmstepds = path == "/slurm" || path.starts_with("/slurm/");
    return (path.empty() || path.front() == '/') && !is_slurmstepds;
}

}  // namespace hora::spank
