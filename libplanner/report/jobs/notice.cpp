// Which lines, at most three, does a user get on submit?
#include "libplanner/report/jobs/notice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "libplanner/base/counted.hpp"
#include "libplanner/domain/mode_names.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/report/duration.hpp"
#include "libplanner/report/plan/plan.hpp"

namespace hora::report {
namespace {

std::string togetherness(const domain::Placement& placement) {
    if (!placement.is_enforced) {
        return {};
    }
    return placement.is_free ? fmt::format("; {}", placement.what)
                             : fmt::format("; {}: waits for that, {} at most", placement.what,
                                           duration(placement.wait));
}

std::string chosen(const domain::Decision& decision) {
    const std::string run =
        decision.seconds ? fmt::format(", about {} ({})", duration(*decision.seconds),
                                       range_of(*decision.seconds, decision.breakdown.overhead,
                                                decision.correction))
                         : std::string();
    const bool takes_tf32 = std::ranges::any_of(decision.uses, &domain::TypeUse::takes_tf32);
    const double rate = decision.exchange.sample_rate;
    return fmt::format("{} x {} on {}, {}{}, {} a step{}{}{}{}", decision.gpus, types_of(decision),
                       counted(decision.nodes, "node"), name_of(decision.mode),
                       rate < 1 ? fmt::format(" with rows at rate {}", rate) : std::string(),
                       duration(decision.step_seconds), format_remark(takes_tf32), run,
                       decision.waits ? "; waits until they are free" : "",
                       togetherness(decision.placement));
}

std::string runner_up(const domain::Alternative& other) {
    const std::string time = other.seconds ? duration(*other.seconds) : "--";
    return fmt::format("runner-up: {}, {}, {}: {}",
                       other.where.empty() ? counted(other.gpus, "GPU") : other.where,
                       name_of(other.mode), time, other.reason);
}

std::string after(const domain::Decision& decision, const char* field) {
    for (const domain::FieldChange& change : decision.changes) {
        if (change.field == field) {
            return change.after;
        }
    }
    return {};
}

// The options of sbatch that request the plan without Hora.
std::string by_hand(const domain::Decision& decision) {
    std::string text;
    const auto add = [&](const char* option, const std::string& value) {
        text += value.empty() ? std::string() : fmt::format(" {}{}", option, value);
    };
    add("-N", after(decision, "min_nodes"));
    add("--ntasks-per-node=", after(decision, "ntasks_per_node"));
    add("-c", after(decision, "cpus_per_task"));
    const std::string tres = after(decision, "tres_per_node");
    add("--gres=", tres.starts_with("gres") ? tres.substr(5) : tres);
    const std::string per_socket = after(decision, "tres_per_socket");
    add("--gpus-per-socket=", per_socket.substr(std::min<std::size_t>(9, per_socket.size())));
    add("--sockets-per-node=", after(decision, "sockets_per_node"));
    add("--cores-per-socket=", after(decision, "cores_per_socket"));
    const std::string features = after(decision, "features");
    add("-C ", features.empty() ? features : "'" + features + "'");
    return text;
}

}  // namespace

std::string summary_of(const domain::Decision& decision) {
    return decision.has_plan ? chosen(decision) : "no plan: " + decision.remark;
}

std::string notice_of(const domain::Decision& decision, const std::string& summary) {
    std::string text = "hora: " + summary;
    if (!decision.rejected.empty()) {
        text += "\nhora: " + runner_up(decision.rejected.front());
    }
    std::string last = decision.remark;
    const std::string options = decision.operating == "advise" ? by_hand(decision) : "";
    if (!options.empty()) {
        last += (last.empty() ? "" : "; ") + ("to get it, submit with" + options);
    }
    return text + (last.empty() ? "" : "\nhora: " + last);
}

std::string log_line(const domain::Decision& decision, const std::string& job_name,
                     const std::string& summary) {
    return fmt::format("{}: job {} in partition {}: {}", decision.operating, job_name,
                       read::quoted(decision.partition), summary);
}

}  // namespace hora::report
