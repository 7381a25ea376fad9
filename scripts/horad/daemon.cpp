// When is a round of the daemon's work due, and is it this host's to do?
#include "scripts/horad/daemon.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "scripts/hora/site/state_files.hpp"
#include "scripts/horad/failover/supervisor.hpp"
#include "scripts/horad/log/wall_time.hpp"
#include "scripts/horad/publish/logged_file.hpp"
#include "scripts/horad/publish/metrics.hpp"

namespace hora::horad {
namespace {

// Topics of the log.
const std::string of_settings = "settings";
const std::string of_metrics = "metrics";
const std::string of_turn = "turn";
const std::string of_own_lock = "lock";

std::chrono::duration<double> duration_of(Seconds time) {
    return std::chrono::duration<double>(time.count());
}

}  // namespace

Daemon::Daemon(Site site, Instance own, Log& log, std::chrono::milliseconds patience)
    : log_(log),
      folder_(site.settings.get<std::string>("horad.state")),
      started_(wall_time()),
      site_(std::move(site)),
      role_(log),
      own_(std::move(own)),
      patience_(patience) {
    warn_of_settings();
    say(own_, of_own_lock);
}

void Daemon::warn_of_settings() {
    if (!site_.warning.empty()) {
        log_.warning(site_.warning);
    }
}

void Daemon::reload() {
    tell_supervisor("RELOADING=1");
    auto site = load_site();
    log_.fine(of_settings);  // each reload is answered, also where the last one failed alike
    if (!site) {
        log_.trouble(of_settings,
                     fmt::format("the settings stay as they were: {}", site.error().message));
    } else {
        site_ = *std::move(site);
        warn_of_settings();
        if (active_) {
            active_->take(site_);
        }
        log_.note("configuration reloaded");
    }
    tell_supervisor("READY=1");
}

bool Daemon::handle(Signals& signals) {
    bool goes_on = true;
    while (const auto signal = signals.next()) {
        if (*signal == SIGHUP) {
            reload();
        } else {
            goes_on = false;
        }
    }
    return goes_on;
}

void Daemon::wait(const Signals& signals, Clock::time_point until) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    pollfd files[] = {{signals.file(), POLLIN, 0}, {active_ ? active_->news() : -1, POLLIN, 0}};
    // Once is enough: what comes in until the next round is looked at together.
    const nfds_t count = was_heard_ ? 1 : 2;
    ::poll(files, count, static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 3'600'000)));
    if (active_ && files[1].revents != 0) {
        active_->take_news();
        was_heard_ = true;
    }
}

bool Daemon::round() {
    const std::optional<Role> role = role_.look();
    if (!role) {
        return false;
    }
    if (*role != Role::acting) {
        stand_by();
        return false;
    }
    if (!active_ && !take_over()) {
        return false;
    }
    if (!acting_ || !acting_->is_locked()) {
        claim_turn();
    }
    return active_->round();
}

// Before the other host is back, and its daemon would find none at work.
void Daemon::claim_turn() {
    if (auto acting = Instance::claim_acting(folder_); acting && *acting) {
        acting_ = **std::move(acting);
        say(*acting_, of_turn);
    }
}

bool Daemon::is_only_one() {
    if (own_.is_locked()) {
        return true;
    }
    auto again = Instance::claim_again(folder_);
    if (again && !*again) {
        log_.warning(fmt::format(
            "another horad of this host has begun on \"{}\" by now; this one ends", folder_));
        return false;
    }
    if (!again) {
        log_.trouble(of_own_lock, again.error().message);
        return true;
    }
    own_ = **std::move(again);
    say(own_, of_own_lock);
    return true;
}

void Daemon::say(const Instance& instance, const std::string& topic) {
    if (!instance.is_locked()) {
        log_.trouble(topic, instance.trouble());
        return;
    }
    log_.fine(topic);
    if (!instance.trouble().empty()) {
        log_.warning(instance.trouble());
    }
}

bool Daemon::take_over() {
    auto acting = Instance::claim_acting(folder_);
    const bool is_free = acting && acting->has_value();
    const bool has_turn = is_free && (*acting)->is_locked();
    const std::string why =
        is_free ? (*acting)->trouble()
        : acting
            ? fmt::format("the horad of another controller still has \"{}/acting.lock\"", folder_)
            : acting.error().message;
    waits_since_ = waits_since_.value_or(Clock::now());
    // A host that is gone may leave its lock behind for longer.
    if (!has_turn && Clock::now() - *waits_since_ < patience_) {
        log_.trouble(of_turn, acting && !is_free ? why + "; this one waits for it" : why);
        return false;
    }
    if (is_free) {
        acting_ = **std::move(acting);
        say(*acting_, of_turn);
    } else {
        log_.warning(fmt::format("{}; this one has waited for {} s and goes on", why,
                                 std::chrono::floor<std::chrono::seconds>(patience_).count()));
        log_.fine(of_turn);
    }
    waits_since_.reset();
    active_ = std::make_unique<ActiveDaemon>(folder_, started_, site_, log_);
    return true;
}

void Daemon::stand_by() {
    active_.reset();
    acting_.reset();
    log_.fine(of_turn);
    waits_since_.reset();
    const auto& path = site_.settings.get<std::string>("horad.metrics");
    const auto interval = duration_of(site_.settings.get<Seconds>("horad.interval"));
    if (path.empty() || Clock::now() - told_ < interval) {
        return;
    }
    told_ = Clock::now();
    domain::Status status;
    status.written = wall_time();
    status.started = started_;
    const std::string text = metrics_text(
        {.status = status, .snapshot_age = Seconds(0), .round = Seconds(0), .is_acting = false});
    write_logged(log_, of_metrics, path, text,
                 rights_of(scripts::StateFile::metrics, {}));  // it holds no jobs
}

bool Daemon::run_once() {
    return round() && log_.troubles().count("snapshot") == 0;
}

// At once after a report, but no hailstorm of them makes the daemon ask slurmctld all the time;
// often while a job waits to be restarted.
Daemon::Clock::time_point Daemon::next_round(Clock::time_point begin) const {
    constexpr std::chrono::milliseconds busy{100};
    constexpr std::chrono::milliseconds heard{250};
    const auto interval = std::chrono::ceil<Clock::duration>(
        duration_of(site_.settings.get<Seconds>("horad.interval")));
    if (active_ && active_->is_busy()) {
        return begin + std::min<Clock::duration>(busy, interval);
    }
    return begin + (was_heard_ ? std::min<Clock::duration>(heard, interval) : interval);
}

bool Daemon::run(Signals& signals) {
    log_.note(fmt::format("started; {} jobs by policy \"{}\"",
                          read::name_of(site_.settings.get<read::OperatingMode>("mode")),
                          site_.settings.get<std::string>("elastic.policy")));
    tell_supervisor("READY=1");
    Watchdog watchdog;
    auto begin = Clock::time_point();
    bool is_only = is_only_one();
    for (; is_only && handle(signals); is_only = is_only_one()) {
        if (Clock::now() >= next_round(begin)) {
            was_heard_ = false;
            begin = Clock::now();
            round();
        }
        watchdog.stay_alive(Clock::now());
        wait(signals, std::min(next_round(begin), watchdog.next()));
    }
    tell_supervisor("STOPPING=1");
    active_.reset();
    log_.note("ended");
    return is_only;
}

}  // namespace hora::horad
