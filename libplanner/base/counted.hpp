// How is a number of things written? "1 GPU", "8 GPUs".
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>

namespace hora {

// "s", or nothing after a single one.
constexpr std::string_view plural(std::integral auto count, std::string_view ending = "s") {
    return count == 1 ? std::string_view() : ending;
}

// "1 job", "0 jobs", "2 NVSwitches" with the ending "es".
std::string counted(std::integral auto count, std::string_view noun,
                    std::string_view ending = "s") {
    return fmt::format("{} {}{}", count, noun, plural(count, ending));
}

// "1 job is", "2 jobs are".
std::string counted_are(std::integral auto count, std::string_view noun) {
    return counted(count, noun) + (count == 1 ? " is" : " are");
}

}  // namespace hora
