// Does a rendering still equal the file below tests/golden that was reviewed? UPDATE_GOLDEN=1
// rewrites it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace hora::testing {

// "explain/finished.txt"
inline void expect_golden(const std::string& file, const std::string& printed) {
    const char* const source = std::getenv("srcdir");
    const std::string path =
        std::string(source != nullptr ? source : ".") + "/tests/golden/" + file;
    if (std::getenv("UPDATE_GOLDEN") != nullptr) {
        std::ofstream(path) << printed;
        return;
    }
    std::ostringstream golden;
    golden << std::ifstream(path).rdbuf();
    EXPECT_EQ(printed, golden.str()) << path << ": if this is right: make update-golden";
}

}  // namespace hora::testing
