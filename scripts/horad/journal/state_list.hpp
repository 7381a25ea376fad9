// How does a list stand in a file of the daemon's own: {"version": 1, KEY: [...]}?
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/read/json_object.hpp"
#include "scripts/hora/site/state_files.hpp"

namespace hora::horad {

constexpr std::size_t largest_state_file = std::size_t{64} << 20;
constexpr std::uint64_t state_version = 1;

// What messages say of a file.
struct StateWords {
    scripts::StateFile file;
    std::string name;
    // What a damaged one keeps from being done, and what becomes of that.
    std::string damage;
    std::string advice;
};

Expected<void> write_state(const std::string& path, const StateWords& words,
                           const std::string& text);

std::string state_text(const char* key, nlohmann::ordered_json list);

// The text of a file, empty where there is none. What is no file, or no file of ours by its size,
// counts as damaged.
struct StateText {
    std::optional<std::string> text;
    std::optional<Error> damage;
};
Expected<StateText> read_state(const std::string& path);

// Sets the damaged file aside; the error says what it was and where it is now.
Error begin_anew(const std::string& path, const StateWords& words, const Error& damage);

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

// What stands in a file of the daemon's own; nothing where there is none. Fails where it cannot be
// read, and where it is damaged or of another version: then it is set aside, and there is none the
// next time.
template <class Item, class Read>
Expected<std::vector<Item>> load_state(const std::string& path, const StateWords& words,
                                       const char* key, std::size_t most, Read read_item) {
    auto found = read_state(path);
    if (!found) {
        return unexpected(found.error().within(words.damage));
    }
    if (found->damage) {
        return unexpected(begin_anew(path, words, *found->damage));
    }
    if (!found->text) {
        return std::vector<Item>();
    }
    auto items = parse_state<Item>(*found->text, words.name, key, most, read_item);
    return items ? std::move(items) : unexpected(begin_anew(path, words, items.error()));
}

}  // namespace hora::horad
