// Which entries of one kind were begun and not ended, however the daemon died?
#pragma once

#include <cstdint>
#include <vector>

#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/journal/journal_list.hpp"

namespace hora::horad {

// Entry has a number.
template <class Entry>
class ListJournal : public Journal<Entry> {
  public:
    // `file` outlives it.
    ListJournal(JournalFile& file, const ListFormat<Entry>& format) : entries_(file, format) {}

    Expected<void> keep(const Entry& entry) override {
        return entries_.change([&](auto& entries) { entries[entry.number] = entry; });
    }

    Expected<void> forget(std::uint64_t number) override {
        return entries_.change([&](auto& entries) { entries.erase(number); });
    }

    // JournalList says what fails.
    Expected<std::vector<Entry>> load() override {
        if (const auto loaded = entries_.load(); !loaded) {
            return unexpected(loaded.error());
        }
        std::vector<Entry> entries;
        for (const auto& [number, entry] : entries_.all()) {
            entries.push_back(entry);
        }
        return entries;
    }

  protected:
    JournalList<Entry>& list() { return entries_; }

  private:
    JournalList<Entry> entries_;
};

template <class Entry>
std::uint64_t number_of(const Entry& entry) {
    return entry.number;
}

}  // namespace hora::horad
