// What is a step of each elastic job thought to take, by its plan and its own reports?
#include "scripts/horad/progress/seen_speeds.hpp"

#include <fmt/format.h>

#include <utility>

#include "libplanner/cost/measured_table.hpp"

namespace hora::horad {
namespace {

// Jobs of one model send the same messages; of one that names no model that is not known.
std::string application_of(const JobMemory& memory, std::uint32_t job) {
    return memory.options.model ? cost::model_key(*memory.options.model) : fmt::format("{}", job);
}

// A plan that was corrected by what exchanges took is no data sheet any more.
bool is_corrected(const JobMemory& memory) {
    return memory.decision.correction.has_value();
}

}  // namespace

std::vector<elastic::SpeedPoint> points_of(const JobReports& reports) {
    std::vector<elastic::SpeedPoint> points;
    for (const TimedSteps& timed : reports.timed) {
        points.push_back({timed.gpus, timed.nodes, timed.step, timed.steps, timed.batch});
    }
    return points;
}

std::shared_ptr<const elastic::SpeedCurve> SeenSpeeds::of(const ObservedJob& job, Basis basis) {
    Fitted& fitted = fitted_[job.id];
    const elastic::SlowDown slow_down = expected(job, basis.pool, fitted.shown);
    if (fitted.curve == nullptr || fitted.memory != job.memory || fitted.basis != basis ||
        elastic::is_other(slow_down, fitted.slow_down)) {
        fitted.memory = job.memory;
        fitted.basis = std::move(basis);
        fitted.slow_down = slow_down;
        fitted.curve = std::make_shared<const elastic::SpeedCurve>(elastic::seen_speed(
            job.memory->decision, fitted.basis.most, fitted.basis.gpus_per_node,
            fitted.basis.points, slow_down, fitted.basis.links, fitted.basis.batches));
    }
    return fitted.curve;
}

elastic::SlowDown SeenSpeeds::expected(const ObservedJob& job, const std::string& pool,
                                       const std::optional<elastic::SlowDown>& shown) const {
    if (is_corrected(*job.memory)) {
        return {.log = 0};
    }
    const auto others = slow_downs_.find(pool);
    return others == slow_downs_.end()
               ? elastic::SlowDown()
               : others->second.expected(application_of(*job.memory, job.id), shown);
}

void SeenSpeeds::share_slow_downs() {
    slow_downs_.clear();
    for (const auto& [of, shown] : ended_) {
        slow_downs_[of.first].add(of.second, shown);
    }
    for (auto& [job, fitted] : fitted_) {
        fitted.shown = is_corrected(*fitted.memory) ? std::nullopt : fitted.curve->shown_slow_down;
        if (fitted.shown) {
            slow_downs_[fitted.basis.pool].add(application_of(*fitted.memory, job), *fitted.shown);
        }
    }
}

void SeenSpeeds::forget_gone(const Observation& seen) {
    // Users name models as they like.
    constexpr std::size_t most_ended = 1000;
    std::erase_if(fitted_, [&](const auto& one) {
        if (seen.find(one.first) != nullptr) {
            return false;
        }
        const Fitted& fitted = one.second;
        if (!fitted.shown || !fitted.memory->options.model) {
            return true;
        }
        const std::pair of(fitted.basis.pool, application_of(*fitted.memory, one.first));
        if (ended_.size() < most_ended || ended_.contains(of)) {
            ended_[of] = *fitted.shown;
        }
        return true;
    });
}

}  // namespace hora::horad
