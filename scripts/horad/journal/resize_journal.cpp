// Which resizes were begun and not ended, however the daemon died?
#include "scripts/horad/journal/resize_journal.hpp"

#include "scripts/horad/journal/resize_json.hpp"

namespace hora::horad {
namespace {

std::uint64_t number_of(const ResizeEntry& entry) {
    return entry.number;
}

}  // namespace

const ListFormat<ResizeEntry> list_of_resizes{
    .name = "resizes",
    .what = "the journal of resizes",
    .damage = "cannot go on with the resizes",
    .advice = "jobs get their own priorities back",
    .earlier = scripts::StateFile::resizes,
    .earlier_key = "resizes",
    .number = number_of,
    .write = to_json,
    .read = read_entry,
};

const ListFormat<ResizeEntry> list_of_given_sizes{
    .name = "given sizes",
    .what = "the journal of the sizes that waiting jobs were given",
    .damage = "cannot tell what waiting jobs asked for before they were resized",
    .advice = "they keep their sizes",
    .earlier = scripts::StateFile::given_sizes,
    .earlier_key = "resizes",
    .number = number_of,
    .write = to_json,
    .read = read_entry,
};

Expected<void> ResizeJournal::keep(const ResizeEntry& entry) {
    return entries_.change([&](auto& entries) { entries[entry.number] = entry; });
}

Expected<void> ResizeJournal::forget(std::uint64_t number) {
    return entries_.change([&](auto& entries) { entries.erase(number); });
}

Expected<std::vector<ResizeEntry>> ResizeJournal::load() {
    if (const auto loaded = entries_.load(); !loaded) {
        return unexpected(loaded.error());
    }
    std::vector<ResizeEntry> entries;
    for (const auto& [number, entry] : entries_.all()) {
        entries.push_back(entry);
    }
    return entries;
}

}  // namespace hora::horad
