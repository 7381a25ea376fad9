// What did waiting jobs ask for before Hora changed their requests, however the daemon died since?
#include "scripts/horad/journal/pending_journal.hpp"

#include <string>
#include <utility>

#include "libplanner/read/settings/job_options.hpp"
#include "scripts/horad/journal/resize_json.hpp"

namespace hora::horad {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const PendingRequest& request) {
    ordered_json object{{"shape", to_json(request.shape)},
                        {"features", request.features},
                        {"prefer", request.prefer},
                        {"time_limit", request.time_limit.count()}};
    if (request.batch) {
        object["batch"] = *request.batch;
    }
    return object;
}

PendingRequest read_request(read::JsonObject object) {
    PendingRequest request;
    request.shape = read_shape(object.object("shape"));
    request.features = object.long_text("features");
    request.prefer = object.long_text("prefer");
    if (object.has("time_limit")) {  // earlier daemons did not write it
        request.time_limit = Seconds(object.number("time_limit"));
    }
    if (object.has("batch")) {
        request.batch = object.whole("batch", read::batch_range.max);
    }
    object.finish();
    return request;
}

ordered_json json_of(const PendingChange& change) {
    ordered_json object{{"number", change.number},     {"job", change.job},
                        {"uid", change.uid},           {"submitted", change.submitted},
                        {"restarts", change.restarts}, {"before", json_of(change.before)},
                        {"priority", change.priority}, {"admin_comment", change.admin_comment},
                        {"asked", change.asked},       {"reverted", change.is_reverted},
                        {"tries", change.tries}};
    if (change.given) {
        object["given"] = json_of(*change.given);
    }
    if (change.resize) {
        object["resize"] = {{"from", change.resize->from},
                            {"to", change.resize->to},
                            {"why", change.resize->why},
                            {"manual", change.resize->is_manual}};
    }
    return object;
}

SizeChange read_size(read::JsonObject object) {
    SizeChange size;
    size.from = object.count("from");
    size.to = object.count("to");
    size.why = object.long_text("why");
    size.is_manual = object.flag("manual");
    object.finish();
    return size;
}

PendingChange read_change(read::JsonObject object, read::JsonProblem&) {
    PendingChange change;
    change.number = object.whole("number", std::uint64_t{1} << 53);
    change.job = object.count("job");
    change.uid = object.count("uid");
    change.submitted = object.seconds_since_epoch("submitted");
    change.restarts = object.count("restarts");
    change.before = read_request(object.object("before"));
    change.priority = object.count("priority");
    change.admin_comment = object.long_text("admin_comment");
    change.asked = object.number("asked");
    change.is_reverted = object.flag("reverted");
    change.tries = object.count("tries");
    if (object.has("given")) {
        change.given = read_request(object.object("given"));
    }
    if (object.has("resize")) {
        change.resize = read_size(object.object("resize"));
    }
    object.finish();
    return change;
}

// Of an earlier version: what came before the n-th new plan of a job. It did not say what that was.
PendingChange read_replaced_plan(read::JsonObject object, read::JsonProblem&) {
    PendingChange change;
    change.job = object.count("job");
    change.uid = object.count("uid");
    object.seconds_since_epoch("submitted");  // as its decision has it
    change.number = std::uint64_t{change.job} << 32U | object.count("times");  // among these
    change.before.shape = read_shape(object.object("shape"));
    change.before.features = object.long_text("features");
    change.before.prefer = object.long_text("prefer");
    change.admin_comment = object.long_text("admin_comment");
    change.priority = object.count("priority");
    object.finish();
    return change;
}

// A resize that goes back to the queue was being taken back.
PendingChange taken_over(const ResizeEntry& entry) {
    PendingChange change = change_of(entry);
    change.is_reverted = entry.state == ResizeState::waiting_to_start;
    change.tries = change.is_reverted ? entry.tries : 0;
    return change;
}

}  // namespace

const ListFormat<PendingChange> list_of_pending_changes{
    .name = "pending changes",
    .what = "the journal of changed pending jobs",
    .damage = "the requests of pending jobs are not known from before they were changed",
    .advice = "they keep their requests",
    .earlier = std::nullopt,
    .earlier_key = "",
    .number = number_of<PendingChange>,
    .write = json_of,
    .read = read_change,
};

const ListFormat<ResizeEntry> list_of_given_sizes{
    .name = "given sizes",
    .what = "the journal of the sizes that pending jobs were given",
    .damage = "the requests of pending jobs are not known from before they were resized",
    .advice = "they keep their sizes",
    .earlier = scripts::StateFile::given_sizes,
    .earlier_key = "resizes",
    .number = number_of<ResizeEntry>,
    .write = to_json,
    .read = read_entry,
};

const ListFormat<PendingChange> list_of_replaced_plans{
    .name = "replaced plans",
    .what = "the list of plans that were replaced",
    .damage = "the requests of jobs are not known from before they were planned anew",
    .advice = "such jobs have no old plan to go back to",
    .earlier = scripts::StateFile::replaced_plans,
    .earlier_key = "plans",
    .number = number_of<PendingChange>,
    .write = json_of,
    .read = read_replaced_plan,
};

// Killed in between, a plan stands there twice, which does no harm.
Expected<void> PendingJournal::take_over() {
    JournalList<ResizeEntry> sizes(file_, list_of_given_sizes);
    JournalList<PendingChange> plans(file_, list_of_replaced_plans);
    const Expected<void> loaded[] = {sizes.load(), plans.load()};
    auto done = list().change([&](auto& changes) {
        for (const auto& [number, entry] : sizes.all()) {
            changes.try_emplace(number, taken_over(entry));
        }
        for (const auto& [number, replaced] : plans.all()) {
            PendingChange plan = replaced;
            plan.number = changes.empty() ? 1 : changes.rbegin()->first + 1;
            changes[plan.number] = std::move(plan);
        }
    });
    const auto clear = [](auto& items) { items.clear(); };
    done = done ? sizes.change(clear) : done;
    done = done ? plans.change(clear) : done;
    std::string damage = done ? std::string() : done.error().message;
    for (const Expected<void>& each : loaded) {
        if (!each) {
            damage += (damage.empty() ? "" : "; ") + each.error().message;
        }
    }
    return damage.empty() ? Expected<void>() : failure(damage);
}

Expected<std::vector<PendingChange>> PendingJournal::load() {
    auto changes = ListJournal::load();
    if (!changes || has_taken_over_) {
        return changes;
    }
    const auto taken = take_over();
    has_taken_over_ = true;
    return taken ? ListJournal::load()
                 : Expected<std::vector<PendingChange>>(unexpected(taken.error()));
}

}  // namespace hora::horad
