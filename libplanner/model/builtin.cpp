// Which networks are known by name, and what do they cost?
#include "libplanner/model/builtin.hpp"

#include <string>

#include "libplanner/base/nearest.hpp"

namespace hora::model {

std::span<const std::string_view> builtin_names() {
    return {};
}

Expected<domain::Network> builtin_network(std::string_view name, const NetworkOptions&) {
    return wrong_use("unknown model \"" + std::string(name) + "\"" +
                     did_you_mean(name, builtin_names()));
}

}  // namespace hora::model
