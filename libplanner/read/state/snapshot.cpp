// What does a snapshot file say of the cluster?
#include "libplanner/read/state/snapshot.hpp"

#include <fmt/format.h>

#include "libplanner/read/format/json_object.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/state/alike_nodes.hpp"
#include "libplanner/read/state/snapshot_cluster.hpp"

namespace hora::read {
namespace {

constexpr std::size_t max_partitions = 4096;
constexpr std::size_t max_allowances = std::size_t{1} << 20;
constexpr std::size_t max_users = std::size_t{1} << 20;
constexpr std::size_t max_associations = std::size_t{1} << 16;  // of one user
constexpr std::size_t max_reservations = std::size_t{1} << 16;
constexpr std::size_t max_measured = std::size_t{1} << 13;
// Of all lists of nodes together: "0-99999" is short in the file and long in memory.
constexpr std::size_t max_memberships = std::size_t{1} << 23;

std::optional<Seconds> read_seconds(JsonObject& item, const char* key) {
    const auto number = item.number_or_null(key, {0, 1e12});
    return number ? std::optional(Seconds(*number)) : std::nullopt;
}

domain::Partition read_partition(JsonObject item, std::size_t nodes) {
    domain::Partition partition;
    partition.name = item.text("name");
    partition.nodes = item.indices("nodes", nodes);
    partition.is_up = item.flag("up");
    partition.is_default = item.flag("default");
    partition.max_nodes = item.count_or_null("max_nodes");
    partition.max_time = read_seconds(item, "max_seconds");
    partition.max_cpus_per_node = item.count_or_null("max_cpus_per_node");
    partition.default_cpus_per_gpu = item.count_if_there("default_cpus_per_gpu");
    partition.qos = item.text("qos");
    partition.default_memory = {.per_gpu = item.count_if_there("default_mib_per_gpu"),
                                .per_cpu = item.count_if_there("default_mib_per_cpu"),
                                .per_node = item.count_if_there("default_mib_per_node")};
    item.finish();
    return partition;
}

domain::Caps read_caps(JsonObject item) {
    domain::Caps caps;
    caps.gpus = item.count_or_null("gpus");
    caps.nodes = item.count_or_null("nodes");
    caps.cpus = item.count_or_null("cpus");
    caps.memory = item.count_if_there("memory_mib");
    caps.billing = item.count_if_there("billing");
    item.finish();
    return caps;
}

domain::Allowance read_allowance(JsonObject item) {
    domain::Allowance allowance;
    allowance.qos = item.text("qos");
    allowance.account = item.text("account");
    allowance.user = item.text("user");
    allowance.partition = item.text("partition");
    allowance.per_job = read_caps(item.object("per_job"));
    allowance.per_node = read_caps(item.object("per_node"));
    allowance.per_user = read_caps(item.object("per_user"));
    allowance.per_account = read_caps(item.object("per_account"));
    allowance.left = read_caps(item.object("left"));
    allowance.max_time = read_seconds(item, "max_seconds");
    allowance.outweighs_partition = item.flag("outweighs_partition");
    item.finish();
    return allowance;
}

domain::DefaultQos read_default_qos(JsonObject item) {
    domain::DefaultQos found;
    found.account = item.text("account");
    found.partition = item.text("partition");
    found.qos = item.text("qos");
    item.finish();
    return found;
}

domain::User read_user(JsonObject item, JsonProblem& problem) {
    domain::User user;
    user.uid = static_cast<std::uint32_t>(item.whole("uid", 0xffffffff));
    user.name = item.text("name");
    user.default_account = item.text("account");
    user.default_qos = item.text("qos");
    if (item.has("other_qos")) {
        for (const auto& value : item.list("other_qos", max_associations)) {
            user.other_qos.push_back(
                read_default_qos(JsonObject(value, "other_qos", user.other_qos.size(), problem)));
        }
    }
    item.finish();
    return user;
}

domain::Reservation read_reservation(JsonObject item, std::size_t nodes) {
    domain::Reservation reservation;
    reservation.name = item.text("name");
    reservation.nodes = item.indices("nodes", nodes);
    reservation.starts = item.seconds_since_epoch("starts");
    reservation.ends = item.seconds_since_epoch("ends");
    item.finish();
    return reservation;
}

domain::MeasuredSpeed read_measured(JsonObject item, bool has_overhead, bool has_late) {
    constexpr std::uint64_t most = 0xffffffff;
    domain::MeasuredSpeed measured;
    measured.uid = item.count_or_null("uid");
    measured.model = item.text("model");
    measured.device = item.text("device");
    measured.gpus = static_cast<std::uint32_t>(item.whole("gpus", most));
    measured.nodes = static_cast<std::uint32_t>(item.whole("nodes", most));
    measured.exchange_share = item.number("exchange", {0, 1});
    measured.ratio = item.number("ratio", {1e-3, 1e3});
    measured.runs = static_cast<std::uint32_t>(item.whole("runs", most));
    measured.users = static_cast<std::uint32_t>(item.whole("users", most));
    if (has_overhead) {
        measured.overhead = Seconds(item.number("overhead", {0, 1e9}));
    }
    if (has_late) {
        measured.late = item.number("late", {0, 1});
    }
    item.finish();
    return measured;
}

void read_head(JsonObject& root, domain::Snapshot& snapshot) {
    if (root.text("format", 64) != "hora-snapshot") {
        root.reject("format", "is not \"hora-snapshot\"");
    }
    if (const std::uint64_t version = root.whole("version", 1000000); version != 1) {
        root.reject("version", fmt::format("is {}, this reads 1", version));
    }
    snapshot.cluster_name = root.text("cluster");
    snapshot.written = root.seconds_since_epoch("written");
}

// Each list of nodes counts against the bound of all.
template <class Item>
void count_memberships(JsonObject& root, const Item& item, std::size_t& memberships) {
    memberships += item.nodes.size();
    if (memberships > max_memberships) {
        root.reject("nodes", "are listed too often");
    }
}

void read_rules(JsonObject& root, JsonProblem& problem, domain::Snapshot& snapshot) {
    const std::size_t nodes = snapshot.cluster.nodes.size();
    std::size_t memberships = 0;
    for (const auto& value : root.list("partitions", max_partitions)) {
        snapshot.partitions.push_back(read_partition(
            JsonObject(value, "partitions", snapshot.partitions.size(), problem), nodes));
        count_memberships(root, snapshot.partitions.back(), memberships);
        if (problem.is_there()) {
            return;
        }
    }
    for (const auto& value : root.list("allowances", max_allowances)) {
        snapshot.allowances.push_back(
            read_allowance(JsonObject(value, "allowances", snapshot.allowances.size(), problem)));
    }
    for (const auto& value : root.list("users", max_users)) {
        snapshot.users.push_back(
            read_user(JsonObject(value, "users", snapshot.users.size(), problem), problem));
    }
    for (const auto& value : root.list("reservations", max_reservations)) {
        snapshot.reservations.push_back(read_reservation(
            JsonObject(value, "reservations", snapshot.reservations.size(), problem), nodes));
        count_memberships(root, snapshot.reservations.back(), memberships);
        if (problem.is_there()) {
            return;
        }
    }
}

// Left out where nothing was measured, and by those who wrote before there was any.
void read_all_measured(JsonObject& root, JsonProblem& problem, domain::Snapshot& snapshot) {
    for (const auto& value : root.list("measured", max_measured)) {
        snapshot.measured.push_back(
            read_measured(JsonObject(value, "measured", snapshot.measured.size(), problem),
                          value.is_object() && value.contains("overhead"),
                          value.is_object() && value.contains("late")));
    }
}

}  // namespace

Expected<domain::Snapshot> read_snapshot(std::string_view json) {
    const auto document =
        parse_object(json, max_snapshot_size, "write it anew with 'hora cluster snapshot'");
    if (!document) {
        return unexpected(document.error());
    }
    JsonProblem problem;
    JsonObject root(*document, "snapshot", JsonObject::only_one, problem);
    domain::Snapshot snapshot;
    read_head(root, snapshot);
    if (!problem.is_there()) {
        read_machines(root, problem, snapshot);
    }
    if (!problem.is_there()) {
        read_rules(root, problem, snapshot);
    }
    if (!problem.is_there() && document->contains("measured")) {
        read_all_measured(root, problem, snapshot);
    }
    root.finish();
    if (problem.is_there()) {
        return unexpected(problem.error());
    }
    snapshot.alike = alike_nodes(snapshot.cluster);
    return snapshot;
}

SnapshotAge judge_age(Seconds age, Seconds most) {
    if (age > most) {
        return SnapshotAge::too_old;
    }
    return Seconds(0) - age > most ? SnapshotAge::ahead : SnapshotAge::usable;
}

Seconds age_of(const domain::Snapshot& snapshot, std::int64_t now) {
    return Seconds(static_cast<double>(now) - static_cast<double>(snapshot.written));
}

}  // namespace hora::read
