// Which free GPUs should a job get, in which mode, and what else was weighed?
#include "libplanner/plan/choose.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "libplanner/cost/exchange.hpp"
#include "libplanner/cost/memory.hpp"
#include "libplanner/cost/roofline.hpp"
#include "libplanner/cost/step.hpp"

namespace hora::plan {

namespace {

struct Priced {
    Seconds time;
    std::uint32_t gpu = 0;
};

struct Candidate {
    Seconds time;
    std::vector<std::uint32_t> gpus;
};

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    return a / b + (a % b != 0 ? 1 : 0);
}

class Search {
  public:
    Search(const domain::Request& request, const domain::Cluster& cluster)
        : request_(request), cluster_(cluster), members_(cluster.parts.size()) {
        for (std::uint32_t i = 0; i < cluster.gpus.size(); ++i) {
            if (!cluster.gpus[i].is_free) {
                continue;
            }
            for (std::uint32_t part = cluster.gpus[i].part; part != domain::no_part;
                 part = cluster.parts[part].parent) {
                members_[part].push_back(i);
            }
        }
    }

    std::optional<Candidate> best() {
        if (request_.min_gpus <= 1 &&
            request_.mode.value_or(domain::Mode::independent) == domain::Mode::independent) {
            for (const auto& all : members_) {
                consider(all, 1, domain::Link{});
            }
        }
        if (request_.mode.value_or(domain::Mode::sync) != domain::Mode::independent) {
            for (std::size_t part = 0; part < members_.size(); ++part) {
                const std::size_t most = std::min<std::size_t>(
                    {members_[part].size(), request_.max_gpus, request_.batch});
                for (std::size_t n = std::max(2U, request_.min_gpus); n <= most; ++n) {
                    consider(members_[part], n, cluster_.parts[part].link);
                }
            }
        }
        return best_;
    }

  private:
    Seconds price(std::uint32_t gpu, std::uint64_t share, Seconds exchange) {
        const std::uint32_t device = cluster_.gpus[gpu].device;
        auto at = steps_.find({device, share});
        if (at == steps_.end()) {
            at = steps_
                     .emplace(std::pair{device, share},
                              cost::Step(request_.workload, cluster_.devices[device], share,
                                         request_.cost))
                     .first;
        }
        const auto count = static_cast<double>(request_.steps().value_or(1));
        return at->second.time(exchange) * count +
               (request_.steps() ? cluster_.nodes[cluster_.gpus[gpu].node].overhead : Seconds(0));
    }

    void consider(const std::vector<std::uint32_t>& all, std::size_t n, const domain::Link& link) {
        const std::uint64_t share = ceil_div(request_.batch, n);
        const Seconds exchange = cost::exchange_time(
            request_.cost.exchange, cost::gradient_bytes(request_.workload), n, link);
        std::vector<Priced> priced;
        for (const std::uint32_t gpu : all) {
            const domain::Device& device = cluster_.devices[cluster_.gpus[gpu].device];
            if (cost::largest_share(request_.workload, device, request_.cost, share) == share) {
                priced.push_back({price(gpu, share, exchange), gpu});
            }
        }
        std::stable_sort(priced.begin(), priced.end(),
                         [](const Priced& a, const Priced& b) { return a.time < b.time; });
        if (request_.layout == domain::Layout::any) {
            take(priced, n);
            return;
        }
        for (std::size_t nodes = 1; nodes <= n; ++nodes) {
            if (n % nodes == 0 && nodes >= request_.min_nodes && nodes <= request_.max_nodes &&
                request_.gpus_per_node.value_or(static_cast<std::uint32_t>(n / nodes)) ==
                    n / nodes) {
                take(uniform(priced, nodes, n / nodes), n);
            }
        }
    }

    std::vector<Priced> uniform(const std::vector<Priced>& priced, std::size_t nodes,
                                std::size_t each) {
        std::map<std::uint32_t, std::vector<Priced>> by_node;
        std::vector<Priced> taken;
        for (const Priced& one : priced) {
            std::vector<Priced>& node = by_node[cluster_.gpus[one.gpu].node];
            if (node.size() < each && taken.size() < nodes * each) {
                node.push_back(one);
                if (node.size() == each) {
                    taken.insert(taken.end(), node.begin(), node.end());
                }
            }
        }
        return taken;
    }

    void take(const std::vector<Priced>& sorted, std::size_t n) {
        if (sorted.size() < n) {
            return;
        }
        Seconds time;
        for (std::size_t i = 0; i < n; ++i) {
            time = std::max(time, sorted[i].time);
        }
        if (best_ && (best_->time < time || (best_->time == time && best_->gpus.size() <= n))) {
            return;
        }
        best_ = Candidate{time, {}};
        for (std::size_t i = 0; i < n; ++i) {
            best_->gpus.push_back(sorted[i].gpu);
        }
        std::sort(best_->gpus.begin(), best_->gpus.end());
    }

    const domain::Request& request_;
    const domain::Cluster& cluster_;
    std::vector<std::vector<std::uint32_t>> members_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, cost::Step> steps_;
    std::optional<Candidate> best_;
};

std::uint32_t spanning_part(const domain::Cluster& cluster,
                            const std::vector<std::uint32_t>& gpus) {
    std::uint32_t common = cluster.gpus[gpus.front()].part;
    for (const std::uint32_t gpu : gpus) {
        std::uint32_t other = cluster.gpus[gpu].part;
        while (common != other) {
            (common > other ? common : other) = cluster.parts[std::max(common, other)].parent;
        }
    }
    return common;
}

}  // namespace

domain::Plan choose(const domain::Request& request, const domain::Cluster& cluster) {
    domain::Plan plan;
    const std::optional<Candidate> best = Search(request, cluster).best();
    if (!best) {
        plan.rejected.push_back({request.mode.value_or(domain::Mode::independent),
                                 request.min_gpus,
                                 "",
                                 {},
                                 "not enough free GPUs with enough memory"});
        return plan;
    }
    const std::size_t n = best->gpus.size();
    plan.mode = n == 1 ? domain::Mode::independent : domain::Mode::sync;
    plan.link = n == 1 ? domain::Link{} : cluster.parts[spanning_part(cluster, best->gpus)].link;
    for (std::size_t i = 0; i < n; ++i) {
        plan.members.push_back(
            {best->gpus[i], request.batch / n + (i < request.batch % n ? 1 : 0)});
    }
    const Seconds exchange = cost::exchange_time(
        request.cost.exchange, cost::gradient_bytes(request.workload), n, plan.link);
    for (const domain::Member& member : plan.members) {
        const std::uint32_t device = cluster.gpus[member.gpu].device;
        const cost::Step step(request.workload, cluster.devices[device], ceil_div(request.batch, n),
                              request.cost);
        if (step.time(exchange) > plan.step_seconds) {
            plan.step_seconds = step.time(exchange);
            plan.breakdown = {step.compute(), step.time(exchange) - step.compute(), Seconds(0)};
        }
        plan.breakdown.overhead = std::max(plan.breakdown.overhead,
                                           cluster.nodes[cluster.gpus[member.gpu].node].overhead);
        const auto same = [&](const domain::DeviceUse& use) { return use.device == device; };
        if (std::none_of(plan.devices.begin(), plan.devices.end(), same)) {
            const cost::Roofline roof = cost::roofline(request.workload, cluster.devices[device],
                                                       ceil_div(request.batch, n));
            plan.devices.push_back({device, roof.attainable, roof.bound});
        }
    }
    if (request.steps()) {
        plan.seconds = best->time;
    }
    return plan;
}

}  // namespace hora::plan
