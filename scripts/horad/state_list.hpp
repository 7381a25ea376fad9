// How does a list stand in a file of the daemon's own: {"version": 1, KEY: [...]}?
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/read/json_object.hpp"

namespace hora::horad {

constexpr std::size_t largest_state_file = std::size_t{64} << 20;
constexpr std::uint64_t state_version = 1;

bool is_missing(const std::string& path);

std::string state_text(const char* key, nlohmann::ordered_json list);

// `what` names the file in messages. `read_item` makes one of a JsonObject; what is wrong with it
// becomes the problem.
template <class Item, class Read>
Expected<std::vector<Item>> parse_state(const std::string& text, std::string_view what,
                                        const char* key, std::size_t most, Read read_item) {
    const auto document = nlohmann::json::parse(text, nullptr, false);
    if (document.is_discarded() || !document.is_object()) {
        return failure("it is no JSON object");
    }
    read::JsonProblem problem;
    read::JsonObject object(document, what, read::JsonObject::only_one, problem);
    if (object.whole("version", 1000) != state_version && !problem.is_there()) {
        return failure("it is of another version");
    }
    std::vector<Item> items;
    for (const auto& item : object.list(key, most)) {
        items.push_back(read_item(read::JsonObject(item, key, items.size(), problem), problem));
    }
    object.finish();
    if (problem.is_there()) {
        return unexpected(problem.error());
    }
    return items;
}

}  // namespace hora::horad
