// What a trainer learns from: a file of somebody's, gzip'd or not.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "libplanner/base/error.hpp"

namespace hora::trainer {

struct DataFile {
    std::string path;
    const char* what;     // it holds
    const char* package;  // of Debian, that has it
};

// Gives the unpacked content to `take` part by part, until that returns false. What is damaged or
// ends too early is a failure, returned only where all before it was taken.
Expected<void> read_parts(const DataFile& file,
                          const std::function<bool(std::span<const char>)>& take);

}  // namespace hora::trainer
