// What only slurmctld can tell of a job's nodes.
#include "plugins/spank/cluster_facts.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "libplanner/read/slurm/hostlist.hpp"
#include "plugins/slurm/collect/topology_message.hpp"
#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/messages.hpp"
#include "plugins/slurm/tres.hpp"
#include "plugins/spank/ring/node_ring.hpp"

namespace hora::spank {
namespace {

struct FreeLayout {
    void operator()(slurm_step_layout_t* layout) const { slurm_job_step_layout_free(layout); }
};

// Null where slurmctld does not answer.
slurm::JobRecords load_records(std::uint32_t job, std::uint16_t flags) {
    job_info_msg_t* answer = nullptr;
    const bool is_good = slurm::load_job(&answer, job, flags) == SLURM_SUCCESS;
    return slurm::JobRecords(is_good ? answer : nullptr);
}

}  // namespace

std::string address_of(const std::string& node) {
    node_info_msg_t* answer = nullptr;
    std::string name = node;
    if (slurm_load_node_single(&answer, name.data(), SHOW_ALL) != SLURM_SUCCESS) {
        return node;
    }
    const slurm::NodeList nodes(answer);
    const bool has_address =
        nodes != nullptr && nodes->record_count > 0 && nodes->node_array[0].node_addr != nullptr;
    return has_address ? nodes->node_array[0].node_addr : node;
}

std::vector<std::string> gpu_types(const char* gres) {
    const auto items = slurm::parse_tres(gres == nullptr ? "" : gres);
    if (!items) {
        return {};
    }
    std::vector<std::pair<std::uint32_t, std::string>> by_index;
    for (const slurm::Tres& item : *items) {
        if (item.name != "gpu") {
            continue;
        }
        for (std::size_t i = 0; i < std::min<std::uint64_t>(item.count, 1024); ++i) {
            by_index.emplace_back(i < item.indices.size() ? item.indices[i] : 0xffffffff,
                                  item.type);
        }
    }
    std::stable_sort(by_index.begin(), by_index.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> types;
    for (auto& [index, type] : by_index) {
        types.push_back(std::move(type));
    }
    return types;
}

std::vector<NodeGpus> gpus_of(std::uint32_t job) {
    const slurm::JobRecords jobs = load_records(job, SHOW_DETAIL);
    if (jobs == nullptr) {
        return {};
    }
    std::vector<NodeGpus> gpus;
    for (std::uint32_t i = 0; i < jobs->record_count; ++i) {
        const slurm_job_info_t& record = jobs->job_array[i];
        const auto nodes = read::expand_hostlist(record.nodes == nullptr ? "" : record.nodes);
        if (!nodes || nodes->size() != record.gres_detail_cnt) {
            continue;
        }
        for (std::size_t node = 0; node < nodes->size(); ++node) {
            gpus.push_back({(*nodes)[node], gpu_types(record.gres_detail_str[node])});
        }
    }
    return gpus;
}

bool has_nodes(std::uint32_t job, const std::vector<std::string>& nodes) {
    const slurm::JobRecords jobs = load_records(job, SHOW_ALL);
    if (jobs == nullptr) {
        return false;
    }
    std::set<std::string> of_job;
    for (std::uint32_t i = 0; i < jobs->record_count; ++i) {
        const char* const list = jobs->job_array[i].nodes;
        const auto names = read::expand_hostlist(list == nullptr ? "" : list);
        if (names) {
            of_job.insert(names->begin(), names->end());
        }
    }
    return std::all_of(nodes.begin(), nodes.end(),
                       [&of_job](const std::string& node) { return of_job.contains(node); });
}

std::vector<std::string> ring_of(const std::vector<std::string>& nodes) {
    const auto text = slurm::load_topology_text();
    const auto fabric = read::read_fabric(text.value_or(std::string()));
    return fabric ? ring_over(*fabric, nodes) : std::vector<std::string>();
}

std::vector<std::string> nodes_by_rank(std::uint32_t job, std::uint32_t step) {
    slurm_step_id_t id = slurm::JobName{job};
    id.step_id = step;
    const std::unique_ptr<slurm_step_layout_t, FreeLayout> layout(slurm_job_step_layout_get(&id));
    if (layout == nullptr || layout->node_list == nullptr) {
        return {};
    }
    const auto nodes = read::expand_hostlist(layout->node_list);
    if (!nodes || nodes->size() != layout->node_cnt) {
        return {};
    }
    std::vector<std::pair<std::uint32_t, std::string>> by_rank;
    for (std::uint32_t node = 0; node < layout->node_cnt; ++node) {
        if (layout->tasks[node] == 0) {
            return {};
        }
        const std::uint32_t* const ranks = layout->tids[node];
        by_rank.emplace_back(*std::min_element(ranks, ranks + layout->tasks[node]), (*nodes)[node]);
    }
    std::sort(by_rank.begin(), by_rank.end());
    std::vector<std::string> ordered;
    for (auto& [rank, name] : by_rank) {
        ordered.push_back(std::move(name));
    }
    return ordered;
}

}  // namespace hora::spank
