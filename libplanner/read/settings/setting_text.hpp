// How is the value of one setting written, and which values may it have?
#pragma once

#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/read/settings/settings.hpp"

namespace hora::read {

// A value of the same type as `like`. On failure: "must be ..., not ...", to follow the name.
Expected<SettingValue> parse_setting(const SettingValue& like, std::string_view text);

// Whether the value lies in the range of its row; on failure the message names the setting.
Expected<void> check_setting(const Setting& setting, const SettingValue& value);

// "time", "size", "true or false" ...: what the manual says of a setting's type.
std::string_view type_of(const SettingValue& value);
// What a number in JSON counts: "s", "B", "B/s", or empty.
std::string_view unit_of(const SettingValue& value);

}  // namespace hora::read
