// How are the settings shown: to people, to programs, and in the manual?
#pragma once

#include <string>

#include "libplanner/read/settings/settings.hpp"

namespace hora::report {

// One line a setting: name, value and where it comes from.
std::string settings_table(const read::Settings& settings);
// {version, settings: [{name, value, unit, source, where, help}], partitions: [...]}
std::string settings_json(const read::Settings& settings);
// The list of settings of hora.toml(5), in roff.
std::string settings_manual();

}  // namespace hora::report
