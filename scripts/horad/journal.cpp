// Which resizes were begun and not ended, however the daemon died?
#include "scripts/horad/journal.hpp"

#include <fmt/format.h>

#include <utility>

#include "libplanner/read/file.hpp"
#include "scripts/hora/atomic_file.hpp"
#include "scripts/horad/resize_json.hpp"
#include "scripts/horad/state_list.hpp"

namespace hora::horad {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_entries = 100'000;

Expected<std::vector<ResizeEntry>> parse(const std::string& text, const std::string& name) {
    return parse_state<ResizeEntry>(text, name, "resizes", most_entries, read_entry);
}

}  // namespace

JournalWords words_of_resizes() {
    return {.name = "the journal of resizes",
            .damage = "cannot go on with the resizes",
            .advice = "move the file away to forget them; jobs get their own priorities back"};
}

JournalWords words_of_given_sizes() {
    return {.name = "the journal of the sizes that waiting jobs were given",
            .damage = "cannot tell what waiting jobs asked for before they were resized",
            .advice = "they keep their sizes; it is begun anew"};
}

Expected<void> FileJournal::write(Entries entries) {
    ordered_json list = ordered_json::array();
    for (const auto& [number, entry] : entries) {
        list.push_back(to_json(entry));
    }
    const std::string text = state_text("resizes", std::move(list));
    if (auto written = scripts::replace_file(path_, text); !written) {
        return unexpected(written.error().within(words_.name));
    }
    entries_ = std::move(entries);
    return {};
}

Expected<void> FileJournal::keep(const ResizeEntry& entry) {
    Entries entries = entries_;
    entries[entry.number] = entry;
    return write(std::move(entries));
}

Expected<void> FileJournal::forget(std::uint64_t number) {
    Entries entries = entries_;
    entries.erase(number);
    return write(std::move(entries));
}

Expected<std::vector<ResizeEntry>> FileJournal::load() {
    if (is_missing(path_)) {
        entries_.clear();
        return std::vector<ResizeEntry>();
    }
    const auto text = read::read_file(path_, largest_state_file);
    auto entries = text ? parse(*text, words_.name) : unexpected(text.error());
    if (!entries) {
        return unexpected(entries.error().within(
            fmt::format("{}, from \"{}\" ({})", words_.damage, path_, words_.advice)));
    }
    entries_.clear();
    for (const ResizeEntry& entry : *entries) {
        entries_[entry.number] = entry;
    }
    return entries;
}

}  // namespace hora::horad
