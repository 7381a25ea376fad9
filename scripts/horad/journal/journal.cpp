// Which resizes were begun and not ended, however the daemon died?
#include "scripts/horad/journal/journal.hpp"

#include <fmt/format.h>

#include <utility>

#include "scripts/horad/journal/resize_json.hpp"
#include "scripts/horad/journal/state_list.hpp"

namespace hora::horad {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_entries = 100'000;

}  // namespace

StateWords words_of_resizes() {
    return {.file = scripts::StateFile::journal,
            .name = "the journal of resizes",
            .damage = "cannot go on with the resizes",
            .advice = "it begins anew; jobs get their own priorities back"};
}

StateWords words_of_given_sizes() {
    return {.file = scripts::StateFile::given_sizes,
            .name = "the journal of the sizes that waiting jobs were given",
            .damage = "cannot tell what waiting jobs asked for before they were resized",
            .advice = "it begins anew; they keep their sizes"};
}

Expected<void> FileJournal::write(Entries entries) {
    ordered_json list = ordered_json::array();
    for (const auto& [number, entry] : entries) {
        list.push_back(to_json(entry));
    }
    const std::string text = state_text("resizes", std::move(list));
    if (auto written = write_state(path_, words_, text); !written) {
        return written;
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
    auto entries = load_state<ResizeEntry>(path_, words_, "resizes", most_entries, read_entry);
    if (!entries) {
        return entries;
    }
    entries_.clear();
    for (const ResizeEntry& entry : *entries) {
        entries_[entry.number] = entry;
    }
    return entries;
}

}  // namespace hora::horad
