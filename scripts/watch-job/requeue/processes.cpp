// Which processes run on this node, and which of them belong to a batch script?
#include "scripts/watch-job/requeue/processes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <set>

#include "plugins/spank/process/process_descriptor.hpp"

namespace hora::watch {
namespace {

constexpr std::string_view srun_name = "srun";

std::string status_of(pid_t pid) {
    return spank::read_process_text(pid, "status", 8192);
}

}  // namespace

std::vector<Process> script_of(std::span<const Process> all, pid_t shell) {
    std::multimap<pid_t, const Process*> children;
    std::vector<Process> script;
    for (const Process& process : all) {
        children.emplace(process.parent, &process);
        if (process.pid == shell) {
            script.push_back(process);
        }
    }
    for (std::size_t next = 0; next < script.size(); ++next) {
        const auto [first, last] = children.equal_range(script[next].pid);
        for (auto child = first; child != last; ++child) {
            if (child->second->name != srun_name) {
                script.push_back(*child->second);
            }
        }
    }
    return script;
}

std::vector<Process> sruns_of(std::span<const Process> all, std::span<const Process> script) {
    std::vector<Process> sruns;
    std::copy_if(all.begin(), all.end(), std::back_inserter(sruns), [&](const Process& process) {
        return process.name == srun_name &&
               std::any_of(script.begin(), script.end(),
                           [&](const Process& parent) { return parent.pid == process.parent; });
    });
    return sruns;
}

bool is_in_mask(std::string_view status, std::string_view mask, int signal) {
    const std::string label = fmt::format("\n{}:\t", mask);
    const std::size_t place = status.find(label);
    std::uint64_t bits = 0;
    if (place == std::string_view::npos) {
        return false;
    }
    status.remove_prefix(place + label.size());
    std::from_chars(status.data(), status.data() + status.size(), bits, 16);
    return (bits >> (signal - 1) & 1) != 0;
}

bool catches(const Process& process, int signal) {
    return is_in_mask(status_of(process.pid), "SigCgt", signal);
}

std::vector<Process> below(std::span<const Process> all, pid_t process) {
    std::multimap<pid_t, const Process*> children;
    for (const Process& one : all) {
        children.emplace(one.parent, &one);
    }
    std::vector<Process> found;
    const auto add = [&](pid_t parent) {
        const auto [first, last] = children.equal_range(parent);
        for (auto child = first; child != last; ++child) {
            found.push_back(*child->second);
        }
    };
    add(process);
    for (std::size_t next = 0; next < found.size(); ++next) {
        add(found[next].pid);
    }
    return found;
}

std::vector<Process> first_of(std::span<const Process> all,
                              const std::function<bool(const Process&)>& is_to_be_asked) {
    std::set<pid_t> done;
    std::vector<Process> first;
    for (const Process& process : all) {
        if (done.contains(process.parent)) {
            done.insert(process.pid);
        } else if (is_to_be_asked(process)) {
            done.insert(process.pid);
            first.push_back(process);
        }
    }
    return first;
}

bool has_variables(const Process& process, std::span<const std::string> variables) {
    // Slurm's own come long before this.
    constexpr std::size_t most_bytes = 256 * 1024;
    const std::string text = '\0' + spank::read_process_text(process.pid, "environ", most_bytes);
    return std::all_of(variables.begin(), variables.end(), [&](const std::string& variable) {
        return text.find('\0' + variable + '\0') != std::string::npos;
    });
}

bool signal_this(const Process& process, int signal) {
    const slurm::Descriptor descriptor = spank::open_process(process.pid);
    if (!descriptor.is_open()) {
        return false;
    }
    const auto now = find_process(process.pid);
    return now && now->start == process.start && spank::signal_process(descriptor, signal);
}

bool is_of_step(const Process& process, const JobMark& mark) {
    if (process.name == srun_name) {
        return false;
    }
    // Slurm's own variables come long before this.
    constexpr std::size_t most_bytes = 256 * 1024;
    const std::string variables =
        '\0' + spank::read_process_text(process.pid, "environ", most_bytes);
    const auto holds = [&](const std::string& text) {
        return variables.find('\0' + text) != std::string::npos;
    };
    // A first start has no count, and a step may be without its script's variables.
    const std::string count = "SLURM_RESTART_COUNT=";
    const bool is_of_start = !holds(count) || holds(count + std::to_string(mark.restarts) + '\0');
    return holds("SLURM_JOB_ID=" + std::to_string(mark.job) + '\0') &&
           holds("SLURM_CLUSTER_NAME=" + mark.cluster + '\0') && holds("SLURM_STEP_ID=") &&
           is_of_start;
}

}  // namespace hora::watch
