// Which plans do jobs carry the key of, and what do they say?
#include "scripts/horad/observe/plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "libplanner/base/counted.hpp"
#include "libplanner/read/settings/job_options.hpp"
#include "libplanner/read/state/decision_token.hpp"
#include "scripts/hora/jobs/find_plan.hpp"

namespace hora::horad {
namespace {

// Topics of the log.
const std::string of_plans = "plans";
const std::string of_spool = "plans that wait";

// The history is on disk after each time, and the daemon has other things to do.
constexpr std::size_t most_at_once = 500;

}  // namespace

std::shared_ptr<const JobMemory> memory_from(domain::Decision decision) {
    JobMemory memory{.decision = std::move(decision), .options = {}};
    for (const auto& [name, value] : memory.decision.options) {
        if (!read::set_job_option(memory.options, name, value)) {
            return nullptr;  // what it asks for is not known
        }
    }
    return std::make_shared<const JobMemory>(std::move(memory));
}

Plans::Plans(slurm::PlanSpool spool, OpenHistory history, Log& log, Now steady)
    : spool_(std::move(spool)),
      history_(std::move(history)),
      log_(log),
      steady_(std::move(steady)) {}

// A record that is not to be trusted, or that a failing disk left in pieces, is removed: it would
// be in the way for ever.
std::vector<history::KeptPlan> Plans::waiting(std::int64_t now) {
    std::vector<history::KeptPlan> plans;
    std::string trouble;
    for (std::string& key : spool_.keys(most_at_once)) {
        auto record = spool_.read(key, slurm_user_);
        if (record && !*record) {
            continue;
        }
        const auto decision = record ? read::read_record(**record) : unexpected(record.error());
        if (decision) {
            plans.push_back({std::move(key), now, **std::move(record)});
        } else {
            trouble = fmt::format("plan \"{}\" is dropped: {}", key, decision.error().message);
            spool_.remove(key);
        }
    }
    if (!trouble.empty()) {
        log_.warning(trouble);
    }
    return plans;
}

void Plans::take(std::int64_t now) {
    constexpr std::chrono::minutes pause{1};
    if (steady_() >= next_cleaning_) {
        next_cleaning_ = steady_() + pause;
        spool_.remove_torn();
    }
    const std::vector<history::KeptPlan> plans = waiting(now);
    history::Database* const kept = plans.empty() ? nullptr : history_();
    if (kept == nullptr) {
        return;
    }
    if (const auto done = kept->record(plans); !done) {
        log_.trouble(of_spool, done.error().message);
        return;
    }
    log_.fine(of_spool, "plans are kept again");
    for (const history::KeptPlan& plan : plans) {
        spool_.remove(plan.key);
    }
}

Plans::Known Plans::look_up(const std::string& word) {
    constexpr std::chrono::seconds pause{10};
    auto decision = scripts::find_plan(
        word, {.spool = spool_, .slurm_user = slurm_user_, .database = history_()});
    Known known;
    if (decision && *decision) {
        known.memory = memory_from(**std::move(decision));
    } else {
        known.is_lost = true;
        known.next_look = steady_() + pause;
    }
    return known;
}

std::shared_ptr<const JobMemory> Plans::memory_of(const std::string& admin_comment) {
    const std::string word(read::find_word(admin_comment));
    if (word.empty()) {
        return nullptr;
    }
    const auto [place, is_new] = known_.try_emplace(word);
    Known& known = place->second;
    if (is_new || (known.is_lost && steady_() >= known.next_look)) {
        known = look_up(word);
    }
    known.is_carried = true;
    return known.memory;
}

std::string Plans::keep(const domain::Decision& decision, std::int64_t now) const {
    return slurm::keep_or_embed(spool_, decision, now);
}

void Plans::drop(const std::string& word) const {
    if (const auto found = read::find_plan_word(word)) {
        spool_.remove(found->key);
    }
}

// Each that ends leaves fewer.
void Plans::report_lost(std::size_t lost, std::uint32_t first) {
    const bool is_news = lost > std::exchange(lost_, lost);
    if (lost == 0) {
        log_.fine(of_plans);
        return;
    }
    const std::string trouble = fmt::format(
        "the plans of {}, job {} the first, are not in the history: these jobs run on at their "
        "size",
        counted(lost, "job"), first);
    if (is_news) {
        log_.trouble(of_plans, trouble);
    } else {
        log_.amend(of_plans, trouble);
    }
}

void Plans::keep_only(const std::vector<ObservedJob>& jobs) {
    for (auto& [word, known] : known_) {
        known.is_carried = false;
    }
    std::size_t lost = 0;
    std::uint32_t first = 0;
    for (const ObservedJob& job : jobs) {
        const auto found = known_.find(read::find_word(job.admin_comment));
        if (found == known_.end()) {
            continue;
        }
        found->second.is_carried = true;
        if (found->second.is_lost && !job.is_over()) {
            first = lost == 0 ? job.id : first;
            ++lost;
        }
    }
    std::erase_if(known_, [](const auto& one) { return !one.second.is_carried; });
    report_lost(lost, first);
}

std::vector<std::string> Plans::living() const {
    std::vector<std::string> keys;
    for (const auto& [word, known] : known_) {
        if (auto found = read::find_plan_word(word)) {
            keys.push_back(std::move(found->key));
        }
    }
    return keys;
}

}  // namespace hora::horad
