// What does horad keep of one kind, and how does that stand in its journal?
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/read/format/json_object.hpp"
#include "libplanner/read/quoted.hpp"
#include "scripts/horad/journal/earlier_list.hpp"
#include "scripts/horad/journal/journal_file.hpp"

namespace hora::horad {

template <class Item>
struct ListFormat {
    std::string_view name;  // in the journal
    std::string_view what;  // in messages
    // What a damaged entry keeps from being done, and what becomes of that.
    std::string_view damage;
    std::string_view advice;
    std::optional<scripts::StateFile> earlier;  // that held the list before, under this key
    const char* earlier_key;
    std::uint64_t (*number)(const Item& item);
    nlohmann::ordered_json (*write)(const Item& item);
    // What is wrong with the object becomes the problem.
    Item (*read)(read::JsonObject object, read::JsonProblem& problem);
};

template <class Item>
Expected<Item> parse_entry(const std::string& text, const ListFormat<Item>& format) {
    const auto document = parse_object(text);
    if (!document) {
        return unexpected(document.error());
    }
    read::JsonProblem problem;
    Item item = format.read(
        read::JsonObject(*document, format.what, read::JsonObject::only_one, problem), problem);
    return problem.is_there() ? Expected<Item>(unexpected(problem.error())) : std::move(item);
}

// Items are compared by ==.
template <class Item>
class JournalList {
  public:
    using Items = std::map<std::uint64_t, Item>;

    // `file` outlives it.
    JournalList(JournalFile& file, const ListFormat<Item>& format)
        : file_(&file), format_(format) {}

    // What an earlier daemon left; nothing once that is done. Fails where it cannot be read, to be
    // tried again. Of a damaged file or entry it says so once, and has the rest.
    Expected<void> load();
    bool is_loaded() const { return is_loaded_; }
    // As they stand in the file.
    const Items& all() const { return items_; }
    // `edit` takes Items and changes them. On disk when it returns; where it fails, nothing has
    // changed. What could not be loaded is loaded first.
    template <class Edit>
    Expected<void> change(Edit edit) {
        if (auto loaded = load(); !loaded) {
            return loaded;
        }
        Items wanted = items_;
        edit(wanted);
        return write(std::move(wanted));
    }

  private:
    Expected<void> write(Items wanted);
    std::vector<JournalFile::Change> changes_to(const Items& wanted, bool is_whole) const;
    // The error says what was damaged.
    Expected<Items> read_rows(std::optional<Error>& damage);
    Expected<void> take_over(std::optional<Error>& damage);
    Error damaged(const std::string& what) const {
        return {fmt::format("{}: {}; {}", format_.damage, what, format_.advice)};
    }

    JournalFile* file_;
    ListFormat<Item> format_;
    Items items_;
    bool is_loaded_ = false;
    std::uint64_t generation_ = 0;  // of the file that they stand in
};

template <class Item>
std::vector<JournalFile::Change> JournalList<Item>::changes_to(const Items& wanted,
                                                               bool is_whole) const {
    std::vector<JournalFile::Change> changes;
    for (const auto& [number, item] : wanted) {
        const auto known = items_.find(number);
        if (is_whole || known == items_.end() || !(known->second == item)) {
            changes.push_back({number, as_kept(format_.write(item))});
        }
    }
    for (const auto& [number, item] : items_) {
        if (!is_whole && !wanted.contains(number)) {
            changes.push_back({number, {}});
        }
    }
    return changes;
}

template <class Item>
Expected<void> JournalList<Item>::write(Items wanted) {
    auto done = file_->ready();
    if (done) {
        const bool is_whole = generation_ != file_->generation();
        const auto changes = changes_to(wanted, is_whole);
        if (changes.empty() && !is_whole) {
            return {};
        }
        done = file_->write(format_.name, changes, is_whole);
    }
    if (!done) {
        return unexpected(done.error().within(std::string(format_.what)));
    }
    items_ = std::move(wanted);
    generation_ = file_->generation();
    return {};
}

template <class Item>
Expected<typename JournalList<Item>::Items> JournalList<Item>::read_rows(
    std::optional<Error>& damage) {
    const auto rows = file_->rows(format_.name);
    if (!rows) {
        return unexpected(rows.error());
    }
    generation_ = file_->generation();
    Items items;
    for (const auto& [number, text] : *rows) {
        auto item = parse_entry(text, format_);
        if (item) {
            items.emplace(number, *std::move(item));
            continue;
        }
        if (auto aside = file_->put_aside(format_.name, number); !aside) {
            return unexpected(aside.error());
        }
        damage = damaged(fmt::format(
            "entry {} of {} is damaged: {}; it is kept in the table \"damaged\" of the journal",
            number, format_.what, item.error().message));
    }
    return items;
}

// Entries of the journal are the newer ones.
template <class Item>
Expected<void> JournalList<Item>::take_over(std::optional<Error>& damage) {
    if (!format_.earlier) {
        return {};
    }
    const std::string path = path_of(*format_.earlier, file_->folder());
    const auto found = read_earlier(path, format_.what, format_.earlier_key, format_.read);
    if (!found) {
        return unexpected(found.error());
    }
    if (found->damage) {
        damage = damaged(found->damage->message);
    }
    Items wanted = items_;
    for (const Item& item : found->items) {
        wanted.try_emplace(format_.number(item), item);
    }
    return write(std::move(wanted)).and_then([&] { return remove_earlier(path); });
}

template <class Item>
Expected<void> JournalList<Item>::load() {
    if (is_loaded_) {
        return {};
    }
    std::optional<Error> damage;
    auto items = read_rows(damage);
    if (!items) {
        return unexpected(damaged(items.error().message));
    }
    items_ = *std::move(items);
    if (auto taken = take_over(damage); !taken) {
        items_.clear();
        return unexpected(damaged(taken.error().message));
    }
    is_loaded_ = true;
    return damage ? Expected<void>(unexpected(*damage)) : Expected<void>();
}

}  // namespace hora::horad
