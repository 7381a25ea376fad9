// Which resizes were begun and not ended, however the daemon died?
#pragma once

#include "scripts/horad/journal/list_journal.hpp"
#include "scripts/horad/journal/resize.hpp"

namespace hora::horad {

extern const ListFormat<ResizeEntry> list_of_resizes;

using ResizeJournal = ListJournal<ResizeEntry>;

}  // namespace hora::horad
