// Has all arrived that a program has printed?
#pragma once

#include <cstdio>
#include <string>

namespace hora {

// A full disk or a closed pipe must not look like success: says so on standard error.
inline bool is_output_written(const std::string& program) {
    const std::string problem = program + ": cannot write the output";
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
        return true;
    }
    std::perror(problem.c_str());
    return false;
}

}  // namespace hora
