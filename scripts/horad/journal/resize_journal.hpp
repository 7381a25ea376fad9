// Which resizes were begun and not ended, however the daemon died?
#pragma once

#include <vector>

#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/journal/journal_list.hpp"

namespace hora::horad {

extern const ListFormat<ResizeEntry> list_of_resizes;
// What waiting jobs asked for before they were resized.
extern const ListFormat<ResizeEntry> list_of_given_sizes;

class ResizeJournal : public Journal {
  public:
    // `file` outlives it.
    ResizeJournal(JournalFile& file, const ListFormat<ResizeEntry>& format)
        : entries_(file, format) {}

    Expected<void> keep(const ResizeEntry& entry) override;
    Expected<void> forget(std::uint64_t number) override;
    Expected<std::vector<ResizeEntry>> load() override;

  private:
    JournalList<ResizeEntry> entries_;
};

}  // namespace hora::horad
