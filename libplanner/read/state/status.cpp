// What does the daemon's status file say?
#include "libplanner/read/state/status.hpp"

#include <fmt/format.h>

#include <limits>

#include "libplanner/read/format/json_object.hpp"

namespace hora::read {
namespace {

constexpr std::size_t max_jobs = 200000;
constexpr std::size_t max_next = 200000;
constexpr std::size_t max_remarks = 64;
constexpr NumberRange seconds_range{-max_status_seconds, max_status_seconds};

// The writer leaves no control character, so one that is here came from somebody else.
std::string plain(JsonObject& item, const char* key) {
    return item.plain_text(key, max_status_text);
}

std::optional<std::uint64_t> whole_or_null(JsonObject& item, const char* key) {
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    return item.is_null(key) ? std::nullopt : std::optional(item.whole(key, most));
}

std::optional<std::int64_t> time_or_null(JsonObject& item, const char* key) {
    return item.is_null(key) ? std::nullopt : std::optional(item.seconds_since_epoch(key));
}

std::optional<Seconds> seconds_or_null(JsonObject& item, const char* key) {
    const auto number = item.number_or_null(key, seconds_range);
    return number ? std::optional(Seconds(*number)) : std::nullopt;
}

domain::StatusDecision read_decision(JsonObject item) {
    domain::StatusDecision decision;
    decision.when = item.seconds_since_epoch("when");
    decision.to = item.count("to");
    decision.is_done = item.flag("done");
    decision.why = plain(item, "why");
    item.finish();
    return decision;
}

domain::StatusResize read_resize(JsonObject item) {
    domain::StatusResize resize;
    resize.from = item.count("from");
    resize.to = item.count("to");
    resize.state = plain(item, "state");
    resize.since = item.seconds_since_epoch("since");
    resize.why = plain(item, "why");
    item.finish();
    return resize;
}

domain::StatusHold read_held(JsonObject item) {
    domain::StatusHold held;
    held.gpus = item.count("gpus");
    held.otherwise = item.count("otherwise");
    held.why = plain(item, "why");
    item.finish();
    return held;
}

void read_progress(JsonObject& item, domain::StatusJob& job) {
    job.submitted = item.seconds_since_epoch("submitted");
    job.started = time_or_null(item, "started");
    job.step = whole_or_null(item, "step");
    job.epoch = whole_or_null(item, "epoch");
    job.share = item.number_or_null("share", {0, 1});
    job.step_seconds = seconds_or_null(item, "step_seconds");
    job.ends = time_or_null(item, "ends");
    job.gain = seconds_or_null(item, "gain");
    job.restarts = item.count("restarts");
}

domain::StatusJob read_job(const nlohmann::json& value, std::size_t index, JsonProblem& problem) {
    JsonObject item(value, "jobs", index, problem);
    domain::StatusJob job;
    if (problem.is_there()) {
        return job;
    }
    job.id = item.count("id");
    if (value.contains("squeue_id") && !item.is_null("squeue_id")) {  // an older daemon: no such
        job.squeue_id = plain(item, "squeue_id");
    }
    job.uid = item.count("uid");
    job.user = plain(item, "user");
    job.name = plain(item, "name");
    job.partition = plain(item, "partition");
    job.state = plain(item, "state");
    job.is_elastic = item.flag("elastic");
    job.gpus = item.count("gpus");
    job.nodes = item.count("nodes");
    job.requested = item.count("requested");
    job.min = item.count("min");
    job.max = item.count("max");
    if (value.contains("sizes") && !item.is_null("sizes")) {  // an older daemon says nothing
        job.sizes = plain(item, "sizes");
    }
    read_progress(item, job);
    if (!item.is_null("decision")) {
        job.decision = read_decision(item.object("decision"));
    }
    if (!item.is_null("resize")) {
        job.resize = read_resize(item.object("resize"));
    }
    if (value.contains("held_by_limit") && !item.is_null("held_by_limit")) {  // likewise
        job.held = read_held(item.object("held_by_limit"));
    }
    if (value.contains("stays") && !item.is_null("stays")) {
        job.stays = plain(item, "stays");
    }
    item.finish();
    return job;
}

domain::StatusNext read_next(const nlohmann::json& value, std::size_t index, JsonProblem& problem) {
    JsonObject item(value, "next", index, problem);
    domain::StatusNext next;
    if (problem.is_there()) {
        return next;
    }
    next.job = item.count("job");
    next.from = item.count("from");
    next.to = item.count("to");
    next.when = time_or_null(item, "when");
    next.why = plain(item, "why");
    item.finish();
    return next;
}

void read_head(JsonObject& root, domain::Status& status) {
    if (root.text("format") != "hora-status") {
        root.reject("format", "is not \"hora-status\"");
        return;
    }
    const auto version = root.whole("version", std::numeric_limits<std::uint32_t>::max());
    if (version != 1) {
        root.reject("version", fmt::format("is {}, this reads 1", version));
        return;
    }
    status.cluster = plain(root, "cluster");
    status.host = plain(root, "host");
    status.written = root.seconds_since_epoch("written");
    status.started = root.seconds_since_epoch("started");
    status.interval = Seconds(root.number("interval", {0, 1e9}));
    status.operating = plain(root, "mode");
    status.policy = plain(root, "policy");
    status.gpus = root.count("gpus");
    status.idle = root.count("idle");
    status.others_waiting = root.count("others_waiting");
    status.others_gpus = root.count("others_gpus");
}

}  // namespace

Expected<domain::Status> read_status(std::string_view json) {
    const auto document = parse_object(json, max_status_size);
    if (!document) {
        return unexpected(document.error());
    }
    JsonProblem problem;
    JsonObject root(*document, "status", JsonObject::only_one, problem);
    domain::Status status;
    read_head(root, status);
    if (problem.is_there()) {
        return unexpected(problem.error());
    }
    for (const auto& value : root.list("jobs", max_jobs)) {
        status.jobs.push_back(read_job(value, status.jobs.size(), problem));
        if (problem.is_there()) {
            return unexpected(problem.error());
        }
    }
    for (const auto& value : root.list("next", max_next)) {
        status.next.push_back(read_next(value, status.next.size(), problem));
        if (problem.is_there()) {
            return unexpected(problem.error());
        }
    }
    status.remarks = root.plain_texts("remarks", max_remarks, max_status_text);
    root.finish();
    return problem.is_there() ? Expected<domain::Status>(unexpected(problem.error()))
                              : Expected<domain::Status>(std::move(status));
}

}  // namespace hora::read
