// What Hora knows of a job and has set in its environment, noted there for the job's later steps.
#include "plugins/spank/job/job_record.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace hora::spank {
namespace {

using nlohmann::json;

// A variable may hold at most 128 KiB (MAX_ARG_STRLEN); the note is far below it.
constexpr std::size_t longest_record = 100'000;

// Null where the key is missing. Never a copy: copying goes as deep as what the user has put there.
const json& part(const json& object, const char* name) {
    static const json nothing;
    const auto found = object.find(name);
    return found == object.end() ? nothing : *found;
}

// The first value where the key is missing, and nothing where it holds something else.
template <class Value>
std::optional<Value> read_part(const json& object, const char* name) {
    const auto found = object.find(name);
    if (found == object.end()) {
        return Value();
    }
    const auto* const value = found->get_ptr<
        const std::conditional_t<std::is_same_v<Value, bool>, json::boolean_t, json::string_t>*>();
    return value == nullptr ? std::nullopt : std::optional<Value>(*value);
}

std::optional<Variables> read_set(const json& object) {
    Variables variables;
    for (const auto& [name, value] : object.items()) {
        if (!value.is_string()) {
            return std::nullopt;
        }
        variables.emplace(name, value.get<std::string>());
    }
    return variables;
}

json to_json(const std::vector<NodeGpus>& gpus) {
    json object = json::object();
    for (const NodeGpus& node : gpus) {
        object[node.node] = node.types;
    }
    return object;
}

std::string dump(const json& object) {
    return object.dump(-1, ' ', true, json::error_handler_t::replace);
}

std::optional<std::vector<NodeGpus>> read_gpus(const json& object) {
    std::vector<NodeGpus> gpus;
    for (const auto& [node, types] : object.items()) {
        if (!types.is_array()) {
            return std::nullopt;
        }
        NodeGpus of_node{node, {}};
        for (const json& type : types) {
            if (!type.is_string()) {
                return std::nullopt;
            }
            of_node.types.push_back(type.get<std::string>());
        }
        gpus.push_back(std::move(of_node));
    }
    return gpus;
}

std::optional<std::set<std::string>> read_told(const json& list) {
    std::set<std::string> told;
    for (const json& what : list) {
        if (!what.is_string()) {
            return std::nullopt;
        }
        told.insert(what.get<std::string>());
    }
    return told;
}

}  // namespace

std::string to_text(const std::vector<NodeGpus>& gpus) {
    return dump(to_json(gpus));
}

std::optional<std::vector<NodeGpus>> read_node_gpus(std::string_view text) {
    const json object = text.size() > longest_record ? json() : json::parse(text, nullptr, false);
    return object.is_object() ? read_gpus(object) : std::nullopt;
}

std::string to_text(const JobRecord& record) {
    json object{{"version", 1},
                {"job", record.job},
                {"speeds", record.speeds},
                {"gpus", to_json(record.gpus)},
                {"set", record.set},
                {"step", record.step_set}};
    if (record.is_placed) {
        object["placed"] = true;
    }
    if (record.keeps_contract) {
        object["checkpoints"] = true;
    }
    if (record.is_traced) {
        object["traced"] = true;
    }
    if (!record.signal.empty()) {
        object["signal"] = record.signal;
    }
    if (!record.launch.empty()) {
        object["launch"] = record.launch;
    }
    if (!record.allreduce.empty()) {
        object["allreduce"] = record.allreduce;
    }
    if (!record.told.empty()) {
        object["told"] = record.told;
    }
    return dump(object);
}

std::optional<JobRecord> read_job_record(std::string_view text) {
    if (text.size() > longest_record) {
        return std::nullopt;
    }
    const json object = json::parse(text, nullptr, false);
    if (!object.is_object() || part(object, "version") != 1) {
        return std::nullopt;
    }
    const json& job = part(object, "job");
    const auto signal = read_part<std::string>(object, "signal");
    const auto launch = read_part<std::string>(object, "launch");
    const auto allreduce = read_part<std::string>(object, "allreduce");
    const auto placed = read_part<bool>(object, "placed");
    const auto checkpoints = read_part<bool>(object, "checkpoints");
    const auto traced = read_part<bool>(object, "traced");
    if (!job.is_number_unsigned() || job > std::numeric_limits<std::uint32_t>::max() ||
        !part(object, "speeds").is_string() || !signal || !launch || !allreduce || !placed ||
        !checkpoints || !traced || !part(object, "gpus").is_object() ||
        !part(object, "set").is_object() || !part(object, "step").is_object()) {
        return std::nullopt;
    }
    const auto of_nodes = read_gpus(part(object, "gpus"));
    const auto variables = read_set(part(object, "set"));
    const auto of_step = read_set(part(object, "step"));
    const auto told = read_told(part(object, "told"));
    if (!of_nodes || !variables || !of_step || !told) {
        return std::nullopt;
    }
    return JobRecord{job.get<std::uint32_t>(),
                     part(object, "speeds").get<std::string>(),
                     *of_nodes,
                     *placed,
                     *checkpoints,
                     *traced,
                     *signal,
                     *launch,
                     *allreduce,
                     *told,
                     *variables,
                     *of_step};
}

}  // namespace hora::spank
