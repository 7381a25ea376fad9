// Which processes run on this node?
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hora::spank {

struct Process {
    pid_t pid = 0;
    pid_t parent = 0;
    std::uint64_t start = 0;  // in ticks since the node came up: with pid it names a process
    std::string name;         // as the kernel has it: at most 15 letters of the program's
    pid_t session = 0;
    bool has_ended = false;  // and its parent has not taken note of it yet

    friend bool operator==(const Process&, const Process&) = default;
};

// Of a process that runs this program (a path), as the kernel has it.
std::string process_name(std::string_view program);

// The text of /proc/PID/stat. Nothing where it is none.
std::optional<Process> read_process(std::string_view stat);

// Null where the process has gone.
std::optional<Process> find_process(pid_t pid);
std::vector<Process> all_processes();

// The beginning of that file in /proc/PID; empty where the process has gone, and of another user's
// where only that one may read it.
std::string read_process_text(pid_t pid, const char* file, std::size_t most_bytes);

}  // namespace hora::spank
