// What Hora knows of a job and has set in its environment, noted there for the job's later steps.
#include "plugins/spank/job/job_record.hpp"

#include <nlohmann/json.hpp>

namespace hora::spank {
namespace {

using nlohmann::json;

// A variable may hold at most 128 KiB (MAX_ARG_STRLEN); the note is far below it.
constexpr std::size_t longest_record = 100'000;

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
    if (!object.is_object() || object.value("version", json()) != 1) {
        return std::nullopt;
    }
    const auto part = [&object](const char* name) { return object.value(name, json()); };
    const json job = part("job");
    const json speeds = part("speeds");
    const json signal = object.value("signal", json(""));
    const json launch = object.value("launch", json(""));
    const json allreduce = object.value("allreduce", json(""));
    const json placed = object.value("placed", json(false));
    const json checkpoints = object.value("checkpoints", json(false));
    const json traced = object.value("traced", json(false));
    if (!job.is_number_unsigned() || !speeds.is_string() || !signal.is_string() ||
        !launch.is_string() || !allreduce.is_string() || !placed.is_boolean() ||
        !checkpoints.is_boolean() || !traced.is_boolean() || !part("gpus").is_object() ||
        !part("set").is_object() || !part("step").is_object()) {
        return std::nullopt;
    }
    const auto of_nodes = read_gpus(part("gpus"));
    const auto variables = read_set(part("set"));
    const auto of_step = read_set(part("step"));
    const auto told = read_told(object.value("told", json::array()));
    if (!of_nodes || !variables || !of_step || !told) {
        return std::nullopt;
    }
    return JobRecord{job.get<std::uint32_t>(),
                     speeds.get<std::string>(),
                     *of_nodes,
                     placed.get<bool>(),
                     checkpoints.get<bool>(),
                     traced.get<bool>(),
                     signal.get<std::string>(),
                     launch.get<std::string>(),
                     allreduce.get<std::string>(),
                     *told,
                     *variables,
                     *of_step};
}

}  // namespace hora::spank
