// How is a file written that others read, and what does the log say of it?
#pragma once

#include <string>

#include "scripts/hora/command/atomic_file.hpp"
#include "scripts/horad/log/log.hpp"

namespace hora::horad {

// Whole or not at all; that it cannot be written is a trouble of this topic.
void write_logged(Log& log, const std::string& topic, const std::string& path,
                  const std::string& text, scripts::FileRights rights);

}  // namespace hora::horad
