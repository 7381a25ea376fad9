// Which starts of jobs has horad brought about, however it died since?
#include "scripts/horad/journal/own_restarts.hpp"

namespace hora::horad {
namespace {

using nlohmann::ordered_json;

std::uint64_t job_of(const OwnRestart& restart) {
    return restart.job;
}

ordered_json json_of(const OwnRestart& restart) {
    return {{"job", restart.job},
            {"uid", restart.uid},
            {"restarts", restart.restarts},
            {"priority", restart.priority},
            {"controller", restart.controller},
            {"has_run", restart.has_run},
            {"is_released", restart.is_released},
            {"lacks_priority", restart.lacks_priority},
            {"is_anothers", restart.is_anothers},
            {"released_at", restart.released_at},
            {"asked_at", restart.asked_at},
            {"asked_of", restart.asked_of}};
}

OwnRestart read_restart(read::JsonObject object, read::JsonProblem&) {
    OwnRestart restart;
    restart.job = object.count("job");
    restart.uid = object.count("uid");
    restart.restarts = object.count("restarts");
    restart.priority = object.count("priority");
    restart.controller = object.seconds_since_epoch("controller");
    restart.has_run = object.flag("has_run");
    restart.is_released = object.flag("is_released");
    restart.lacks_priority = object.flag("lacks_priority");
    restart.is_anothers = object.has("is_anothers") && object.flag("is_anothers");
    restart.released_at = object.has("released_at") ? object.seconds_since_epoch("released_at") : 0;
    restart.asked_at = object.has("asked_at") ? object.seconds_since_epoch("asked_at") : 0;
    restart.asked_of = object.has("asked_of") ? object.seconds_since_epoch("asked_of") : 0;
    object.finish();
    return restart;
}

// slurmctld, killed, may forget an end that horad has seen: until it has forgotten the job as well,
// a job that has ended may run again.
bool is_over(const OwnRestart& restart, const ObservedJob* job) {
    return job == nullptr || job->uid != restart.uid ||
           (job->hold != slurm::Hold::none && job->hold != slurm::Hold::launch);
}

}  // namespace

const ListFormat<OwnRestart> list_of_restarts{
    .name = "restarts",
    .what = "the list of restarts",
    .damage = "cannot tell which jobs were restarted",
    .advice = "a job that slurmctld held by mistake stays held",
    .earlier = scripts::StateFile::restarts,
    .earlier_key = "restarts",
    .number = job_of,
    .write = json_of,
    .read = read_restart,
};

OwnRestarts::OwnRestarts(JournalFile& journal) : journal_(journal, list_of_restarts) {}

Expected<void> OwnRestarts::load() {
    auto loaded = journal_.load();
    if (journal_.is_loaded() && !is_loaded_) {
        const auto& earlier = journal_.all();
        restarts_.insert(earlier.begin(), earlier.end());  // known ones are newer
        is_loaded_ = true;
    }
    return loaded;
}

template <class Edit>
Expected<void> OwnRestarts::change(Edit edit) {
    const auto loaded = load();
    edit(restarts_);
    return loaded.and_then(
        [&] { return journal_.change([&](auto& restarts) { restarts = restarts_; }); });
}

Expected<void> OwnRestarts::keep(const OwnRestart& restart) {
    return change([&](auto& restarts) { restarts[restart.job] = restart; });
}

Expected<void> OwnRestarts::note(const OwnRestart& restart) {
    return change([&](auto& restarts) {
        OwnRestart& known = restarts[restart.job];
        if (known.job == 0 || known.uid != restart.uid || known.restarts != restart.restarts) {
            known = restart;
        }
        known.has_run = known.has_run || restart.has_run;
    });
}

Expected<void> OwnRestarts::forget(std::uint32_t job) {
    return change([&](auto& restarts) { restarts.erase(job); });
}

Expected<void> OwnRestarts::see(const Observation& seen) {
    return change([&](auto& restarts) {
        std::erase_if(restarts, [&](const auto& one) {
            return is_over(one.second, seen.find(one.second.job));
        });
        for (auto& [number, restart] : restarts) {
            const ObservedJob* const job = seen.find(restart.job);
            restart.has_run = restart.has_run || (job->state == slurm::JobState::running &&
                                                  job->restarts == restart.restarts);
            // Held by slurmctld it is at the same start, or at the next one.
            restart.is_anothers =
                restart.is_anothers || job->restarts > restart.restarts + 1 ||
                (job->restarts > restart.restarts && job->hold == slurm::Hold::none);
        }
    });
}

std::optional<OwnRestart> OwnRestarts::find(std::uint32_t job) const {
    const auto found = restarts_.find(job);
    return found == restarts_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace hora::horad
