// How is a large number shown in a few letters?
#pragma once

#include <cstdint>
#include <string>

namespace hora::report {

// Four digits and a decimal prefix: "4.089 G". Below a thousand the number itself.
std::string short_count(std::uint64_t count);
// "4.089 GB", "56 B"
std::string short_bytes(std::uint64_t count);

}  // namespace hora::report
