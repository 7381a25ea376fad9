// How is a resize written down?
#include "scripts/horad/journal/resize_json.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "libplanner/read/settings/job_options.hpp"

namespace hora::horad {
namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t most = 0xffffffffU;
// More than the GPUs of any cluster. Texts have no bound: what Slurm said was written as it was.
constexpr std::size_t most_sizes = std::size_t{1} << 20;

// In the same order.
constexpr std::string_view earlier_state_names[] = {"asked", "signalled", "sizing", "releasing",
                                                    "running"};
static_assert(std::size(earlier_state_names) == std::size(resize_state_names));

ResizeState read_state(read::JsonObject& object) {
    const std::string name = object.text("state");
    for (const auto& names : {std::span(resize_state_names), std::span(earlier_state_names)}) {
        if (const auto found = std::find(names.begin(), names.end(), name); found != names.end()) {
            return static_cast<ResizeState>(found - names.begin());
        }
    }
    object.reject("state", "is no state of a resize");
    return ResizeState::queued;
}

domain::CheckpointSignal read_signal(read::JsonObject& object) {
    const std::string name = object.text("signal");
    const auto* const found = std::find(std::begin(domain::checkpoint_signal_names),
                                        std::end(domain::checkpoint_signal_names), name);
    if (found == std::end(domain::checkpoint_signal_names)) {
        object.reject("signal", "is no signal that asks for a checkpoint");
        return domain::CheckpointSignal::usr1;
    }
    return static_cast<domain::CheckpointSignal>(found -
                                                 std::begin(domain::checkpoint_signal_names));
}

std::vector<std::uint32_t> read_sizes(read::JsonObject& object, read::JsonProblem& problem) {
    std::vector<std::uint32_t> sizes;
    for (const auto& size : object.list("sizes", most_sizes)) {
        if (!size.is_number_unsigned() || size > most) {
            problem.report("\"sizes\" of an entry holds something else than numbers");
            return {};
        }
        sizes.push_back(size);
    }
    return sizes;
}

}  // namespace

ordered_json to_json(const slurm::JobShape& shape) {
    return {{"nodes", shape.nodes},
            {"tasks", shape.tasks},
            {"tasks_per_node", shape.tasks_per_node},
            {"cpus", shape.cpus},
            {"cpus_per_task", shape.cpus_per_task},
            {"tres_per_node", shape.tres_per_node},
            {"tres_per_socket", shape.tres_per_socket},
            {"sockets_per_node", shape.sockets_per_node},
            {"cores_per_socket", shape.cores_per_socket}};
}

slurm::JobShape read_shape(read::JsonObject object) {
    slurm::JobShape shape;
    shape.nodes = object.count("nodes");
    shape.tasks = object.count("tasks");
    shape.tasks_per_node = object.count("tasks_per_node");
    shape.cpus = object.count("cpus");
    if (object.has("cpus_per_task")) {  // earlier daemons did not write it
        shape.cpus_per_task = object.count("cpus_per_task");
    }
    shape.tres_per_node = object.long_text("tres_per_node");
    shape.tres_per_socket = object.long_text("tres_per_socket");
    shape.sockets_per_node = object.count("sockets_per_node");
    shape.cores_per_socket = object.count("cores_per_socket");
    object.finish();
    return shape;
}

ordered_json to_json(const ResizeEntry& entry) {
    const Resize& resize = entry.resize;
    return {{"number", entry.number},
            {"state", name_of(entry.state)},
            {"job", resize.job},
            {"restarts", resize.restarts},
            {"uid", entry.uid},
            {"submitted", entry.submitted},
            {"where", entry.where},
            {"reserves_nodes", entry.reserves_nodes},
            {"from", resize.from},
            {"to", resize.to},
            {"min", resize.min},
            {"sizes", resize.sizes},
            {"why", resize.why},
            {"was_pending", entry.was_pending},
            {"was", to_json(entry.was)},
            {"wanted", to_json(entry.wanted)},
            {"wanted_before", to_json(entry.wanted_before)},
            {"requeued_restarts", entry.restarts},
            {"max_nodes", entry.max_nodes},
            {"rest_of_request", entry.rest_of_request},
            {"priority", entry.priority},
            {"raised", entry.raised},
            {"tries", entry.tries},
            {"waits_until", entry.waits_until},
            {"begins", entry.begins},
            {"latest", entry.latest},
            {"controller", entry.controller},
            {"returned_for", entry.returned_for},
            {"has_fallen_back", entry.has_fallen_back},
            {"lowers_limit", resize.limit.is_lowered},
            {"limit_requested", resize.limit.stated_for},
            {"longest_limit", resize.limit.longest.count()},
            {"manual", resize.is_manual},
            {"signal", domain::name_of(resize.signal)},
            {"began", entry.began},
            {"limit", entry.limit.count()},
            {"own_limit", entry.own_limit.count()},
            {"rest_of_limit", entry.rest_of_limit.count()},
            {"next_limit", entry.next_limit.count()},
            {"batch", resize.batch},
            {"batch_was", entry.batch_was},
            {"next_batch", entry.next_batch},
            {"asked", entry.asked},
            {"ready", entry.ready},
            {"runs", entry.runs}};
}

ResizeEntry read_entry(read::JsonObject object, read::JsonProblem& problem) {
    ResizeEntry entry;
    entry.number = object.whole("number", std::uint64_t{1} << 53);
    entry.state = read_state(object);
    entry.resize.job = object.count("job");
    entry.resize.restarts = object.count("restarts");
    entry.uid = object.count("uid");
    entry.submitted = object.seconds_since_epoch("submitted");
    entry.resize.from = object.count("from");
    entry.resize.to = object.count("to");
    entry.resize.min = object.count("min");
    entry.resize.sizes = read_sizes(object, problem);
    entry.resize.why = object.long_text("why");
    entry.was_pending = object.flag("was_pending");
    entry.was = read_shape(object.object("was"));
    entry.wanted = read_shape(object.object("wanted"));
    entry.priority = object.count("priority");
    if (object.has("raised")) {
        entry.wanted_before = read_shape(object.object("wanted_before"));
        entry.restarts = object.count("requeued_restarts");
        entry.max_nodes = object.count("max_nodes");
        entry.rest_of_request = object.long_text("rest_of_request");
        entry.raised = object.count("raised");
    } else if (entry.priority != 0 && !entry.was_pending) {
        entry.raised = slurm::top_priority;  // what earlier daemons gave
        entry.restarts = entry.resize.restarts + 1;
    }
    entry.tries = object.count("tries");
    entry.waits_until = object.seconds_since_epoch("waits_until");
    entry.begins = object.seconds_since_epoch("begins");
    entry.latest = object.seconds_since_epoch("latest");
    entry.has_fallen_back = object.flag("has_fallen_back");
    // Earlier daemons did not write these.
    if (object.has("lowers_limit")) {
        entry.resize.limit.is_lowered = object.flag("lowers_limit");
        entry.began = object.seconds_since_epoch("began");
        entry.limit = Seconds(object.number("limit"));
        entry.next_limit = Seconds(object.number("next_limit"));
    }
    if (object.has("own_limit")) {
        entry.resize.limit.stated_for = object.count("limit_requested");
        entry.resize.limit.longest = Seconds(object.number("longest_limit"));
        entry.own_limit = Seconds(object.number("own_limit"));
        entry.rest_of_limit = Seconds(object.number("rest_of_limit"));
    }
    if (object.has("returned_for")) {
        entry.returned_for = object.long_text("returned_for");
    }
    if (object.has("manual")) {
        entry.resize.is_manual = object.flag("manual");
        entry.controller = object.seconds_since_epoch("controller");
    }
    if (object.has("signal")) {
        entry.resize.signal = read_signal(object);
    }
    if (object.has("where")) {
        entry.where = object.long_text("where");
    }
    if (object.has("reserves_nodes")) {
        entry.reserves_nodes = object.flag("reserves_nodes");
    }
    if (object.has("batch")) {
        entry.resize.batch = object.whole("batch", read::batch_range.max);
        entry.batch_was = object.whole("batch_was", read::batch_range.max);
        entry.next_batch = object.whole("next_batch", read::batch_range.max);
    }
    entry.asked = object.number("asked");
    entry.ready = object.number("ready");
    entry.runs = object.number("runs");
    object.finish();
    return entry;
}

}  // namespace hora::horad
