// Which value, of the type that is asked for, stands at a key of a TOML file?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"
#include "libplanner/read/format/toml_library.hpp"

namespace hora::read {

struct TomlFault {
    toml::source_position at;
    std::string message;
};
template <class T>
using TomlValue = tl::expected<T, TomlFault>;

TomlValue<std::string> text_of(std::string_view key, const toml::node& node);
TomlValue<bool> flag_of(std::string_view key, const toml::node& node);
TomlValue<std::uint32_t> small_whole_of(std::string_view key, const toml::node& node);
TomlValue<std::uint64_t> whole_of(std::string_view key, const toml::node& node);
TomlValue<double> number_of(std::string_view key, const toml::node& node);
// A string with a unit: Seconds, Bytes, Bandwidth or FlopRate.
template <class Q>
TomlValue<Q> quantity_of(std::string_view key, const toml::node& node);
// One that is no list counts as a list of one.
TomlValue<std::vector<std::uint64_t>> wholes_of(std::string_view key, const toml::node& node);
TomlValue<std::vector<std::string>> texts_of(std::string_view key, const toml::node& node);

TomlFault wrong_type(std::string_view key, const toml::node& node, std::string_view wanted);
// Keys come from anybody: a long one is cut and unprintable bytes are replaced.
std::string shown_key(std::string_view key);

}  // namespace hora::read
