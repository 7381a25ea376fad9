// What does the other side answer to one line?
#pragma once

#include <netdb.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "libplanner/base/error.hpp"

namespace hora::slurm {

// Of an answer, without its end.
constexpr std::size_t longest_line = 256;

// Connects by TCP, sends the line and reads one; `limit` is for all of it but the look-up of the
// name. Fails, saying why, where no whole line came in that time.
Expected<std::string> exchange_line(const std::string& host, std::uint16_t port,
                                    const std::string& line, std::chrono::milliseconds limit);

// The same with the first of these addresses that answers: each has its equal share of the time
// that is left, so that one that stays silent leaves the others theirs.
Expected<std::string> exchange_line(const addrinfo& addresses, const std::string& line,
                                    std::chrono::steady_clock::time_point deadline);

}  // namespace hora::slurm
