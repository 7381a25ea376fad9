// Does the request keep the GPUs of each node together, and what does that ensure?
#include "libplanner/request/rewrite/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace hora::request {
namespace {

using domain::PartKind;
using domain::Promise;

// What the job asks of each of its nodes.
struct CpusOfNode {
    std::uint32_t tasks = 1;
    std::uint32_t of_task = 1;
    std::uint32_t least = 1;  // whatever the tasks have
    bool is_chosen = false;   // by Hora, and so may be lowered

    std::uint32_t all() const { return std::max(tasks * of_task, least); }
};

CpusOfNode cpus_of_node(const Shape& shape, const Submission& submission) {
    const std::uint32_t nodes = std::max(1U, shape.nodes);
    const std::uint32_t own = submission.is_batch ? shape.cpus_per_task : 0;
    const std::uint32_t least = (submission.min_cpus.value_or(1) + nodes - 1) / nodes;
    const std::uint32_t by_gpu = submission.cpus_per_gpu.value_or(0) * shape.gpus_per_node;
    return {.tasks = std::max({1U, shape.tasks_per_node, (shape.tasks + nodes - 1) / nodes}),
            .of_task = std::max(1U, submission.cpus_per_task.value_or(own)),
            .least = std::max(least, by_gpu),
            .is_chosen = own > 0 && !submission.cpus_per_task};
}

class Placer {
  public:
    Placer(const domain::Plan& plan, const Shape& shape, const Submission& submission,
           const Scope& scope, const domain::Snapshot& snapshot)
        : shape_(shape),
          scope_(scope),
          snapshot_(snapshot),
          type_(shape.types.size() == 1 ? shape.types.front().name : std::string()),
          gpus_(shape.gpus_per_node),
          cpus_(cpus_of_node(shape, submission)) {
        for (const domain::Member& member : plan.members) {
            planned_.push_back(snapshot.cluster.gpus[member.gpu].node);
        }
        std::sort(planned_.begin(), planned_.end());
        planned_.erase(std::unique(planned_.begin(), planned_.end()), planned_.end());
    }

    Placing on_planned_nodes() const {
        std::vector<NodeSockets> planned;
        for (const std::uint32_t node : planned_) {
            planned.push_back(sockets_of(node, type_, snapshot_));
        }
        // CPUs that fit beside the GPUs there fit on the other nodes as well.
        const NodeSockets& smallest =
            *std::ranges::min_element(planned, {}, &NodeSockets::cores_per_socket);
        if (!is_worth_it(smallest)) {
            return {};
        }
        const auto rule = rule_on(smallest);
        if (!rule) {
            return preferred(why_unspeakable(smallest));
        }
        for (const NodeSockets& sockets : planned) {
            if (!is_worth_it(sockets) || !is_satisfiable(*rule, sockets)) {
                return preferred("the planned nodes are built differently");
            }
        }
        return enforced(*rule, smallest);
    }

    // For a job that would rather wait: any rule that enough nodes can satisfy once they are idle.
    Placing on_other_nodes() const {
        std::vector<SocketRule> tried;
        for (const std::uint32_t node : scope_.nodes) {
            const NodeSockets sockets = sockets_of(node, type_, snapshot_);
            const auto rule = is_worth_it(sockets) ? rule_on(sockets) : std::nullopt;
            if (!rule || std::find(tried.begin(), tried.end(), *rule) != tried.end()) {
                continue;
            }
            tried.push_back(*rule);
            if (count(*rule, is_satisfiable) >= shape_.nodes) {
                return enforced(*rule, sockets);
            }
        }
        return {};
    }

  private:
    Bandwidth bandwidth(std::uint32_t part) const {
        return snapshot_.cluster.parts[part].link.bandwidth;
    }

    // CPUs that Hora chose give way to the locality of the GPUs.
    std::optional<SocketRule> rule_on(const NodeSockets& node) const {
        const auto rule = rule_for(gpus_, cpus_.all(), node);
        if (rule || !cpus_.is_chosen) {
            return rule;
        }
        const auto fewest = rule_for(gpus_, std::max(cpus_.tasks, cpus_.least), node);
        return fewest ? rule_for(gpus_, cpus_beside(*fewest, node).all(), node) : std::nullopt;
    }

    CpusOfNode cpus_beside(const SocketRule& rule, const NodeSockets& node) const {
        CpusOfNode cpus = cpus_;
        const std::uint32_t most =
            rule.sockets * node.cores_per_socket * node.threads_per_core / cpus.tasks;
        if (cpus.is_chosen && most < cpus.of_task) {
            cpus.of_task = std::max(1U, whole_cores(most, node.threads_per_core));
        }
        return cpus;
    }

    // Are there sockets to choose from, and are the GPUs of one nearer to each other? The figures
    // may say the same of both, unless measured: GPUs that share a switch still share no link
    // with others.
    bool is_worth_it(const NodeSockets& node) const {
        std::uint32_t all = 0;
        std::uint32_t smallest = gpus_;
        for (const GpuSocket& socket : node.sockets) {
            if (node.part == socket.part) {
                return false;
            }
            all += socket.gpus;
            smallest = std::min(smallest, socket.gpus);
        }
        return gpus_ > 1 && gpus_ + smallest <= all;
    }

    using Test = bool (*)(const SocketRule&, const NodeSockets&);

    // The nodes of the scope that pass, up to the number that is needed.
    std::size_t count(const SocketRule& rule, Test passes) const {
        std::size_t count = 0;
        NodeSockets sockets;
        for (std::size_t i = 0; i < scope_.nodes.size() && count < shape_.nodes; ++i) {
            read_sockets(scope_.nodes[i], type_, snapshot_, sockets);
            count += passes(rule, sockets) && is_worth_it(sockets) ? 1 : 0;
        }
        return count;
    }

    // Slurm takes any node that satisfies the rule by its own counting: are they all good?
    bool is_certain(const SocketRule& rule, const NodeSockets& model) const {
        const Bandwidth wanted = bandwidth_inside(rule, model, snapshot_.cluster);
        std::optional<std::uint32_t> last;
        for (const std::uint32_t node : scope_.nodes) {
            if (last && is_like(node, *last)) {
                continue;
            }
            if (has_type(node) && !is_good(node, rule, wanted)) {
                return false;
            }
            last = node;
        }
        return true;
    }

    bool is_like(std::uint32_t node, std::uint32_t other) const {
        const auto& alike = snapshot_.alike;
        const domain::NodeState& own = snapshot_.states[node];
        const domain::NodeState& its = snapshot_.states[other];
        return !alike.empty() && alike[node] == alike[other] &&
               own.gpu_sockets == its.gpu_sockets && own.cores_per_socket == its.cores_per_socket;
    }

    bool has_type(std::uint32_t node) const {
        const domain::Cluster& cluster = snapshot_.cluster;
        std::uint32_t count = 0;
        for (const domain::Gpu& gpu : domain::gpus_of_node(cluster, node)) {
            count += type_.empty() || cluster.devices[gpu.device].name == type_ ? 1 : 0;
        }
        return count >= gpus_;
    }

    bool is_good(std::uint32_t node, const SocketRule& rule, Bandwidth wanted) const {
        const NodeSockets sockets = sockets_of(node, type_, snapshot_);
        if (sockets.sockets.empty()) {
            return false;  // Slurm's own counting is not known
        }
        if (wanted < bandwidth(sockets.part)) {
            return true;  // there any set of GPUs is better
        }
        const bool has_larger =
            std::any_of(sockets.sockets.begin(), sockets.sockets.end(),
                        [&](const GpuSocket& one) { return one.gpus > rule.gpus_per_socket; });
        if (rule.sockets > 1 && has_larger) {
            return false;  // there Slurm takes three from one socket and one from another
        }
        return !is_satisfiable(rule, sockets) || is_worth_it(sockets);
    }

    std::string place_of(const SocketRule& rule, const NodeSockets& model) const {
        const PartKind kind = snapshot_.cluster.parts[model.sockets.front().part].kind;
        const char* const name = kind == PartKind::pcie_switch ? "switch" : "socket";
        const char* const plural = kind == PartKind::pcie_switch ? "switches" : "sockets";
        const std::string whose = shape_.nodes == 1 ? "its" : "each node's";
        return rule.sockets == 1 ? fmt::format("{} {} GPUs on one {}", whose, gpus_, name)
                                 : fmt::format("{} {} GPUs on {} {}, all of each", whose, gpus_,
                                               rule.sockets, plural);
    }

    std::string why_unspeakable(const NodeSockets& node) const {
        if (rule_for(gpus_, 1, node)) {
            return fmt::format("{} CPUs do not fit beside {} GPUs under one PCIe switch",
                               cpus_.all(), gpus_);
        }
        return fmt::format("Slurm has no request for {} GPUs of a node on the fewest switches",
                           gpus_);
    }

    static Placing preferred(std::string why) {
        Placing placing;
        placing.placement.promise = Promise::preferred;
        placing.placement.what = std::move(why);
        return placing;
    }

    Placing enforced(const SocketRule& rule, const NodeSockets& model) const {
        Placing placing;
        placing.rule = rule;
        const CpusOfNode cpus = cpus_beside(rule, model);
        if (cpus.of_task < cpus_.of_task) {
            placing.cpus_per_task = cpus.of_task;
        }
        domain::Placement& placement = placing.placement;
        const bool certain = is_certain(rule, model);
        placement.promise = certain ? Promise::guaranteed : Promise::preferred;
        placement.what = place_of(rule, model);
        if (!certain) {
            placement.what += ", but the partition has nodes where Slurm cannot tell";
        }
        placement.is_enforced = true;
        placement.is_free = count(rule, is_free) >= shape_.nodes;
        return placing;
    }

    const Shape& shape_;
    const Scope& scope_;
    const domain::Snapshot& snapshot_;
    const std::string type_;
    const std::uint32_t gpus_;
    const CpusOfNode cpus_;
    std::vector<std::uint32_t> planned_;
};

}  // namespace

Placing placing_of(const domain::Plan& plan, const Shape& shape, const Submission& submission,
                   const Scope& scope, const domain::Snapshot& snapshot, WaitRule wait_rule) {
    const bool is_left_alone = submission.gpus.is_shaped() || submission.has_own_layout ||
                               submission.is_exclusive || wait_rule.wait == Seconds(0);
    if (is_left_alone || plan.members.empty()) {
        return {};
    }
    const Placer placer(plan, shape, submission, scope, snapshot);
    Placing placing = placer.on_planned_nodes();
    if (!placing.rule && wait_rule.is_owners) {
        if (Placing elsewhere = placer.on_other_nodes(); elsewhere.rule) {
            placing = std::move(elsewhere);
        }
    }
    if (placing.rule && !placing.placement.is_free && !wait_rule.is_owners) {
        placing = {};
        placing.placement.promise = Promise::preferred;
        placing.placement.what =
            "no such GPUs are free together; --hora-wait=TIME would wait for them";
    }
    placing.placement.wait = placing.rule ? wait_rule.wait : Seconds(0);
    return placing;
}

}  // namespace hora::request
