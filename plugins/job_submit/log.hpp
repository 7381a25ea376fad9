// How does the plugin write to slurmctld's log? Through here alone: a line holds words of users,
// and none of them may end it.
#pragma once

#include <string_view>

namespace hora::submit {

// "hora: " and the text, in one printable line of at most 1 KiB.
void log_info(std::string_view text);
void log_error(std::string_view text);

}  // namespace hora::submit
