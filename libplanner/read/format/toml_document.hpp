// Which tree of values does a text in TOML hold?
#pragma once

#include <memory>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/read/format/toml_library.hpp"

namespace hora::read {

using TomlDocument = std::shared_ptr<const toml::table>;

// `file` is only for messages. On failure: the place and what the parser found there.
Expected<TomlDocument> parse_toml(std::string_view text, std::string_view file);

}  // namespace hora::read
