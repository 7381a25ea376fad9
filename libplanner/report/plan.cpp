// How is a plan shown to programs and to people?
#include "libplanner/report/plan.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

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
                       {"bound", use.bound == domain::Bound::memory ? "memory" : "compute"}});
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

}  // namespace

std::string_view name_of(domain::Mode mode) {
    constexpr std::string_view names[] = {"independent", "sync", "async", "balanced"};
    return names[static_cast<std::size_t>(mode)];
}

std::string to_json(const domain::Plan& plan, const domain::Cluster& cluster) {
    ordered_json object{{"version", 1}};
    const bool fits = plan.fits();
    object["mode"] = fits ? ordered_json(name_of(plan.mode)) : ordered_json(nullptr);
    object["gpus"] = gpus_of(plan, cluster);
    object["seconds"] =
        fits && plan.seconds ? ordered_json(plan.seconds->count()) : ordered_json(nullptr);
    object["step_seconds"] = fits ? ordered_json(plan.step_seconds.count()) : ordered_json(nullptr);
    object["breakdown"] = {{"compute", plan.breakdown.compute.count()},
                           {"exchange", plan.breakdown.exchange.count()},
                           {"overhead", plan.breakdown.overhead.count()}};
    object["devices"] = devices_of(plan, cluster);
    object["rejected"] = rejected_of(plan);
    return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string to_table(const domain::Plan& plan, const domain::Cluster& cluster) {
    if (!plan.fits()) {
        return "nothing fits\n";
    }
    std::string text;
    for (const domain::Member& member : plan.members) {
        const domain::Gpu& gpu = cluster.gpus[member.gpu];
        text += fmt::format("{} {} gpu {} share {}\n", cluster.devices[gpu.device].name,
                            cluster.nodes[gpu.node].name, gpu.index, member.share);
    }
    return text;
}

}  // namespace hora::report
