// Which efficiencies of training are known?
#pragma once

#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/efficiency.hpp"
#include "libplanner/read/format/toml_table.hpp"

namespace hora::read {

// nullptr where no efficiency has that name.
const domain::Efficiency* find_efficiency(const std::vector<domain::Efficiency>& efficiencies,
                                          std::string_view name);

// Takes the [efficiency.NAME] tables of a document. Each states all of its keys; of the data types
// those that differ from the one before: bf16 and fp8 attain what fp16 does.
Expected<std::vector<domain::Efficiency>> take_efficiencies(TomlTable& root);

}  // namespace hora::read
