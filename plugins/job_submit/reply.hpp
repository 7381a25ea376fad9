// What does slurmctld answer to a client whose request Hora does not take as it is?
#pragma once

#include <string_view>

namespace hora::submit {

// The client reads it behind Slurm's own words, cut at 4 KiB. `message` is slurmctld's, or null.
void tell(char** message, std::string_view text);

// Tells the text behind "hora: ", and writes it to the log, behind `whose`. Returns `error`, for
// slurmctld.
int refuse(char** message, std::string_view text, int error, std::string_view whose = {});

}  // namespace hora::submit
