// How was this srun called, and is it the only one of its job?
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hora::spank {

// The command line of this process, program first. Nothing where it cannot be read or is longer
// than 1 MiB.
std::optional<std::vector<std::string>> own_words();

// Does another srun of the job run on this host, or could the script start one beside this, because
// a shell put it in the background? Then Slurm may have other nodes in mind for it.
bool runs_beside_others(std::string_view job);

}  // namespace hora::spank
