// Which node has which ranks, so that the step's ring crosses few switches?
#include "plugins/spank/ring/host_order.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string_view>

#include "libplanner/read/slurm/hostlist.hpp"
#include "plugins/spank/job/step_layout.hpp"

namespace hora::spank {
namespace {

struct NodeOfJob {
    std::uint32_t cpus = 0;
    std::uint32_t tasks = 0;  // as the job was laid out; 0: not known
};

using Job = std::map<std::string, NodeOfJob, std::less<>>;

// The job's nodes in Slurm's order; empty where the variables are missing.
std::vector<std::string> nodes_of_job(const Environment& environment) {
    return read::expand_hostlist(text_of(environment, "SLURM_JOB_NODELIST"))
        .value_or(std::vector<std::string>());
}

Job read_job(const Environment& environment, const std::vector<std::string>& names) {
    const auto cpus = read_tasks_per_node(text_of(environment, "SLURM_JOB_CPUS_PER_NODE"));
    const auto tasks = read_tasks_per_node(text_of(environment, "SLURM_TASKS_PER_NODE"));
    Job job;
    if (!cpus || cpus->size() != names.size()) {
        return job;
    }
    const bool has_tasks = tasks && tasks->size() == names.size();
    for (std::size_t i = 0; i < names.size(); ++i) {
        job[names[i]] = {(*cpus)[i], has_tasks ? (*tasks)[i] : 0};
    }
    return job;
}

std::uint64_t tasks_of(const Job& job) {
    return std::accumulate(
        job.begin(), job.end(), std::uint64_t{0},
        [](std::uint64_t sum, const auto& node) { return sum + node.second.tasks; });
}

bool has_same_nodes(std::span<const std::string> ring, const Job& job) {
    const std::set<std::string_view> of_ring(ring.begin(), ring.end());
    return of_ring.size() == ring.size() && of_ring.size() == job.size() &&
           std::all_of(of_ring.begin(), of_ring.end(),
                       [&job](std::string_view name) { return job.contains(name); });
}

}  // namespace

std::optional<HostOrder> order_hosts(std::span<const std::string> ring, const StepRequest& request,
                                     const Environment& environment) {
    const std::vector<std::string> names = nodes_of_job(environment);
    const Job job = read_job(environment, names);
    const bool is_whole = !job.empty() && request.nodes == names.size();
    if (!is_whole || !has_same_nodes(ring, job) ||
        std::equal(ring.begin(), ring.end(), names.begin())) {
        return std::nullopt;
    }
    const bool is_jobs_own = request.tasks == tasks_of(job);
    if (!is_jobs_own && request.tasks != request.nodes) {
        return std::nullopt;
    }
    HostOrder order;
    for (const std::string& name : ring) {
        const NodeOfJob& node = job.find(name)->second;
        const std::uint32_t tasks = is_jobs_own ? node.tasks : 1;
        if (tasks == 0 || std::uint64_t{tasks} * request.cpus_per_task > node.cpus) {
            return std::nullopt;
        }
        order.nodes.push_back(name);
        order.tasks.push_back(tasks);
    }
    return order;
}

std::string host_file(const HostOrder& order) {
    std::string text;
    for (std::size_t i = 0; i < order.nodes.size(); ++i) {
        for (std::uint32_t task = 0; task < order.tasks[i]; ++task) {
            text += order.nodes[i] + '\n';
        }
    }
    return text;
}

}  // namespace hora::spank
