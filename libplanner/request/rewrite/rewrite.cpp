// Which fields of the request change, so that Slurm starts the plan?
#include "libplanner/request/rewrite/rewrite.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "libplanner/domain/mode_names.hpp"
#include "libplanner/request/rewrite/request_fields.hpp"
#include "libplanner/request/scope/features.hpp"

namespace hora::request {
namespace {

// The nodes of the scope that have a type, ascending.
std::vector<std::uint32_t> nodes_with(const std::string& type, const Scope& scope,
                                      const domain::Cluster& cluster) {
    std::vector<std::uint32_t> nodes;
    for (const domain::Gpu& gpu : cluster.gpus) {
        const bool is_known = !nodes.empty() && nodes.back() == gpu.node;
        if (!is_known && cluster.devices[gpu.device].name == type &&
            std::binary_search(scope.nodes.begin(), scope.nodes.end(), gpu.node)) {
            nodes.push_back(gpu.node);
        }
    }
    return nodes;
}

// Could Slurm give the job a type of GPU that is not in the plan?
bool has_other_types(const Shape& shape, const Scope& scope, const domain::Cluster& cluster) {
    std::vector<char> is_planned;
    is_planned.reserve(cluster.devices.size());
    for (const domain::Device& device : cluster.devices) {
        is_planned.push_back(
            std::any_of(shape.types.begin(), shape.types.end(),
                        [&](const PlannedType& type) { return type.name == device.name; }));
    }
    return std::any_of(cluster.gpus.begin(), cluster.gpus.end(), [&](const domain::Gpu& gpu) {
        return is_planned[gpu.device] == 0 &&
               std::binary_search(scope.nodes.begin(), scope.nodes.end(), gpu.node);
    });
}

// Has a node that the job may be given other types beside this one? No feature tells them apart.
bool is_beside_others(const std::string& type, const Scope& scope, const domain::Cluster& cluster) {
    const std::vector<std::uint32_t> nodes = nodes_with(type, scope, cluster);
    return std::any_of(nodes.begin(), nodes.end(), [&](std::uint32_t node) {
        const auto gpus = domain::gpus_of_node(cluster, node);
        return std::any_of(gpus.begin(), gpus.end(), [&](const domain::Gpu& gpu) {
            return cluster.devices[gpu.device].name != type;
        });
    });
}

// The constraint that holds Slurm to the planned types, "" where no features tell them apart.
std::string type_constraint(const Shape& shape, const Submission& submission, const Scope& scope,
                            const domain::Snapshot& snapshot) {
    std::string choice;
    std::string counted;
    for (const PlannedType& type : shape.types) {
        const std::string feature =
            feature_of(snapshot.states, nodes_with(type.name, scope, snapshot.cluster), scope.nodes,
                       type.name);
        if (feature.empty()) {
            return {};
        }
        choice += (choice.empty() ? "" : "|") + feature;
        counted += fmt::format("{}{}*{}", counted.empty() ? "" : "&", feature, type.nodes);
    }
    // So many nodes of each can only be said where the user said nothing.
    return shape.types.size() > 1 && submission.features.empty() && submission.prefer.empty()
               ? "[" + counted + "]"
               : choice;
}

// By -C, and by --prefer where the user said that: Slurm tries it in the place of the constraint
// first, not beside it. Changes nothing where one of them cannot take it.
bool constrain(Rewrite& rewrite, const std::string& constraint, const Submission& submission) {
    const auto features = both(submission.features, constraint);
    const auto prefer = features && !submission.prefer.empty() ? both(*features, submission.prefer)
                                                               : std::optional<std::string>();
    if (!features || (!submission.prefer.empty() && !prefer)) {
        return false;
    }
    rewrite.features = features;
    rewrite.prefer = prefer;
    return true;
}

void enforce_type(Rewrite& rewrite, std::string& gres_type, const Shape& shape,
                  const Submission& submission, const Scope& scope,
                  const domain::Snapshot& snapshot) {
    const bool is_mixed = shape.types.size() > 1;
    if (!gres_type.empty() || (!is_mixed && !has_other_types(shape, scope, snapshot.cluster))) {
        return;
    }
    const bool can_be_named = !is_mixed && !submission.gpus.is_shaped();
    if (can_be_named && is_beside_others(shape.types.front().name, scope, snapshot.cluster)) {
        gres_type = shape.types.front().name;
        return;
    }
    if (scope.is_fixed_to_nodes) {
        return;
    }
    const std::string constraint = type_constraint(shape, submission, scope, snapshot);
    if (constraint.empty() || !constrain(rewrite, constraint, submission)) {
        gres_type = is_mixed ? std::string() : shape.types.front().name;
    }
}

std::uint32_t cpus_of_client(std::uint32_t gpus, const Submission& submission) {
    return std::max(submission.min_cpus.value_or(1),
                    fitted(std::uint64_t{gpus} * submission.cpus_per_gpu.value_or(1)));
}

// The tasks of srun and salloc share GPUs that --hora-gpus says beyond one for each.
bool has_shared_gpus(const Shape& shape, const Submission& submission) {
    return !submission.is_batch && !submission.gpus.is_named() && shape.gpus > shape.tasks;
}

void ask_for_gpus(Rewrite& rewrite, const Shape& shape, const std::string& gres_type,
                  const Submission& submission, const SpellGpus& spell) {
    rewrite.min_nodes = shape.nodes;
    rewrite.max_nodes = shape.nodes;
    std::string tres = spell(gres_type, shape.gpus_per_node);
    if (!submission.other_tres_per_node.empty()) {
        tres += "," + submission.other_tres_per_node;
    }
    rewrite.tres_per_node = tres;
    // srun too needs it here: without it the nodes' CPUs, and so its tasks, are shared out
    // unevenly.
    const bool are_even = !submission.tasks || shape.tasks == shape.tasks_per_node * shape.nodes;
    // Beside more CPUs than such tasks have, 22.05 says that there is no such node.
    if (are_even && !has_shared_gpus(shape, submission)) {
        rewrite.ntasks_per_node = shape.tasks_per_node;
    }
    // One kind of request only: with two, Slurm has been seen to give twice as many.
    if (submission.gpus.per_job) {
        rewrite.tres_per_job = "";
    }
}

void keep_together(Rewrite& rewrite, const SocketRule& rule, const std::string& gres_type,
                   const SpellGpus& spell) {
    rewrite.tres_per_socket = spell(gres_type, rule.gpus_per_socket);
    rewrite.sockets_per_node = rule.sockets;
    // Without it Slurm takes the GPUs of two sockets where one has too few cores left.
    rewrite.cores_per_socket = rule.cores_per_socket;
}

void ask_for_tasks(Rewrite& rewrite, const Shape& shape, const Submission& submission) {
    rewrite.num_tasks = shape.tasks;
    const std::uint32_t cpus = submission.cpus_per_task.value_or(shape.cpus_per_task);
    if (cpus > 0) {
        rewrite.min_cpus = fitted(std::uint64_t{shape.tasks} * cpus);
    }
    if (!submission.cpus_per_task && shape.cpus_per_task > 0) {
        rewrite.cpus_per_task = shape.cpus_per_task;
    }
    // A launcher's CPUs change with its GPUs, and the environment of a job never does: the SPANK
    // plugin passes them to its script at each start.
    if (rewrite.cpus_per_task && !submission.is_launcher()) {
        const std::string value = std::to_string(shape.cpus_per_task);
        rewrite.set.emplace_back("SLURM_CPUS_PER_TASK", value);
        rewrite.set.emplace_back("SRUN_CPUS_PER_TASK", value);
    }
    rewrite.unset = clients_view();
}

void note(std::vector<domain::FieldChange>& changes, const NumberField& field,
          const Rewrite& rewrite, const Submission& submission) {
    const auto& after = rewrite.*field.after;
    const std::optional<std::uint32_t> before =
        field.before != nullptr ? submission.*field.before : std::nullopt;
    if (after && after != before) {
        changes.push_back({std::string(field.name),
                           before ? std::to_string(*before) : std::string(),
                           std::to_string(*after)});
    }
}

void note(std::vector<domain::FieldChange>& changes, const TextField& field, const Rewrite& rewrite,
          const Submission& submission) {
    const auto& after = rewrite.*field.after;
    const std::string before = field.before != nullptr ? submission.*field.before : std::string();
    if (after && *after != before) {
        changes.push_back({std::string(field.name), before, *after});
    }
}

}  // namespace

std::uint32_t fitted(std::uint64_t number) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(number, 0x7fffffff));
}

std::vector<std::string> clients_view() {
    return {"SLURM_NTASKS", "SLURM_NPROCS", "SLURM_NTASKS_PER_NODE"};
}

void ask_for_cpus_of_client(Rewrite& rewrite, std::uint32_t gpus, const Submission& submission) {
    rewrite.min_cpus = cpus_of_client(gpus, submission);
    if (submission.tasks_per_node && !submission.cpus_per_task && !submission.cpus_per_gpu) {
        rewrite.cpus_per_task = std::max(1U, *rewrite.min_cpus / submission.tasks.value_or(1));
    }
}

void tell_launch(Rewrite& rewrite, const Submission& submission) {
    if (submission.is_launcher()) {
        // As of the restarts that are allowed; the SPANK plugin takes it out.
        rewrite.set.emplace_back("SLURM_SPANK_HORA_LAUNCH", "node");
    }
}

std::vector<std::pair<std::string, std::string>> variables(const domain::Plan& plan,
                                                           const Shape& shape,
                                                           std::uint64_t batch) {
    std::vector<std::pair<std::string, std::string>> result{
        {"HORA_MODE", std::string(domain::name_of(plan.mode))},
        {"HORA_BATCH", std::to_string(batch)}};
    if (plan.exchange.sample_rate < 1) {
        result.emplace_back("HORA_SAMPLE_RATE", fmt::format("{}", plan.exchange.sample_rate));
    }
    // The other kinds are the library's own choice, which no program makes.
    if (plan.exchange.kind == domain::Exchange::hierarchy) {
        result.emplace_back("HORA_EXCHANGE", std::string(domain::name_of(plan.exchange.kind)));
    }
    if (plan.mode == domain::Mode::balanced) {
        std::string speeds;
        for (const PlannedType& type : shape.types) {
            speeds += fmt::format("{}{}:{:.4f}", speeds.empty() ? "" : ",", type.name, type.speed);
        }
        result.emplace_back("HORA_SPEEDS", speeds);
    }
    return result;
}

Rewrite rewrite_of(const domain::Plan& plan, const Shape& shape,
                   const std::optional<SocketRule>& rule, std::uint64_t batch,
                   const Submission& submission, const Scope& scope,
                   const domain::Snapshot& snapshot, const SpellGpus& spell) {
    Rewrite rewrite;
    std::string gres_type = submission.gpus.type;
    enforce_type(rewrite, gres_type, shape, submission, scope, snapshot);
    if (!submission.gpus.is_shaped()) {
        ask_for_gpus(rewrite, shape, gres_type, submission, spell);
        if (rule) {
            keep_together(rewrite, *rule, gres_type, spell);
        }
        if (submission.is_batch) {
            ask_for_tasks(rewrite, shape, submission);
        } else if (has_shared_gpus(shape, submission)) {
            ask_for_cpus_of_client(rewrite, shape.gpus, submission);
        }
    }
    rewrite.tell = variables(plan, shape, batch);
    if (submission.is_batch) {
        rewrite.set.insert(rewrite.set.end(), rewrite.tell.begin(), rewrite.tell.end());
    }
    tell_launch(rewrite, submission);
    return rewrite;
}

void leave_mode_open(Rewrite& rewrite) {
    std::erase_if(rewrite.set, [](const auto& variable) {
        return variable.first == "HORA_MODE" &&
               (variable.second == domain::name_of(domain::Mode::independent) ||
                variable.second == domain::name_of(domain::Mode::sync));
    });
}

void leave_batch_open(Rewrite& rewrite) {
    std::erase_if(rewrite.set, [](const auto& variable) { return variable.first == "HORA_BATCH"; });
}

std::vector<domain::FieldChange> changes_of(const Rewrite& rewrite, const Submission& submission) {
    std::vector<domain::FieldChange> changes;
    for (const RequestField& field : request_fields) {
        std::visit([&](const auto& one) { note(changes, one, rewrite, submission); }, field);
    }
    for (const std::string& name : rewrite.unset) {
        changes.push_back({"environment", name, ""});
    }
    for (const auto& [name, value] : rewrite.set) {
        changes.push_back({"environment", "", name + "=" + value});
    }
    return changes;
}

}  // namespace hora::request
