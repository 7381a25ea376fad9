// What does the other side answer to one line?
#pragma once

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

}  // namespace hora::slurm
