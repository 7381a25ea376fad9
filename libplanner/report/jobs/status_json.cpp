// How is what the daemon knows written down for those who ask?
#include "libplanner/report/jobs/status_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "libplanner/read/state/status.hpp"
#include "libplanner/report/text/characters.hpp"

namespace hora::report {
namespace {

using Json = nlohmann::ordered_json;

// Cut between two characters, so that the reader's bound on bytes holds.
std::string plain(std::string_view text) {
    constexpr std::size_t longest_character = 4;
    return utf8_of(characters_of(text).substr(0, read::max_status_text / longest_character));
}

// Beyond the reader's bound, as of a job of 10^18 steps, it counts as not known: one number that is
// refused would hide the whole status.
Json or_null(const std::optional<Seconds>& seconds) {
    return seconds && std::abs(seconds->count()) <= read::max_status_seconds
               ? Json(seconds->count())
               : Json(nullptr);
}

template <class Number>
Json or_null(const std::optional<Number>& number) {
    return number ? Json(*number) : Json(nullptr);
}

Json decision_json(const domain::StatusDecision& decision) {
    return {{"when", decision.when},
            {"to", decision.to},
            {"done", decision.is_done},
            {"why", plain(decision.why)}};
}

Json resize_json(const domain::StatusResize& resize) {
    return {{"from", resize.from},
            {"to", resize.to},
            {"state", plain(resize.state)},
            {"since", resize.since},
            {"why", plain(resize.why)}};
}

Json job_json(const domain::StatusJob& job) {
    return {{"id", job.id},
            {"squeue_id", job.squeue_id.empty() ? Json(nullptr) : Json(plain(job.squeue_id))},
            {"uid", job.uid},
            {"user", plain(job.user)},
            {"name", plain(job.name)},
            {"partition", plain(job.partition)},
            {"state", plain(job.state)},
            {"elastic", job.is_elastic},
            {"gpus", job.gpus},
            {"nodes", job.nodes},
            {"requested", job.requested},
            {"min", job.min},
            {"max", job.max},
            {"sizes", job.sizes.empty() ? Json(nullptr) : Json(plain(job.sizes))},
            {"submitted", job.submitted},
            {"started", or_null(job.started)},
            {"step", or_null(job.step)},
            {"epoch", or_null(job.epoch)},
            {"share", or_null(job.share)},
            {"step_seconds", or_null(job.step_seconds)},
            {"ends", or_null(job.ends)},
            {"gain", or_null(job.gain)},
            {"restarts", job.restarts},
            {"decision", job.decision ? decision_json(*job.decision) : Json(nullptr)},
            {"resize", job.resize ? resize_json(*job.resize) : Json(nullptr)},
            {"held_by_limit", job.held ? json_of(*job.held) : Json(nullptr)},
            {"stays", job.stays.empty() ? Json(nullptr) : Json(plain(job.stays))}};
}

Json next_json(const domain::StatusNext& next) {
    return {{"job", next.job},
            {"from", next.from},
            {"to", next.to},
            {"when", or_null(next.when)},
            {"why", plain(next.why)}};
}

}  // namespace

nlohmann::ordered_json json_of(const domain::StatusHold& held) {
    return {{"gpus", held.gpus}, {"otherwise", held.otherwise}, {"why", plain(held.why)}};
}

std::string to_json(const domain::Status& status) {
    Json root = {{"format", "hora-status"},
                 {"version", 1},
                 {"cluster", plain(status.cluster)},
                 {"host", plain(status.host)},
                 {"written", status.written},
                 {"started", status.started},
                 {"interval", status.interval.count()},
                 {"mode", plain(status.operating)},
                 {"policy", plain(status.policy)},
                 {"gpus", status.gpus},
                 {"idle", status.idle},
                 {"others_waiting", status.others_waiting},
                 {"others_gpus", status.others_gpus}};
    Json& jobs = root["jobs"] = Json::array();
    for (const domain::StatusJob& job : status.jobs) {
        jobs.push_back(job_json(job));
    }
    Json& next = root["next"] = Json::array();
    for (const domain::StatusNext& one : status.next) {
        next.push_back(next_json(one));
    }
    Json& remarks = root["remarks"] = Json::array();
    for (const std::string& remark : status.remarks) {
        remarks.push_back(plain(remark));
    }
    return root.dump() + "\n";
}

}  // namespace hora::report
