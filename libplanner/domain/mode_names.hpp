// How is a mode of training named, wherever it is written or read?
#pragma once

#include <cstddef>
#include <string_view>

#include "libplanner/domain/request.hpp"

namespace hora::domain {

constexpr std::string_view mode_names[] = {"independent", "sync", "async", "balanced"};

constexpr std::string_view name_of(Mode mode) {
    return mode_names[static_cast<std::size_t>(mode)];
}

}  // namespace hora::domain
