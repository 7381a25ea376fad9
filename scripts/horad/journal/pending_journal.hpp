// What did waiting jobs ask for before Hora changed their requests, however the daemon died since?
#pragma once

#include <vector>

#include "scripts/horad/journal/list_journal.hpp"
#include "scripts/horad/journal/pending_change.hpp"

namespace hora::horad {

extern const ListFormat<PendingChange> list_of_pending_changes;
// The two lists of earlier versions.
extern const ListFormat<ResizeEntry> list_of_given_sizes;
extern const ListFormat<PendingChange> list_of_replaced_plans;

class PendingJournal : public ListJournal<PendingChange> {
  public:
    // `file` outlives it.
    explicit PendingJournal(JournalFile& file)
        : ListJournal(file, list_of_pending_changes), file_(file) {}

    // With what earlier versions kept.
    Expected<std::vector<PendingChange>> load() override;

  private:
    Expected<void> take_over();

    JournalFile& file_;
    bool has_taken_over_ = false;
};

}  // namespace hora::horad
