// What slurmctld's log would hold: the lines that the plugin logs in a test.
#pragma once

#include <string>
#include <vector>

namespace hora::submit {

// Since the last call, whole, as they were given to slurmctld.
std::vector<std::string> take_log();

// Waits for such a line, and takes the log up to it.
bool comes_in_log(const std::string& words);

}  // namespace hora::submit
