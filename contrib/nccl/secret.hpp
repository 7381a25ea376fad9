// By what do the ranks of one job step know each other?
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "libplanner/base/error.hpp"

namespace hora::trainer {

// Numbers for processes that may read the job's files, and no others: what a rank sends to rank 0,
// and what rank 0 answers. All zero where there is no file: then the ranks know each other by the
// job step alone.
struct Secret {
    using Word = std::array<std::byte, 32>;
    Word of_rank{};
    Word of_first{};
};

// In a time that does not depend on where they differ.
bool are_same(const Secret::Word& one, const Secret::Word& other);

// By rank 0: a new one, in the file. An empty path is no file. Fails where the file system does not
// keep it for this user alone: the other ranks could not read it.
Expected<Secret> make_secret(const std::string& path);
// By the others. Fails where rank 0 has not yet made it, and where the file is not this user's
// alone.
Expected<Secret> read_secret(const std::string& path);

}  // namespace hora::trainer
