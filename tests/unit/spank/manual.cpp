// Does the manual page have each option as the table has it?
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "libplanner/read/settings/job_options.hpp"

namespace hora::spank {
namespace {

std::string read_page() {
    const char* const folder = std::getenv("srcdir");
    std::ifstream file(std::string(folder == nullptr ? "." : folder) +
                       "/plugins/spank/spank_hora.8");
    std::stringstream text;
    text << file.rdbuf();
    std::string page = text.str();
    page.erase(std::remove(page.begin(), page.end(), '\\'), page.end());
    return page;
}

TEST(Manual, HasEachOptionOfTheTable) {
    const std::string page = read_page();
    if (page.empty() && std::getenv("srcdir") == nullptr) {
        GTEST_SKIP() << "srcdir is not set";
    }
    for (const read::JobOption& option : read::job_options()) {
        std::string entry = ".B --" + std::string(option.name);
        if (!option.argument.empty()) {
            entry = ".BI --" + std::string(option.name) + "= " + std::string(option.argument);
        }
        EXPECT_NE(page.find(entry + "\n" + std::string(option.help)), std::string::npos)
            << entry << "\n"
            << option.help;
    }
}

}  // namespace
}  // namespace hora::spank
