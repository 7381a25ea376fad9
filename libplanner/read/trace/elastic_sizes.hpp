// How long does a job of a state file take at each size, and which sizes may it have?
// Keys: epoch_seconds, uncertainty, min, max, sizes.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "libplanner/domain/elastic.hpp"
#include "libplanner/read/format/json_object.hpp"
#include "libplanner/read/trace/elastic_state.hpp"

namespace hora::read {

constexpr std::uint32_t most_gpus = 1'000'000;

// A small number that a hand-written file may leave out.
std::uint32_t gpus_or(JsonObject& item, const char* key, std::uint32_t otherwise);

// Into the job; the file keeps what the job's spans look at. `value` is the item's own. What is
// wrong becomes the item's problem.
void take_sizes(JsonObject& item, const nlohmann::json& value, ElasticStateFile& file,
                domain::ElasticJob& job);

}  // namespace hora::read
