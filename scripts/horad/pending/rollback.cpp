// Of the changes that were made to a pending job one after another: how does it come back to what
// its owner asked for, and what can be spared of that?
#include "scripts/horad/pending/rollback.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <string>
#include <string_view>

#include "libplanner/read/state/decision_token.hpp"
#include "libplanner/report/jobs/decision_token.hpp"
#include "plugins/slurm/jobs/batch_word.hpp"
#include "scripts/horad/journal/granted_limit.hpp"

namespace hora::horad {
namespace {

// Of the changes that it is taken back by, one after the other, from the newest on.
std::set<std::uint64_t> path_back(const std::vector<PendingChange>& changes) {
    std::set<std::uint64_t> way{changes.back().number};
    const PendingRequest* asks = &changes.back().before;
    for (auto change = changes.rbegin() + 1; change != changes.rend(); ++change) {
        if (still_asks_for(*change, *asks)) {
            way.insert(change->number);
            asks = &change->before;
        }
    }
    return way;
}

// The later one then goes back as far as both did.
PendingChange joined(const PendingChange& oldest, PendingChange next) {
    const Seconds limit = next.before.time_limit;
    const std::optional<std::uint64_t> batch = next.before.batch;
    next.before = oldest.before;
    if (next.before.time_limit == Seconds(0)) {
        next.before.time_limit = limit;  // the older one left it as it was
    }
    if (!next.before.batch) {
        next.before.batch = batch;
    }
    if (next.given && !next.given->batch && oldest.given) {
        next.given->batch = oldest.given->batch;
    }
    next.is_reverted = false;
    next.tries = 0;
    if (next.resize && oldest.resize) {
        next.resize->from = oldest.resize->from;
    }
    if (!oldest.admin_comment.empty()) {
        next.admin_comment = oldest.admin_comment;
    }
    if (next.priority == 0) {
        next.priority = oldest.priority;
    }
    return next;
}

// What others have written beside Hora's word since stays.
std::string comment_before(const std::string& now, const std::string& before) {
    const std::string_view word = read::find_word(before);
    return word.empty() ? before : report::with_token(now, word);
}

}  // namespace

PendingRequest request_of(const slurm::Job& job) {
    return {.shape = job.shape,
            .features = job.features,
            .prefer = job.prefer,
            .time_limit = Seconds(0)};
}

slurm::JobChange back_to(const PendingChange& change, const slurm::Job& job) {
    slurm::JobChange back;
    back.shape = change.before.shape;
    back.is_of_impossible = job.is_impossible();
    if (!change.given || change.given->features != change.before.features) {
        back.features = change.before.features;
    }
    if (!change.given || change.given->prefer != change.before.prefer) {
        back.prefer = change.before.prefer;
    }
    if (!change.admin_comment.empty()) {
        back.admin_comment = comment_before(job.admin_comment, change.admin_comment);
    }
    // What anybody else has set since stays.
    if (change.given && change.before.time_limit > Seconds(0) &&
        job.time_limit == change.given->time_limit) {
        back.time_limit = change.before.time_limit;
        back.admin_comment = without_granted(back.admin_comment.value_or(job.admin_comment));
    }
    if (change.given && change.before.batch &&
        slurm::batch_word(job.admin_comment).value_or(0) == change.given->batch.value_or(0)) {
        back.admin_comment =
            slurm::with_batch(back.admin_comment.value_or(job.admin_comment), *change.before.batch);
        back.is_comment_first = *change.before.batch < change.given->batch.value_or(0);
    }
    return back;
}

bool asks_for_size(const slurm::JobShape& given, const slurm::JobShape& now) {
    slurm::JobShape relaxed = given;
    relaxed.tres_per_socket.clear();
    return asks_alike(now, given) || asks_alike(now, relaxed);
}

bool still_asks_for(const PendingChange& change, const PendingRequest& now) {
    if (!change.given) {
        return true;
    }
    const PendingRequest& given = *change.given;
    return asks_for_size(given.shape, now.shape) &&
           (given.features == change.before.features || given.features == now.features) &&
           (given.prefer == change.before.prefer || given.prefer == now.prefer);
}

Spared spare_one(const std::vector<PendingChange>& changes) {
    assert(changes.size() >= 2);
    const std::set<std::uint64_t> way = path_back(changes);
    const auto astray =
        std::find_if(changes.begin(), changes.end(),
                     [&](const PendingChange& change) { return !way.contains(change.number); });
    if (astray != changes.end()) {
        return {.joined = std::nullopt, .forgotten = {astray->number}};
    }
    const PendingChange both = joined(changes[0], changes[1]);
    if (both.admin_comment.empty() && both.given && both.before.batch == both.given->batch &&
        asks_alike(both.before.shape, both.given->shape)) {
        // There and back again: the next one begins at the owner's request.
        return {.joined = std::nullopt, .forgotten = {changes[0].number, changes[1].number}};
    }
    return {.joined = both, .forgotten = {changes[0].number}};
}

}  // namespace hora::horad
