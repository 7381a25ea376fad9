// Which variables differ from step to step, or from task to task?
#include "plugins/spank/variables/step_variables.hpp"

#include <algorithm>

#include "libplanner/domain/job_options.hpp"
#include "libplanner/plan/price/shares.hpp"
#include "libplanner/read/whole_number.hpp"
#include "plugins/spank/job/step_layout.hpp"
#include "plugins/spank/ring/visible_gpus.hpp"
#include "plugins/spank/variables/gpu_speeds.hpp"
#include "plugins/spank/variables/tf_config.hpp"

namespace hora::spank {
namespace {

constexpr read::WholeRange any_number{0, 0xffffffff};
constexpr read::WholeRange any_batch{1, 1'000'000'000};

std::uint32_t number(const Environment& environment, std::string_view name,
                     std::uint32_t otherwise) {
    const std::string* const text = environment.find(name);
    return text == nullptr ? otherwise
                           : static_cast<std::uint32_t>(
                                 read::parse_whole_number(*text, any_number).value_or(otherwise));
}

// A step over several components of a heterogeneous job goes by the first one's id in all of them;
// a step within one component by that one's, or two such steps would meet on one port.
StepName step_name(const Environment& environment, const TaskFacts& facts, std::uint32_t world) {
    const bool spans_components = world != facts.tasks;
    return {spans_components ? number(environment, "SLURM_JOB_ID", facts.job) : facts.job,
            number(environment, "SLURM_STEP_ID", 0)};
}

// Speeds by place, or empty.
std::vector<double> find_speeds(const StepLayout& layout, const JobRecord& record) {
    const auto speeds = read::read_speeds(record.speeds);
    return speeds ? task_speeds(layout, record.gpus, *speeds) : std::vector<double>();
}

// This task's share, or 0 where it cannot be told.
std::uint64_t share(const Environment& environment, std::string_view mode, const StepLayout& layout,
                    const std::vector<double>& speeds) {
    const std::string* const text = environment.find("HORA_BATCH");
    const auto batch =
        text == nullptr ? Expected<std::uint64_t>(0) : read::parse_whole_number(*text, any_batch);
    if (!batch || *batch == 0) {
        return 0;
    }
    const bool is_balanced = mode == "balanced" && !speeds.empty();
    const auto shares = is_balanced ? plan::proportional_shares(*batch, speeds)
                                    : plan::equal_shares(*batch, layout.world);
    return shares ? (*shares)[is_balanced ? layout.place() : layout.rank] : 0;
}

// P1 puts the parameter server on the strongest member: here the last task of the node whose tasks
// are the fastest together, so that the first keeps rank 0.
std::uint32_t server_place(const StepLayout& layout, const std::vector<double>& speeds) {
    double fastest = -1;
    std::uint32_t server = 0;
    std::uint32_t first = 0;
    for (const std::uint32_t tasks : layout.tasks_per_node) {
        double speed = 0;
        for (std::uint32_t task = first; task < first + tasks; ++task) {
            speed += speeds.empty() ? 1 : speeds[task];
        }
        first += tasks;
        if (tasks > 0 && speed > fastest) {
            fastest = speed;
            server = first - 1;
        }
    }
    return server;
}

// Ports that Slurm keeps free on all nodes of the step come before ours.
struct Ports {
    std::vector<std::uint16_t> reserved;
    PortRange range;
    StepName step;

    std::uint16_t master() const {
        return reserved.empty() ? master_port(range, step) : reserved.front();
    }
    // The first reserved port is rank 0's.
    std::uint16_t of_task(std::uint32_t local_rank) const {
        return local_rank + 1 < reserved.size() ? reserved[local_rank + 1]
                                                : task_port(range, step, local_rank);
    }
};

// One task a node, with several GPUs or by the owner's word. `gpus` is how many the task sees.
bool is_launcher(const StepLayout& layout, const JobRecord& record, std::uint32_t gpus) {
    const bool is_one_a_node =
        std::all_of(layout.tasks_per_node.begin(), layout.tasks_per_node.end(),
                    [](std::uint32_t tasks) { return tasks == 1; });
    const bool is_by_task = record.launch == domain::name_of(domain::Launch::task);
    const bool is_by_node = record.launch == domain::name_of(domain::Launch::node);
    return is_one_a_node && !is_by_task && (is_by_node || gpus > 1);
}

// A node's number is its place in the ring. A share of the batch is left out: the ranks, which find
// what the launcher does, would each take it for their own.
Variables launcher_variables(const StepLayout& layout, std::uint32_t gpus) {
    Variables variables{{"NNODES", std::to_string(layout.world)},
                        {"NODE_RANK", std::to_string(layout.rank)}};
    if (gpus > 0) {
        variables["NPROC_PER_NODE"] = std::to_string(gpus);
    }
    return variables;
}

Variables rank_variables(const StepLayout& layout) {
    return {{"RANK", std::to_string(layout.rank)},
            {"WORLD_SIZE", std::to_string(layout.world)},
            {"LOCAL_RANK", std::to_string(layout.local_rank)},
            {"LOCAL_WORLD_SIZE", std::to_string(layout.local_world)}};
}

}  // namespace

Variables batch_variables(const Environment& environment, const TaskFacts& facts,
                          const ComputeSettings& settings) {
    const StepName step{number(environment, "SLURM_JOB_ID", facts.job), batch_step};
    Variables variables;
    if (!facts.master.empty()) {
        variables["MASTER_ADDR"] = facts.master;
    }
    variables["MASTER_PORT"] = std::to_string(master_port(settings.ports, step));
    return variables;
}

Variables step_variables(const Environment& environment, const StepLayout& layout,
                         const JobRecord& record, const TaskFacts& facts,
                         const ComputeSettings& settings) {
    const Ports ports{read_reserved_ports(text_of(environment, "SLURM_STEP_RESV_PORTS")),
                      settings.ports, step_name(environment, facts, layout.world)};
    const std::uint32_t gpus = read_visible_gpus(environment, facts.is_batch).seen;
    const bool starts_ranks = is_launcher(layout, record, gpus);
    const bool are_several = layout.world > 1 || (starts_ranks && gpus > 1);
    const std::string* const planned = environment.find("HORA_MODE");
    const std::string mode = planned != nullptr ? *planned : are_several ? "sync" : "independent";
    Variables variables = starts_ranks ? launcher_variables(layout, gpus) : rank_variables(layout);
    variables["HORA_MODE"] = mode;
    variables["MASTER_PORT"] = std::to_string(ports.master());
    if (!facts.master.empty()) {
        variables["MASTER_ADDR"] = facts.master;
    }
    if (starts_ranks) {
        return variables;
    }
    const std::vector<double> speeds = find_speeds(layout, record);
    if (const std::uint64_t own = share(environment, mode, layout, speeds); own > 0) {
        variables["HORA_SHARE"] = std::to_string(own);
    }
    const auto server =
        mode == "async" ? std::optional(server_place(layout, speeds)) : std::nullopt;
    if (std::string config =
            tf_config(layout, server, [&](std::uint32_t task) { return ports.of_task(task); });
        !config.empty()) {
        variables["TF_CONFIG"] = std::move(config);
    }
    return variables;
}

}  // namespace hora::spank
