// How is a plan shown to programs and to people?
#include "libplanner/report/plan/plan.hpp"

#include "libplanner/base/counted.hpp"
#include "libplanner/cost/interval.hpp"
#include "libplanner/domain/mode_names.hpp"
#include "libplanner/plan/memory_remark.hpp"
#include "libplanner/plan/rejected.hpp"
#include "libplanner/report/duration.hpp"
#include "libplanner/report/short_count.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace hora::report {

namespace {

using nlohmann::ordered_json;

ordered_json gpus_of(const domain::Plan& plan, const domain::Cluster& cluster) {
    ordered_json all = ordered_json::array();
    for (const domain::Member& member : plan.members) {
        const domain::Gpu& gpu = cluster.gpus[member.gpu];
        all.push_back({{"node", cluster.nodes[gpu.node].name},
                       {"index", gpu.index},
                       {"type", cluster.devices[gpu.device].name},
                       {"share", member.share}});
    }
    return all;
}

ordered_json devices_of(const domain::Plan& plan, const domain::Cluster& cluster) {
    ordered_json all = ordered_json::array();
    for (const domain::DeviceUse& use : plan.devices) {
        all.push_back({{"type", cluster.devices[use.device].name},
                       {"attainable", use.attainable.count()},
                       {"bound", use.bound == domain::Bound::memory ? "memory" : "compute"},
                       {"takes_tf32", use.takes_tf32},
                       {"memory_bytes", use.memory.count()}});
    }
    return all;
}

ordered_json rejected_of(const domain::Plan& plan) {
    ordered_json all = ordered_json::array();
    for (const domain::Alternative& other : plan.rejected) {
        all.push_back({{"mode", name_of(other.mode)},
                       {"gpus", other.gpus},
                       {"where", other.where},
                       {"seconds", other.seconds ? ordered_json(other.seconds->count())
                                                 : ordered_json(nullptr)},
                       {"reason", other.reason}});
    }
    return all;
}

// What holds the step back: the network, or the roof that most types sit under.
std::string_view reason(const domain::Plan& plan) {
    if (plan.breakdown.exchange > plan.breakdown.compute) {
        return "exchange-bound";
    }
    const bool is_fed = std::all_of(
        plan.devices.begin(), plan.devices.end(),
        [](const domain::DeviceUse& use) { return use.bound == domain::Bound::compute; });
    return is_fed ? "compute-bound" : "memory-bound";
}

std::string shares_line(const domain::Plan& plan, const domain::Cluster& cluster) {
    std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> shares;
    for (const domain::Member& member : plan.members) {
        const auto [at, is_new] = shares.try_emplace(cluster.gpus[member.gpu].device,
                                                     std::pair{member.share, member.share});
        at->second.first = std::min(at->second.first, member.share);
        at->second.second = std::max(at->second.second, member.share);
    }
    std::vector<std::string> batches;
    for (const auto& [device, range] : shares) {
        batches.push_back(
            fmt::format("{}{} on {}", range.first,
                        range.first == range.second ? "" : fmt::format("-{}", range.second),
                        cluster.devices[device].name));
    }
    return fmt::format("  per-GPU batch: {}; step: compute {}, exchange {}{}\n",
                       fmt::join(batches, ", "), duration(plan.breakdown.compute),
                       duration(plan.breakdown.exchange), exchange_remark(plan.exchange));
}

std::string rejected_table(const domain::Plan& plan) {
    std::size_t mode_width = 0;
    std::size_t where_width = 0;
    for (const domain::Alternative& other : plan.rejected) {
        mode_width = std::max(mode_width, name_of(other.mode).size());
        where_width = std::max(where_width, other.where.size());
    }
    std::string text;
    for (const domain::Alternative& other : plan.rejected) {
        text += fmt::format("  rejected {:<{}}  {:<{}}  {:>11}  {}\n", name_of(other.mode),
                            mode_width, other.where, where_width,
                            other.seconds ? duration(*other.seconds) : "--", other.reason);
    }
    return text;
}

}  // namespace

std::string exchange_remark(const domain::ExchangeUse& exchange) {
    if (exchange.kind == domain::Exchange::automatic) {
        return {};
    }
    const std::string rate = exchange.sample_rate < 1
                                 ? fmt::format(", rows at rate {}", exchange.sample_rate)
                                 : std::string();
    return fmt::format(" ({}, {}{})", name_of(exchange.kind),
                       short_bytes(static_cast<std::uint64_t>(exchange.bytes.count())), rate);
}

ordered_json exchange_of(const domain::ExchangeUse& exchange) {
    return exchange.kind == domain::Exchange::automatic
               ? ordered_json(nullptr)
               : ordered_json{{"kind", name_of(exchange.kind)},
                              {"bytes", exchange.bytes.count()},
                              {"sample_rate", exchange.sample_rate}};
}

std::string_view format_remark(bool takes_tf32) {
    return takes_tf32 ? " (convolutions in tf32)" : "";
}

ordered_json correction_of(const domain::Correction& correction) {
    return {{"compute", correction.compute},
            {"exchange", correction.exchange},
            {"runs", correction.runs},
            {"users", correction.users}};
}

std::string words_of(const domain::Correction& correction) {
    const std::string whose = correction.users == 0 ? std::string("in runs of the same owner")
                                                    : fmt::format("by {} users", correction.users);
    return fmt::format("measured  {} {}: computation {:+.0f} %, exchange {:+.0f} %",
                       counted(correction.runs, "time"), whose, 100 * (correction.compute - 1),
                       100 * (correction.exchange - 1));
}

ordered_json json_of(const domain::Lateness& lateness) {
    return {{"waiting", lateness.waiting.count()}, {"bypassed", lateness.bypassed.count()}};
}

std::string words_of(const domain::Lateness& lateness) {
    const std::string saved =
        lateness.bypassed > Seconds(0)
            ? fmt::format("; --hora-allreduce=bypass saves up to {}", duration(lateness.bypassed))
            : std::string();
    return fmt::format("late rank {} of a step is waiting for it, by runs of the same owner{}",
                       duration(lateness.waiting), saved);
}

std::string range_of(Seconds whole, Seconds overhead,
                     const std::optional<domain::Correction>& correction) {
    const cost::Interval interval = cost::interval_of(correction);
    return fmt::format("{} to {}; {}", duration(cost::scaled(whole, overhead, interval.low)),
                       duration(cost::scaled(whole, overhead, interval.high)),
                       !correction              ? "not measured here"
                       : correction->users == 0 ? "by runs of the same owner"
                                                : "by other users' runs");
}

void add_times(ordered_json& object, const std::optional<Seconds>& seconds, Seconds step,
               Seconds overhead, const std::optional<domain::Correction>& correction) {
    const cost::Interval interval = cost::interval_of(correction);
    const auto whole = [&](double factor) {
        return seconds ? ordered_json(cost::scaled(*seconds, overhead, factor).count())
                       : ordered_json(nullptr);
    };
    object["seconds"] = seconds ? ordered_json(seconds->count()) : ordered_json(nullptr);
    object["seconds_low"] = whole(interval.low);
    object["seconds_high"] = whole(interval.high);
    object["step_seconds"] = step.count();
    object["step_seconds_low"] = step.count() * interval.low;
    object["step_seconds_high"] = step.count() * interval.high;
}

ordered_json json_of(const domain::Plan& plan, const domain::Cluster& cluster) {
    ordered_json object{{"version", 1}};
    const bool fits = plan.fits();
    object["mode"] = fits ? ordered_json(name_of(plan.mode)) : ordered_json(nullptr);
    object["gpus"] = gpus_of(plan, cluster);
    if (fits) {
        add_times(object, plan.seconds, plan.step_seconds, plan.breakdown.overhead,
                  plan.correction);
    } else {
        for (const char* const key : {"seconds", "seconds_low", "seconds_high", "step_seconds",
                                      "step_seconds_low", "step_seconds_high"}) {
            object[key] = nullptr;
        }
    }
    object["breakdown"] = {{"compute", plan.breakdown.compute.count()},
                           {"exchange", plan.breakdown.exchange.count()},
                           {"overhead", plan.breakdown.overhead.count()}};
    object["exchange"] = exchange_of(plan.exchange);
    object["devices"] = devices_of(plan, cluster);
    if (const std::string remark = plan::memory_remark(plan, cluster); !remark.empty()) {
        object["memory_warning"] = remark;
    }
    if (plan.correction) {
        object["correction"] = correction_of(*plan.correction);
    }
    if (plan.lateness) {
        object["lateness"] = json_of(*plan.lateness);
    }
    object["rejected"] = rejected_of(plan);
    return object;
}

std::string to_json(const domain::Plan& plan, const domain::Cluster& cluster) {
    return json_of(plan, cluster).dump(2, ' ', false, ordered_json::error_handler_t::replace) +
           "\n";
}

std::string table_of(const domain::Plan& plan, const domain::Cluster& cluster) {
    if (!plan.fits()) {
        return "nothing fits\n" + rejected_table(plan);
    }
    const std::string where = plan::describe(cluster, plan.members);
    const bool takes_tf32 = std::ranges::any_of(plan.devices, &domain::DeviceUse::takes_tf32);
    std::string text = fmt::format("{} {}   {}/step{}", name_of(plan.mode), where,
                                   duration(plan.step_seconds), format_remark(takes_tf32));
    if (plan.seconds) {
        text += fmt::format("   {} in all ({})", duration(*plan.seconds),
                            range_of(*plan.seconds, plan.breakdown.overhead, plan.correction));
    }
    text += fmt::format("   {}\n", reason(plan));
    text += shares_line(plan, cluster);
    if (plan.correction) {
        text += "  " + words_of(*plan.correction) + "\n";
    }
    if (plan.lateness) {
        text += "  " + words_of(*plan.lateness) + "\n";
    }
    return text + rejected_table(plan);
}

std::string to_table(const domain::Plan& plan, const domain::Cluster& cluster) {
    const std::string remark = plan::memory_remark(plan, cluster);
    return table_of(plan, cluster) + (remark.empty() ? "" : "remark      " + remark + "\n");
}

}  // namespace hora::report
