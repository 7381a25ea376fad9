// How fast are the types of GPU of a job, one against another?
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::read {

struct TypeSpeed {
    std::string type;
    double speed = 0;  // relative, above 0
};

// Reads "titanx:1.9,gtx970:1", at most 64 types. Fails, naming the item, on anything else.
Expected<std::vector<TypeSpeed>> read_speeds(std::string_view text);

}  // namespace hora::read
