// Which resizes were begun and not ended, however the daemon died?
#include "scripts/horad/journal/resize_journal.hpp"

#include "scripts/horad/journal/resize_json.hpp"

namespace hora::horad {

const ListFormat<ResizeEntry> list_of_resizes{
    .name = "resizes",
    .what = "the journal of resizes",
    .damage = "cannot go on with the resizes",
    .advice = "jobs get their own priorities back",
    .earlier = scripts::StateFile::resizes,
    .earlier_key = "resizes",
    .number = number_of<ResizeEntry>,
    .write = to_json,
    .read = read_entry,
};

}  // namespace hora::horad
