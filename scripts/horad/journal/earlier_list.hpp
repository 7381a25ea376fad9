// What did a horad before the journal leave of a list: a file of {"version": 1, KEY: [...]}?
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/read/format/json_object.hpp"
#include "scripts/hora/site/state_files.hpp"

namespace hora::horad {

// The text of a file, empty where there is none. What is no file, or no file of ours by its size,
// counts as damaged.
struct EarlierText {
    std::optional<std::string> text;
    std::optional<Error> damage;
};
Expected<EarlierText> read_earlier_text(const std::string& path);

// Of a file or of one entry.
Expected<nlohmann::json> parse_object(const std::string& text);

// Sets the damaged file aside; the error says what it was and where it is now.
Error set_damaged_aside(const std::string& path, const Error& damage);

Expected<void> remove_earlier(const std::string& path);

// `what` names the file in messages. `read_item` makes one of a JsonObject; what is wrong with it
// becomes the problem.
template <class Item, class Read>
Expected<std::vector<Item>> parse_earlier(const std::string& text, std::string_view what,
                                          const char* key, Read read_item) {
    constexpr std::uint64_t its_version = 1;
    constexpr std::size_t most_items = 1'000'000;
    const auto document = parse_object(text);
    if (!document) {
        return unexpected(document.error());
    }
    read::JsonProblem problem;
    read::JsonObject object(*document, what, read::JsonObject::only_one, problem);
    if (object.whole("version", 1000) != its_version && !problem.is_there()) {
        return failure("it is of another version");
    }
    std::vector<Item> items;
    for (const auto& item : object.list(key, most_items)) {
        items.push_back(read_item(read::JsonObject(item, key, items.size(), problem), problem));
    }
    object.finish();
    if (problem.is_there()) {
        return unexpected(problem.error());
    }
    return items;
}

template <class Item>
struct EarlierList {
    std::vector<Item> items;
    std::optional<Error> damage;
};

// Nothing where there is no file. Fails where it cannot be read; a damaged one, or one of another
// version, is set aside.
template <class Item>
Expected<EarlierList<Item>> read_earlier(const std::string& path, std::string_view what,
                                         const char* key,
                                         Item (*read_item)(read::JsonObject, read::JsonProblem&)) {
    auto found = read_earlier_text(path);
    if (!found) {
        return unexpected(found.error());
    }
    if (found->damage) {
        return EarlierList<Item>{.items = {}, .damage = set_damaged_aside(path, *found->damage)};
    }
    if (!found->text) {
        return EarlierList<Item>();
    }
    auto items = parse_earlier<Item>(*found->text, what, key, read_item);
    return items ? EarlierList<Item>{.items = *std::move(items), .damage = {}}
                 : EarlierList<Item>{.items = {}, .damage = set_damaged_aside(path, items.error())};
}

}  // namespace hora::horad
