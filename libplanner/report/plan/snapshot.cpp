// How is a snapshot of the cluster written down, so that ten thousand nodes stay small?
#include "libplanner/report/plan/snapshot.hpp"

#include <optional>
#include <utility>

#include "libplanner/read/index_ranges.hpp"
#include "libplanner/report/plan/snapshot_cluster.hpp"

namespace hora::report {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<std::uint32_t>& count) {
    return count ? Json(*count) : Json(nullptr);
}

Json or_null(const std::optional<Seconds>& seconds) {
    return seconds ? Json(seconds->count()) : Json(nullptr);
}

Json partition_json(const domain::Partition& partition) {
    Json item{{"name", partition.name},
              {"nodes", read::fold_ranges(partition.nodes)},
              {"up", partition.is_up},
              {"default", partition.is_default},
              {"max_nodes", or_null(partition.max_nodes)},
              {"max_seconds", or_null(partition.max_time)},
              {"max_cpus_per_node", or_null(partition.max_cpus_per_node)},
              {"default_cpus_per_gpu", or_null(partition.default_cpus_per_gpu)},
              {"qos", partition.qos}};
    const domain::DefaultMemory& memory = partition.default_memory;
    const std::pair<const char*, std::optional<std::uint32_t>> defaults[] = {
        {"default_mib_per_gpu", memory.per_gpu},
        {"default_mib_per_cpu", memory.per_cpu},
        {"default_mib_per_node", memory.per_node}};
    for (const auto& [name, value] : defaults) {
        if (value) {
            item[name] = *value;
        }
    }
    return item;
}

Json caps_json(const domain::Caps& caps) {
    return {{"gpus", or_null(caps.gpus)},
            {"nodes", or_null(caps.nodes)},
            {"cpus", or_null(caps.cpus)},
            {"memory_mib", or_null(caps.memory)},
            {"billing", or_null(caps.billing)}};
}

Json allowance_json(const domain::Allowance& allowance) {
    return {{"qos", allowance.qos},
            {"account", allowance.account},
            {"user", allowance.user},
            {"partition", allowance.partition},
            {"per_job", caps_json(allowance.per_job)},
            {"per_node", caps_json(allowance.per_node)},
            {"per_user", caps_json(allowance.per_user)},
            {"per_account", caps_json(allowance.per_account)},
            {"left", caps_json(allowance.left)},
            {"max_seconds", or_null(allowance.max_time)},
            {"outweighs_partition", allowance.outweighs_partition}};
}

Json user_json(const domain::User& user) {
    Json item{{"uid", user.uid},
              {"name", user.name},
              {"account", user.default_account},
              {"qos", user.default_qos}};
    for (const domain::DefaultQos& other : user.other_qos) {
        item["other_qos"].push_back(
            {{"account", other.account}, {"partition", other.partition}, {"qos", other.qos}});
    }
    return item;
}

Json reservation_json(const domain::Reservation& reservation) {
    return {{"name", reservation.name},
            {"nodes", read::fold_ranges(reservation.nodes)},
            {"starts", reservation.starts},
            {"ends", reservation.ends}};
}

Json measured_json(const domain::MeasuredSpeed& measured) {
    Json item{{"uid", or_null(measured.uid)}, {"model", measured.model},
              {"device", measured.device},    {"gpus", measured.gpus},
              {"nodes", measured.nodes},      {"exchange", measured.exchange_share},
              {"ratio", measured.ratio},      {"runs", measured.runs},
              {"users", measured.users}};
    if (measured.overhead) {
        item["overhead"] = measured.overhead->count();
    }
    if (measured.late) {
        item["late"] = *measured.late;
    }
    return item;
}

template <class Item, class Write>
Json list_json(const std::vector<Item>& items, Write write) {
    Json list = Json::array();
    for (const Item& item : items) {
        list.push_back(write(item));
    }
    return list;
}

}  // namespace

std::string to_json(const domain::Snapshot& snapshot) {
    Json root = {{"format", "hora-snapshot"},
                 {"version", 1},
                 {"cluster", snapshot.cluster_name},
                 {"written", snapshot.written}};
    write_machines(snapshot, root);
    root["partitions"] = list_json(snapshot.partitions, partition_json);
    root["allowances"] = list_json(snapshot.allowances, allowance_json);
    root["users"] = list_json(snapshot.users, user_json);
    root["reservations"] = list_json(snapshot.reservations, reservation_json);
    if (!snapshot.measured.empty()) {
        root["measured"] = list_json(snapshot.measured, measured_json);
    }
    // Names come from configuration files and need not be UTF-8.
    return root.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hora::report
