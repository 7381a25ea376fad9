// Of the sizes that a waiting job was given one after another: how does it come back to what its
// owner asked for, and what can be spared of that?
#include "scripts/horad/resize/rollback.hpp"

#include <algorithm>
#include <cassert>
#include <set>

#include "scripts/horad/resize/resize_context.hpp"

namespace hora::horad {
namespace {

// Of the entries that it is taken back by, one after the other, from the newest on.
std::set<std::uint64_t> way_back(const std::vector<ResizeEntry>& entries) {
    std::set<std::uint64_t> way{entries.back().number};
    const slurm::JobShape* asks = &entries.back().was;
    for (auto entry = entries.rbegin() + 1; entry != entries.rend(); ++entry) {
        if (still_asks_for(entry->wanted, *asks)) {
            way.insert(entry->number);
            asks = &entry->was;
        }
    }
    return way;
}

// The later one then goes back as far as both did.
ResizeEntry joined(const ResizeEntry& oldest, ResizeEntry next) {
    next.was = oldest.was;
    next.resize.from = oldest.resize.from;
    next.state = ResizeState::updating_request;
    if (next.priority == 0) {
        next.priority = oldest.priority;
    }
    return next;
}

}  // namespace

bool still_asks_for(const slurm::JobShape& wanted, const slurm::JobShape& now) {
    slurm::JobShape relaxed = wanted;
    relaxed.tres_per_socket.clear();
    return asks_alike(now, wanted) || asks_alike(now, relaxed);
}

Spared spare_one(const std::vector<ResizeEntry>& entries) {
    assert(entries.size() >= 2);
    const std::set<std::uint64_t> way = way_back(entries);
    const auto astray = std::find_if(entries.begin(), entries.end(), [&](const ResizeEntry& entry) {
        return !way.contains(entry.number);
    });
    if (astray != entries.end()) {
        return {.joined = std::nullopt, .forgotten = {astray->number}};
    }
    const ResizeEntry both = joined(entries[0], entries[1]);
    if (asks_alike(both.was, both.wanted)) {
        // There and back again: the next one begins at the owner's request.
        return {.joined = std::nullopt, .forgotten = {entries[0].number, entries[1].number}};
    }
    return {.joined = both, .forgotten = {entries[0].number}};
}

}  // namespace hora::horad
