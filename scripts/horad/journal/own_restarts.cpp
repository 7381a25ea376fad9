// Which starts of jobs has horad brought about, however it died since?
#include "scripts/horad/journal/own_restarts.hpp"

#include <utility>

#include "scripts/horad/journal/state_list.hpp"

namespace hora::horad {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_jobs = 100'000;
constexpr std::uint64_t most = 0xffffffffU;

StateWords words() {
    return {.file = scripts::StateFile::restarts,
            .name = "the list of restarts",
            .damage = "cannot tell which jobs were restarted",
            .advice = "it begins anew; a job that slurmctld held by mistake stays held"};
}

ordered_json json_of(const OwnRestart& restart) {
    return {{"job", restart.job},
            {"uid", restart.uid},
            {"restarts", restart.restarts},
            {"priority", restart.priority},
            {"controller", restart.controller},
            {"has_run", restart.has_run},
            {"is_released", restart.is_released},
            {"lacks_priority", restart.lacks_priority}};
}

OwnRestart read_restart(read::JsonObject object) {
    const auto number = [&](const char* key) {
        return static_cast<std::uint32_t>(object.whole(key, most));
    };
    OwnRestart restart;
    restart.job = number("job");
    restart.uid = number("uid");
    restart.restarts = number("restarts");
    restart.priority = number("priority");
    restart.controller = object.seconds_since_epoch("controller");
    restart.has_run = object.flag("has_run");
    restart.is_released = object.flag("is_released");
    restart.lacks_priority = object.flag("lacks_priority");
    object.finish();
    return restart;
}

// Held by slurmctld it is at the same start, or at the next one.
bool is_over(const OwnRestart& restart, const ObservedJob* job) {
    if (job == nullptr || job->uid != restart.uid) {
        return true;
    }
    if (job->state == slurm::JobState::ended) {
        return job->restarts >= restart.restarts;  // before that: slurmctld forgot the restart
    }
    const bool is_held = job->hold != slurm::Hold::none && job->hold != slurm::Hold::launch;
    return is_held || job->restarts > restart.restarts + 1 ||
           (job->restarts > restart.restarts && job->hold == slurm::Hold::none);
}

}  // namespace

Expected<void> OwnRestarts::load() {
    restarts_.clear();
    const auto restarts = load_state<OwnRestart>(path_, words(), "restarts", most_jobs,
                                                 [](read::JsonObject object, read::JsonProblem&) {
                                                     return read_restart(std::move(object));
                                                 });
    if (!restarts) {
        return unexpected(restarts.error());
    }
    for (const OwnRestart& restart : *restarts) {
        restarts_[restart.job] = restart;
    }
    return {};
}

Expected<void> OwnRestarts::write(Restarts restarts) {
    ordered_json list = ordered_json::array();
    for (const auto& [job, restart] : restarts) {
        list.push_back(json_of(restart));
    }
    if (auto done = write_state(path_, words(), state_text("restarts", std::move(list))); !done) {
        return done;
    }
    restarts_ = std::move(restarts);
    return {};
}

Expected<void> OwnRestarts::keep(const OwnRestart& restart) {
    Restarts restarts = restarts_;
    restarts[restart.job] = restart;
    return restarts == restarts_ ? Expected<void>() : write(std::move(restarts));
}

Expected<void> OwnRestarts::note(const OwnRestart& restart) {
    const auto known = find(restart.job);
    const bool is_known = known && known->uid == restart.uid && known->restarts == restart.restarts;
    return is_known ? Expected<void>() : keep(restart);
}

Expected<void> OwnRestarts::forget(std::uint32_t job) {
    Restarts restarts = restarts_;
    return restarts.erase(job) == 0 ? Expected<void>() : write(std::move(restarts));
}

Expected<void> OwnRestarts::see(const Observation& seen) {
    Restarts restarts = restarts_;
    std::erase_if(restarts,
                  [&](const auto& one) { return is_over(one.second, seen.find(one.first)); });
    for (auto& [number, restart] : restarts) {
        const ObservedJob* const job = seen.find(number);
        restart.has_run = restart.has_run || (job->state == slurm::JobState::running &&
                                              job->restarts == restart.restarts);
    }
    return restarts == restarts_ ? Expected<void>() : write(std::move(restarts));
}

std::optional<OwnRestart> OwnRestarts::find(std::uint32_t job) const {
    const auto found = restarts_.find(job);
    return found == restarts_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace hora::horad
