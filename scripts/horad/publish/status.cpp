// What does the daemon tell those who ask: the status file and the metrics?
#include "scripts/horad/publish/status.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "plugins/slurm/jobs/batch_word.hpp"
#include "plugins/slurm/system_user.hpp"
#include "scripts/horad/elastic/limit_rule.hpp"
#include "scripts/horad/log/host_name.hpp"
#include "scripts/horad/progress/stated_work.hpp"

namespace hora::horad {
namespace {

std::string state_name(const ObservedJob& job) {
    if (job.is_completing) {
        return "COMPLETING";
    }
    switch (job.state) {
        case slurm::JobState::pending:
            return "PENDING";
        case slurm::JobState::running:
            return job.is_configuring ? "CONFIGURING" : "RUNNING";
        case slurm::JobState::suspended:
            return "SUSPENDED";
        case slurm::JobState::ended:
            break;
    }
    return "ENDED";
}

class StatusWriter {
  public:
    explicit StatusWriter(const StatusSources& sources)
        : sources_(sources), under_way_(sources.elasticity.under_way()) {}

    domain::Status write() {
        const Observation& seen = sources_.seen;
        status_.cluster = seen.cluster->cluster_name;
        status_.host = host_name();
        status_.written = seen.now;
        status_.started = sources_.started;
        status_.interval = sources_.settings.get<Seconds>("horad.interval");
        status_.operating = read::name_of(sources_.settings.get<read::OperatingMode>("mode"));
        status_.policy = sources_.settings.get<std::string>("elastic.policy");
        count_gpus();
        for (const ObservedJob& job : seen.jobs) {
            if (job.state != slurm::JobState::ended && job.memory) {
                status_.jobs.push_back(job_of(job));
            } else if (job.state == slurm::JobState::pending && job.gpus > 0 &&
                       job.waits_for == slurm::WaitsFor::resources) {
                ++status_.others_waiting;
                status_.others_gpus += job.gpus;
            }
        }
        status_.next = sources_.elasticity.next();
        status_.remarks = sources_.remarks;
        return std::move(status_);
    }

  private:
    void count_gpus() {
        const domain::Snapshot& cluster = *sources_.seen.cluster;
        for (const domain::Gpu& gpu : cluster.cluster.gpus) {
            if (cluster.states[gpu.node].is_usable) {
                ++status_.gpus;
                status_.idle += gpu.is_free ? 1 : 0;
            }
        }
    }

    domain::StatusJob job_of(const ObservedJob& job) {
        const JobMemory& memory = *job.memory;
        domain::StatusJob shown;
        shown.id = job.id;
        if (job.is_array || job.is_het) {
            shown.squeue_id = job.squeue_id;
        }
        shown.uid = job.uid;
        shown.user = name_of(job.uid);
        shown.name = job.job_name;
        shown.partition = job.partition;
        shown.state = state_name(job);
        shown.is_elastic = is_elastic(job);
        shown.gpus = job.holds_nodes() ? job.gpus : 0;
        shown.nodes = job.holds_nodes() ? job.shape.nodes : 0;
        shown.requested = own_gpus(job);
        const domain::GpuRange range =
            memory.options.gpus.value_or(domain::GpuRange{shown.requested, shown.requested});
        shown.min = range.min;
        shown.max = range.max;
        if (memory.options.sizes.kind != domain::SizeRule::Kind::any) {
            shown.sizes = text_of(memory.options.sizes);
        }
        shown.submitted =
            memory.decision.submitted != 0 ? memory.decision.submitted : job.submitted;
        if (job.holds_nodes()) {
            shown.started = job.started;
        }
        if (const JobPast* const past = sources_.elasticity.past_runs().find(job)) {
            shown.started = past->first_started;
            shown.restarts = past->restarts - past->first_restarts;
        }
        add_progress(job, shown);
        add_decisions(job, shown);
        return shown;
    }

    const std::string& name_of(std::uint32_t uid) {
        const auto [place, is_new] = names_.try_emplace(uid);
        if (is_new) {
            place->second = slurm::user_name(uid);
        }
        return place->second;
    }

    void add_progress(const ObservedJob& job, domain::StatusJob& shown) const {
        const auto found = sources_.reports.find(job.id);
        if (found == sources_.reports.end() || !found->second.progress) {
            return;
        }
        const slurm::Report& report = *found->second.progress;
        shown.step = report.step;
        shown.epoch = report.epoch;
        if (report.step_seconds > Seconds(0) && found->second.restarts == job.restarts) {
            shown.step_seconds = report.step_seconds;
        }
        const auto stated = stated_steps(job.memory->options);
        const auto steps = static_cast<double>(stated.value_or(0));
        const double left = steps - steps_done(job.memory->options, report);
        if (!stated || left < 0) {
            return;  // it is not known when it ends
        }
        shown.share = steps > 0 ? 1 - left / steps : 1;
        const auto step = job.memory->options.max_batch ? smallest_step(job) : shown.step_seconds;
        if (!shown.step_seconds || !step || !job.holds_nodes()) {
            return;
        }
        const double seconds = left * step->count();
        shown.ends = std::llround(found->second.last_progress + std::min(seconds, 1e9));
        add_gain(job, steps, shown);
    }

    // What brings a job, whose batch may change, as far as a step with the smallest one: as it was
    // measured where it runs, with the batch that it has.
    std::optional<Seconds> smallest_step(const ObservedJob& job) const {
        const auto& curves = sources_.elasticity.seen().curves;
        const auto curve = curves.find(job.id);
        return curve == curves.end()
                   ? std::nullopt
                   : elastic::measured_step(
                         *curve->second, job.gpus, job.shape.nodes,
                         slurm::batch_of_start(job.admin_comment, job.memory->options));
    }

    // Against its own request, from its first start, by what is known of its speed.
    void add_gain(const ObservedJob& job, double steps, domain::StatusJob& shown) const {
        const auto& curves = sources_.elasticity.seen().curves;
        const auto curve = curves.find(job.id);
        if (curve == curves.end() || !shown.started || shown.requested == 0 ||
            shown.requested > curve->second->step.size()) {
            return;
        }
        const Seconds rigid = curve->second->step[shown.requested - 1] * steps;
        shown.gain = rigid - Seconds(static_cast<double>(*shown.ends - *shown.started));
    }

    void add_decisions(const ObservedJob& job, domain::StatusJob& shown) const {
        const auto& decisions = sources_.elasticity.decisions();
        if (const auto found = decisions.find(job.id);
            found != decisions.end() && found->second.when != 0) {
            shown.decision = found->second;
        }
        const auto& stays = sources_.elasticity.stays();
        if (const auto found = stays.find(job.id); found != stays.end()) {
            shown.stays = found->second;
        } else if (job.state == slurm::JobState::pending && !shown.is_elastic) {
            shown.stays = "not elastic; pending until Slurm starts it";
        }
        const auto& held = sources_.elasticity.held();
        if (const auto found = held.find(job.id); found != held.end()) {
            shown.held = found->second;
        }
        if (const ResizeEntry* const entry = entry_of(job.id, under_way_)) {
            shown.resize = domain::StatusResize{.from = entry->resize.from,
                                                .to = entry->resize.to,
                                                .state = std::string(horad::name_of(entry->state)),
                                                .since = std::llround(entry->asked),
                                                .why = reason_of(entry->resize)};
        }
    }

    const StatusSources& sources_;
    const std::vector<ResizeEntry> under_way_;
    domain::Status status_;
    std::map<std::uint32_t, std::string> names_;
};

}  // namespace

domain::Status status_of(const StatusSources& sources) {
    return StatusWriter(sources).write();
}

}  // namespace hora::horad
