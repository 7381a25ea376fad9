// What Hora knows of a job and has set in its environment, noted there for the job's later steps.
#include "plugins/spank/job_record.hpp"

#include <nlohmann/json.hpp>

namespace hora::spank {
namespace {

using nlohmann::json;

// A variable may hold at most 128 KiB (MAX_ARG_STRLEN); the note is far below it.
constexpr std::size_t longest_record = 100'000;
constexpr std::size_t longest_ring = 32'000;

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

std::optional<std::vector<NodeGpus>> read_gpus(const json& object) {
    std::vector<NodeGpus> gpus;
    for (const auto& [node, types] : object.items()) {
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

}  // namespace

std::string to_text(const JobRecord& record) {
    json gpus = json::object();
    for (const NodeGpus& node : record.gpus) {
        gpus[node.node] = node.types;
    }
    json object{{"version", 1}, {"job", record.job}, {"speeds", record.speeds},
                {"gpus", gpus}, {"set", record.set}, {"step", record.step_set}};
    if (!record.ring.empty() && record.ring.size() <= longest_ring) {
        object["ring"] = record.ring;
    }
    return object.dump(-1, ' ', true, json::error_handler_t::replace);
}

std::optional<JobRecord> read_job_record(std::string_view text) {
    if (text.size() > longest_record) {
        return std::nullopt;
    }
    const json object = json::parse(text, nullptr, false);
    if (!object.is_object() || object.value("version", json()) != 1) {
        return std::nullopt;
    }
    const json job = object.value("job", json());
    const json speeds = object.value("speeds", json());
    const json gpus = object.value("gpus", json());
    const json set = object.value("set", json());
    const json step = object.value("step", json());
    const json ring = object.value("ring", json(""));
    if (!job.is_number_unsigned() || !speeds.is_string() || !gpus.is_object() || !set.is_object() ||
        !step.is_object() || !ring.is_string()) {
        return std::nullopt;
    }
    const auto of_nodes = read_gpus(gpus);
    const auto variables = read_set(set);
    const auto of_step = read_set(step);
    if (!of_nodes || !variables || !of_step) {
        return std::nullopt;
    }
    return JobRecord{job.get<std::uint32_t>(),
                     speeds.get<std::string>(),
                     *of_nodes,
                     ring.get<std::string>(),
                     *variables,
                     *of_step};
}

}  // namespace hora::spank
