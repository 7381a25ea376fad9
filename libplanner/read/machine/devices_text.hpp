// The text of devices.toml, compiled in (devices_text.cpp is made from it).
#pragma once

#include <string_view>

namespace hora::read {

extern const std::string_view devices_text;

}  // namespace hora::read
