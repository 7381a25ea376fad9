// How is a line of a record written (hora-trace(5))?
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace hora::mpi {

// Since some time before the program began, on this machine's clock that never steps back.
using Nanoseconds = std::uint64_t;
Nanoseconds now();

std::string head_line(std::string_view host, std::uint32_t process, int rank);

struct CommunicatorLine {
    std::string_view name;
    int rank = 0;
    int ranks = 1;
    int nodes = 0;  // 0: not known
};
std::string communicator_line(const CommunicatorLine& line);

constexpr int no_peer = std::numeric_limits<int>::min();  // of a collective

struct CallLine {
    std::string_view communicator;
    std::string_view operation;
    std::uint64_t sequence = 0;
    std::uint64_t bytes = 0;
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
    int peer = no_peer;
    std::uint64_t ahead = 0;  // pieces for which it did not wait; 0: not written
};

// Written for each call, and so into memory of the caller's; names are up to 128 bytes.
constexpr std::size_t longest_call_line = 512;
std::string_view write_call_line(const CallLine& line, char (&memory)[longest_call_line]);

std::string step_line(std::uint64_t step, Nanoseconds at);

}  // namespace hora::mpi
