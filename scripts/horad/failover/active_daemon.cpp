// What does the daemon do while its host's slurmctld acts?
#include "scripts/horad/failover/active_daemon.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "libplanner/read/state/decision_token.hpp"
#include "libplanner/report/jobs/status_json.hpp"
#include "scripts/hora/site/site_privacy.hpp"
#include "scripts/horad/log/wall_time.hpp"
#include "scripts/horad/observe/spool_folder.hpp"
#include "scripts/horad/publish/logged_file.hpp"
#include "scripts/horad/publish/metrics.hpp"
#include "scripts/horad/publish/status.hpp"

namespace hora::horad {
namespace {

using scripts::rights_of;
using scripts::StateFile;

// Topics of the log.
const std::string of_slurm = "slurmctld";
const std::string of_snapshot = "snapshot";
const std::string of_cluster = "cluster";
const std::string of_reports = "reports";
const std::string of_spool = "place of plans";
const std::string of_hands = "place of restarted jobs";
const std::string of_status = "status";
const std::string of_metrics = "metrics";

constexpr std::string_view reports_are_taken = "reports are taken now";

ReportAddress address_of(const read::Settings& settings) {
    return {.address = settings.get<std::string>("horad.listen"),
            .port = static_cast<std::uint16_t>(settings.get<std::uint64_t>("horad.port"))};
}

}  // namespace

ActiveDaemon::ActiveDaemon(std::string folder, std::int64_t started, Site site, Log& log)
    : log_(log),
      folder_(std::move(folder)),
      journal_(folder_),
      started_(started),
      spool_(slurm::plan_folder(folder_)),
      plans_(
          spool_, [this] { return elasticity_.history(); }, log),
      relaxer_(plans_),
      elasticity_(journal_, site.settings, plans_, log),
      replanner_(elasticity_.pending(), plans_) {
    filter_.set_resizes(&elasticity_.requests());
    take(std::move(site));
}

void ActiveDaemon::take(Site site) {
    if (server_ && address_of(site_.settings) != address_of(site.settings)) {
        server_.reset();
    }
    next_listen_ = {};
    site_ = std::move(site);
    elasticity_.take(site_.settings);
    watch_ = std::make_unique<Watch>(site_.facts, plans_);
    snapshot_ = std::make_unique<SnapshotWriter>(site_.settings.get<std::string>("snapshot.path"),
                                                 site_.settings.get<Seconds>("snapshot.max_age"));
}

// What earlier daemons timed.
void ActiveDaemon::remember() {
    if (std::exchange(has_remembered_, true)) {
        return;
    }
    for (const auto& [job, timed] : elasticity_.timed_before(watch_->observation())) {
        filter_.remember(job, timed);
        log_.note(fmt::format("job {}: {} start{} timed before", job, timed.size(),
                              timed.size() == 1 ? " was" : "s were"));
    }
}

// What slurmctld reads of the jobs that are restarted; of this host alone.
void ActiveDaemon::keep_locks(uid_t slurm_user) {
    const auto opened = open_spool(slurm::restart_locks_folder(folder_), slurm_user, true);
    if (opened) {
        log_.fine(of_hands);
    } else {
        log_.trouble(of_hands,
                     opened.error().message + "; owners can change jobs while these are restarted");
    }
}

bool ActiveDaemon::keep_plans() {
    constexpr std::chrono::seconds pause{30};
    if (Clock::now() >= next_spool_) {
        const auto configuration = slurm::load_configuration();
        if (!configuration) {
            log_.trouble(of_slurm, configuration.error().message);
            return false;
        }
        next_spool_ = Clock::now() + pause;
        const slurm_conf_t& slurms = **configuration;
        plans_.trust(slurms.slurm_user_id);
        // Before anything is looked up, and so before the history is made.
        keep_rights(scripts::privacy_of(slurms));
        std::string why =
            why_not_spooled(slurms, folder_, site_.settings.get<std::string>("history.path"));
        if (!why.empty()) {
            close_spool(spool_.folder());
        } else if (const auto opened =
                       open_spool(spool_.folder(), slurms.slurm_user_id, privacy_->hides_jobs);
                   !opened) {
            why = opened.error().message + "; plans stay whole in AdminComment";
        }
        keep_locks(slurms.slurm_user_id);
        if (why.empty()) {
            log_.fine(of_spool);
        } else {
            log_.trouble(of_spool, why);
        }
    }
    plans_.take(wall_time());
    return true;
}

std::vector<std::pair<StateFile, std::string>> ActiveDaemon::files() const {
    std::vector<std::pair<StateFile, std::string>> files{
        {StateFile::snapshot, site_.settings.get<std::string>("snapshot.path")},
        {StateFile::history, site_.settings.get<std::string>("history.path")},
        {StateFile::metrics, site_.settings.get<std::string>("horad.metrics")}};
    for (const StateFile file :
         {StateFile::status, StateFile::journal, StateFile::resizes, StateFile::given_sizes,
          StateFile::past_runs, StateFile::replaced_plans, StateFile::restarts}) {
        files.emplace_back(file, path_of(file, folder_));
    }
    return files;
}

void ActiveDaemon::keep_rights(const scripts::Privacy& privacy) {
    if (privacy_ == privacy) {
        return;
    }
    privacy_ = privacy;
    elasticity_.set_rights(rights_of(StateFile::history, privacy));
    for (const auto& [file, path] : files()) {
        if (const auto done = scripts::apply_rights(path, rights_of(file, privacy)); !done) {
            log_.warning(done.error().message);
        }
    }
}

// Of daemons that were killed as they wrote.
void ActiveDaemon::remove_temporaries() {
    constexpr std::chrono::seconds old{60};  // somebody may write the snapshot just now
    constexpr std::chrono::seconds pause{600};
    if (Clock::now() < next_tidy_) {
        return;
    }
    next_tidy_ = Clock::now() + pause;
    for (const auto& [file, path] : files()) {
        if (!path.empty()) {
            scripts::remove_temporaries(path, old);
        }
    }
}

// Those that a job may get back as well.
std::vector<std::string> ActiveDaemon::living_plans() const {
    std::vector<std::string> keys = plans_.living();
    for (const std::string& comment : elasticity_.pending().comments_before()) {
        if (auto word = read::find_plan_word(comment)) {
            keys.push_back(std::move(word->key));
        }
    }
    return keys;
}

void ActiveDaemon::keep_snapshot(const News& news) {
    const std::int64_t now = wall_time();
    const auto written =
        snapshot_->write(*watch_->observation().cluster, elasticity_.digest(now), news.of_cluster,
                         rights_of(StateFile::snapshot, *privacy_), now);
    if (!written) {
        log_.trouble(of_snapshot, written.error().message);
    } else {
        log_.fine(of_snapshot, "the snapshot is written again");
    }
}

// Listens where the settings say; a place that cannot be had is tried again.
void ActiveDaemon::keep_server() {
    constexpr std::chrono::seconds pause{2};
    if (server_ && server_->lacks_descriptors()) {
        log_.trouble(of_reports,
                     "reports wait, for horad has no descriptor left to accept them; raise its "
                     "LimitNOFILE");
    } else if (server_) {
        log_.fine(of_reports, reports_are_taken);
    }
    const ReportAddress address = address_of(site_.settings);
    if (!server_ && address.port == 0) {
        log_.fine(of_reports);
    }
    if (server_ || address.port == 0 || Clock::now() < next_listen_) {
        return;
    }
    next_listen_ = Clock::now() + pause;
    const slurm_conf_t& configuration = watch_->collector().configuration();
    auto server = ReportServer::start(
        address, slurm::munge_socket_of(slurm::text_of(configuration.authinfo)), filter_);
    if (!server) {
        log_.trouble(of_reports, server.error().message);
        return;
    }
    server_ = *std::move(server);
    log_.fine(of_reports, reports_are_taken);
}

void ActiveDaemon::tell() {
    if (!watch_->observation().cluster) {
        return;
    }
    std::vector<std::string> remarks;
    for (const auto& [topic, message] : log_.troubles()) {
        remarks.push_back(message);
    }
    const auto reports = filter_.reports().all();
    const domain::Status status = status_of({watch_->observation(), reports, elasticity_,
                                             site_.settings, started_, std::move(remarks)});
    write_logged(log_, of_status, path_of(StateFile::status, folder_), report::to_json(status),
                 rights_of(StateFile::status, *privacy_));
    if (const auto& path = site_.settings.get<std::string>("horad.metrics"); !path.empty()) {
        write_logged(log_, of_metrics, path,
                     metrics_text({.status = status,
                                   .resizes = elasticity_.history_writer().endings(),
                                   .reports = filter_.reports().count(),
                                   .reports_refused = filter_.refused(),
                                   .relaxed = relaxer_.relaxed(),
                                   .replanned = replanner_.replanned(),
                                   .snapshot_age = Seconds(snapshot_->age().count()),
                                   .round = Seconds(std::chrono::duration<double>(round_).count()),
                                   .is_acting = true}),
                     rights_of(StateFile::metrics, *privacy_));
    }
    told_ = Clock::now();
}

void ActiveDaemon::restart(const Observation& seen) {
    const slurm_conf_t& configuration = watch_->collector().configuration();
    const std::chrono::duration<double> now = Clock::now().time_since_epoch();
    restarter_.step(seen, filter_.reports(), elasticity_.under_way(), elasticity_.restarts(),
                    elasticity_.slurm(), wait_after_requeue(slurm::text_of(configuration.authinfo)),
                    Seconds(now.count()));
}

void ActiveDaemon::report_remarks() {
    const std::string remarks = fmt::format("{}", fmt::join(watch_->remarks(), "; "));
    if (remarks.empty()) {
        log_.fine(of_cluster);
    } else {
        log_.trouble(of_cluster, remarks);
    }
}

Haste ActiveDaemon::haste() {
    const auto& endings = elasticity_.history_writer().endings();
    const auto ended = std::accumulate(endings.begin(), endings.end(), std::uint64_t{0});
    return pace_.of_round(is_busy(), ended, elasticity_.has_requests());
}

bool ActiveDaemon::round() {
    const auto begin = Clock::now();
    elasticity_.collect_requests();
    if (!keep_plans()) {
        return false;
    }
    remove_temporaries();
    const auto news = watch_->look(wall_time(), elasticity_.closes_nodes(), haste());
    if (!news) {
        log_.trouble(of_slurm, news.error().message);
        return false;
    }
    log_.fine(of_slurm, "slurmctld answers again");
    report_remarks();
    const Observation& seen = watch_->observation();
    remember();
    elasticity_.write_down(seen, filter_.reports(), [this] { return living_plans(); });
    keep_snapshot(*news);
    keep_server();
    if (news->of_jobs) {
        filter_.see(seen, elasticity_.resized_jobs());
        if (server_) {
            server_->look_again();
        }
    }
    relaxer_.step(seen, log_);
    elasticity_.step(seen, filter_.reports(), news->of_jobs || news->of_cluster);
    elasticity_.act(seen, filter_.reports());
    restart(seen);
    replanner_.step(seen, elasticity_.digest(seen.now), elasticity_.under_way(), site_.settings,
                    log_);
    if (elasticity_.begin_requested(seen) && server_) {
        server_->look_again();
    }
    round_ = Clock::now() - begin;
    const auto interval = site_.settings.get<Seconds>("horad.interval");
    if (std::chrono::duration<double>(Clock::now() - told_).count() >= interval.count()) {
        tell();
    }
    return true;
}

}  // namespace hora::horad
