// How is a large number shown in a few letters?
#include "libplanner/report/short_count.hpp"

#include <fmt/format.h>

#include <array>

namespace hora::report {

std::string short_count(std::uint64_t count) {
    constexpr std::array prefixes = {"", " k", " M", " G", " T", " P", " E"};
    double value = static_cast<double>(count);
    std::size_t prefix = 0;
    while (value >= 999.95 && prefix + 1 < prefixes.size()) {
        value /= 1000;
        ++prefix;
    }
    return prefix == 0 ? fmt::format("{}", count)
                       : fmt::format("{:#.4g}{}", value, prefixes[prefix]);
}

std::string short_bytes(std::uint64_t count) {
    const std::string text = short_count(count);
    return count < 1000 ? text + " B" : text + "B";
}

}  // namespace hora::report
