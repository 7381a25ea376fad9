// What slurmctld's log would hold: the lines that the plugin logs in a test.
#pragma once

#include <string>
#include <vector>

namespace hora::submit {

// Since the last call, whole, as they were given to slurmctld.
std::vector<std::string> take_log();

}  // namespace hora::submit
