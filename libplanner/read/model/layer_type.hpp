// Which kind of layer does a row of a layer table describe, and with which keys?
#pragma once

#include <optional>
#include <string_view>

#include "libplanner/model/layer_spec.hpp"
#include "libplanner/read/format/toml_table.hpp"

namespace hora::read {

struct TypedSpec {
    std::string_view type;
    model::LayerSpec spec;
};

// Takes `type` and the keys that go with it. Empty when the type is missing or unknown; what is
// wrong comes out of the table's finish().
std::optional<TypedSpec> take_layer_type(TomlTable& table);

}  // namespace hora::read
