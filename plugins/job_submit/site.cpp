// What do the site's settings and the snapshot say now? Settings: all of libplanner/read's table,
// of them "snapshot.path", "snapshot.max_age" and "horad.state" here.
#include "plugins/job_submit/site.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "libplanner/base/blocked_signals.hpp"
#include "libplanner/report/jobs/decision_token.hpp"
#include "plugins/job_submit/log.hpp"
#include "plugins/slurm/store/plan_spool.hpp"
#include "plugins/slurm/store/snapshot_file.hpp"

namespace hora::submit {
namespace {

constexpr std::chrono::seconds period{1};

}  // namespace

Site::Site(std::string settings_path)
    : path_(std::move(settings_path)), stop_(std::make_unique<Stop>()), owner_(::getpid()) {
    identity_ = identify();
    load();
    const BlockedSignals blocked;
    thread_ = std::thread([this] { watch(); });
}

Site::~Site() {
    // In a child of fork() the thread does not exist, and its mutex may be held for ever; to
    // destroy the condition it waits for would take as long.
    if (::getpid() != owner_) {
        thread_.detach();
        static_cast<void>(stop_.release());
        return;
    }
    {
        const std::lock_guard lock(stop_->mutex);
        stop_->is_asked = true;
    }
    stop_->changed.notify_all();
    thread_.join();
}

slurm::SharedSnapshot Site::snapshot() const {
    const auto store = store_.load();
    return store ? store->current() : nullptr;
}

Site::Identity Site::identify() const {
    struct stat status {};
    if (::stat(path_.c_str(), &status) != 0) {
        return {};
    }
    return {.exists = true,
            .inode = status.st_ino,
            .seconds = status.st_ctim.tv_sec,
            .nanoseconds = status.st_ctim.tv_nsec,
            .size = status.st_size};
}

void Site::watch() {
    constexpr int spool_period = 10;
    int passes = 0;
    std::unique_lock lock(stop_->mutex);
    while (!stop_->changed.wait_for(lock, period, [this] { return stop_->is_asked; })) {
        try {
            if (++passes % spool_period == 0) {
                look_at_spool();
            }
            const Identity now = identify();
            if (now != identity_) {
                identity_ = now;
                load();
            }
        } catch (const std::exception& error) {
            report_unreadable(path_ + ": " + error.what());
        }
    }
}

// The last good settings stay loaded: a slip in the file takes no job its GPUs.
void Site::report_unreadable(const std::string& why) const {
    log_error(why + (settings_.load() ? "; the configuration loaded before stays"
                                      : "; no job gets a plan (submit.without_plan)"));
}

std::string Site::keep(const domain::Decision& decision, std::int64_t now) {
    const auto settings = settings_.load();
    if (!settings) {
        return report::to_token(decision);
    }
    const slurm::PlanSpool spool(slurm::plan_folder(settings->get<std::string>("horad.state")));
    if (is_spool_full_) {
        report_spool(spool.folder(), fmt::format("{} plans wait there for horad, which does not "
                                                 "take them",
                                                 slurm::most_waiting_plans));
        return report::to_token(decision);
    }
    const auto word = spool.keep(decision, now);
    report_spool(spool.folder(), word ? std::string() : word.error().message);
    return word ? *word : report::to_token(decision);
}

void Site::look_at_spool() {
    const auto settings = settings_.load();
    if (settings) {
        const slurm::PlanSpool spool(slurm::plan_folder(settings->get<std::string>("horad.state")));
        const std::size_t waiting = spool.keys(slurm::most_waiting_plans).size();
        is_spool_full_ = waiting >= slurm::most_waiting_plans;
    }
}

void Site::report_spool(const std::string& folder, const std::string& trouble) {
    {
        const std::lock_guard lock(spool_mutex_);
        if (spool_trouble_ == trouble) {
            return;
        }
        spool_trouble_ = trouble;
    }
    if (trouble.empty()) {
        log_info("plans are left with horad in \"" + folder + "\"");
    } else {
        log_info("plans stay whole in AdminComment: " + trouble);
    }
}

void Site::load() {
    auto settings = std::make_shared<const read::Settings>();
    if (identity_.exists) {
        const auto text = slurm::read_trusted_file(path_, ::geteuid());
        if (!text) {
            report_unreadable(text.error().within(path_).message);
            return;
        }
        auto parsed = read::read_settings(*text, path_);
        if (!parsed) {
            report_unreadable(parsed.error().message);
            return;
        }
        settings = std::make_shared<const read::Settings>(std::move(*parsed));
    }
    follow_snapshot(*settings);
    settings_.store(settings);
    log_info("configuration loaded: " + (identity_.exists ? path_ : "defaults, without a file"));
}

void Site::follow_snapshot(const read::Settings& settings) {
    const std::string& path = settings.get<std::string>("snapshot.path");
    const Seconds age = settings.get<Seconds>("snapshot.max_age");
    if (store_.load() && path == snapshot_path_ && age == snapshot_age_) {
        return;
    }
    const auto report = [](bool is_good, const std::string& message) {
        if (is_good) {
            log_info(message);
        } else {
            log_error(message + "; no job gets a plan (submit.without_plan)");
        }
    };
    store_.store(std::make_shared<const slurm::SnapshotStore>(
        slurm::SnapshotSource{path, age, ::geteuid()}, report));
    snapshot_path_ = path;
    snapshot_age_ = age;
}

}  // namespace hora::submit
