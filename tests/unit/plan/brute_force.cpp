// The optimum by trying every set of GPUs, straight from the cost functions and the definitions
// in plan/choose.hpp.
#include "tests/unit/plan/brute_force.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "libplanner/cost/exchange.hpp"
#include "libplanner/cost/memory.hpp"
#include "libplanner/cost/sampled_gradient.hpp"
#include "libplanner/cost/server.hpp"
#include "libplanner/cost/step.hpp"
#include "tests/unit/plan/gpu_sets.hpp"

namespace hora::tests {

namespace {

using domain::Mode;
using Set = std::vector<std::uint32_t>;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Entry {
    Cost cost{infinity, infinity};
    double updates = 0;  // async: what the other members send, more is better among equals
    std::size_t nodes = 0;
    bool is_uneven = false;
    double slowness = 0;  // of the slowest link inside the nodes, the less the better
    Set on{};             // uneven: the node of each GPU
    plan::Broken broken{};
    Set gpus;

    auto order() const {
        return std::tie(cost, updates, nodes, is_uneven, slowness, on, broken, gpus);
    }
};
using BySize = std::map<std::size_t, Entry>;

bool wants_fastest(const domain::Request& request) {
    return request.objective == domain::Objective::time && request.tolerance == 0;
}

double limit_of(const domain::Request& request, double fastest) {
    const bool is_for_time = request.objective == domain::Objective::time;
    return (1 + (is_for_time ? request.tolerance : request.slowdown)) * fastest;
}

class Trial {
  public:
    Trial(const domain::Request& request, const domain::Cluster& cluster, double rate)
        : request_(request),
          cluster_(cluster),
          rate_(rate),
          sent_(cost::sent_gradient(request.workload, request.batch, rate)),
          gradient_(sent_.total()) {}

    void run() {
        const Set free = free_gpus(cluster_);
        for (std::uint32_t mask = 1; mask < (1U << free.size()); ++mask) {
            Set set;
            for (std::size_t i = 0; i < free.size(); ++i) {
                if ((mask >> i & 1U) != 0) {
                    set.push_back(free[i]);
                }
            }
            try_set(set);
        }
        decide();
    }

    double fastest() const {
        double time = infinity;
        for (const Sized& one : left_) {
            time = std::min(time, one.entry.cost.first);
        }
        return time;
    }

    std::optional<Best> best_within(double limit) const {
        std::vector<Sized> within;
        std::ranges::copy_if(left_, std::back_inserter(within),
                             [&](const Sized& one) { return one.entry.cost.first <= limit; });
        if (within.empty()) {
            return std::nullopt;
        }
        const Sized& best =
            *std::ranges::min_element(within, {}, [&](const Sized& one) { return key(one); });
        return Best{best.mode, best.entry.cost, best.entry.gpus, rate_};
    }

  private:
    bool conforms(const Set& set, std::map<std::uint32_t, std::size_t>& nodes) const {
        for (const std::uint32_t gpu : set) {
            ++nodes[cluster_.gpus[gpu].node];
        }
        if (set.size() < request_.min_gpus || set.size() > request_.max_gpus ||
            set.size() > request_.batch ||
            !request_.sizes.allows(static_cast<std::uint32_t>(set.size()), 1)) {
            return false;
        }
        if (request_.layout == domain::Layout::any) {
            return true;
        }
        const std::size_t each = nodes.begin()->second;
        return is_even(nodes) && nodes.size() >= request_.min_nodes &&
               nodes.size() <= request_.max_nodes && request_.gpus_per_node.value_or(each) == each;
    }

    static bool is_even(const std::map<std::uint32_t, std::size_t>& nodes) {
        for (const auto& [node, count] : nodes) {
            if (count != nodes.begin()->second) {
                return false;
            }
        }
        return true;
    }

    // How near its GPUs are to each other inside the nodes, and what it leaves of their groups.
    void judge(Entry& entry) const {
        std::map<std::uint32_t, Set> nodes;
        for (const std::uint32_t gpu : entry.gpus) {
            nodes[cluster_.gpus[gpu].node].push_back(gpu);
            if (entry.is_uneven) {
                entry.on.push_back(cluster_.gpus[gpu].node);
            }
        }
        entry.slowness = -infinity;
        for (const auto& [node, gpus] : nodes) {
            if (gpus.size() > 1) {
                entry.slowness =
                    std::max(entry.slowness, -closeness_of(cluster_, gpus, nodes.size() == 1));
            }
        }
        entry.broken = broken_by(cluster_, entry.gpus);
    }

    bool holds(std::uint32_t gpu, std::uint64_t share) const {
        const domain::Device& device = device_of(gpu);
        return device.memory == Bytes(0) ||
               cost::memory_needed(request_.workload, share, request_.cost) <= device.memory;
    }
    const domain::Device& device_of(std::uint32_t gpu) const {
        return cluster_.devices[cluster_.gpus[gpu].device];
    }
    const cost::Step& step(std::uint32_t gpu, std::uint64_t share) {
        const std::pair key{cluster_.gpus[gpu].device, share};
        const auto at = steps_.find(key);
        if (at != steps_.end()) {
            return at->second;
        }
        const auto table = std::make_shared<const cost::StepTable>(
            request_.workload, device_of(gpu), request_.cost, sent_);
        return steps_.emplace(key, cost::Step(table, share)).first->second;
    }
    Cost cost_of(double step, double overhead) const {
        const auto steps = request_.steps();
        return steps ? Cost{step * static_cast<double>(*steps) + overhead, 0}
                     : Cost{step, overhead};
    }
    double overhead(std::uint32_t gpu) const {
        return cluster_.nodes[cluster_.gpus[gpu].node].overhead.count();
    }
    Cost member(std::uint32_t gpu, std::uint64_t share, Seconds exchange) {
        return holds(gpu, share) ? cost_of(step(gpu, share).time(exchange).count(), overhead(gpu))
                                 : Cost{infinity, infinity};
    }

    void try_set(const Set& set) {
        std::map<std::uint32_t, std::size_t> nodes;
        if (!conforms(set, nodes)) {
            return;
        }
        Entry entry{.nodes = nodes.size(), .is_uneven = !is_even(nodes), .gpus = set};
        judge(entry);
        if (set.size() == 1) {
            entry.cost = member(set[0], request_.batch, Seconds(0));
            keep(Mode::independent, entry);
            return;
        }
        const domain::Link link = link_of(cluster_, set);
        const auto time = [&](Bytes size) { return exchange_time(request_, cluster_, size, set); };
        const Seconds words = sent_.words > Bytes(0) ? time(sent_.words) : Seconds(0);
        const Seconds exchange = words + time(gradient_);
        const std::uint64_t share = (request_.batch + set.size() - 1) / set.size();
        entry.cost = {-1, -1};
        for (const std::uint32_t gpu : set) {
            entry.cost = std::max(entry.cost, member(gpu, share, exchange));
        }
        keep(Mode::sync, entry);
        // Of these the GPUs inside a node are only chosen once the set's nodes are (choose.hpp).
        entry.slowness = 0;
        entry.on.clear();
        entry.broken = {};
        entry.cost = balanced(set, exchange);
        keep(Mode::balanced, entry);
        asynchronous(entry, share, link);
        keep(Mode::async, entry);
    }

    // One sample after the other goes where it is ready first: optimal, as costs rise with shares.
    Cost balanced(const Set& set, Seconds exchange) {
        std::vector<std::uint64_t> shares(set.size(), 1);
        for (std::uint64_t given = set.size(); given < request_.batch; ++given) {
            std::size_t first = 0;
            Cost soonest{infinity, infinity};
            for (std::size_t i = 0; i < set.size(); ++i) {
                const Cost cost = member(set[i], shares[i] + 1, exchange);
                if (cost < soonest) {
                    soonest = cost;
                    first = i;
                }
            }
            ++shares[first];
        }
        Cost worst{-1, -1};
        for (std::size_t i = 0; i < set.size(); ++i) {
            worst = std::max(worst, member(set[i], shares[i], exchange));
        }
        return worst;
    }

    void asynchronous(Entry& entry, std::uint64_t share, const domain::Link& link) {
        std::map<std::pair<double, std::uint32_t>, std::uint64_t> speeds;
        double latest = 0;
        for (const std::uint32_t gpu : entry.gpus) {
            if (!holds(gpu, share)) {
                entry.cost = {infinity, infinity};
                return;
            }
            ++speeds[{step(gpu, share).compute().count(), cluster_.gpus[gpu].device}];
            latest = std::max(latest, overhead(gpu));
        }
        const Seconds exchange = cost::server_exchange(gradient_, 1, link);
        std::vector<cost::Workers> workers;
        for (const auto& [speed, count] : speeds) {
            workers.push_back({Seconds(speed.first), count});
            entry.updates -= static_cast<double>(count) / (speed.first + exchange.count());
        }
        const double rate = cost::asynchronous_rate(workers, share, gradient_, link);
        entry.cost = cost_of(static_cast<double>(request_.batch) / rate, latest);
    }

    void keep(Mode mode, const Entry& entry) {
        const bool is_wanted = request_.mode
                                   ? *request_.mode == mode
                                   : mode == Mode::independent || mode == Mode::sync ||
                                         (mode == Mode::balanced && request_.accepts_balanced) ||
                                         (mode == Mode::async && request_.accepts_async);
        if (!is_wanted || entry.cost.first == infinity) {
            return;
        }
        Entry& best = best_[mode][entry.gpus.size()];
        if (entry.order() < best.order()) {
            best = entry;
        }
    }

    struct Sized {
        Mode mode;
        Entry entry;
        double gpu_seconds() const {
            return static_cast<double>(entry.gpus.size()) * entry.cost.first;
        }
    };

    std::vector<Sized> allowed(Mode mode) {
        const BySize& sizes = best_[mode];
        if (sizes.empty()) {
            return {};
        }
        const bool has_one = !best_[Mode::independent].empty();
        const Entry& start =
            has_one ? best_[Mode::independent].begin()->second : sizes.begin()->second;
        std::vector<Sized> left;
        const auto first = static_cast<double>(start.gpus.size());
        double taken = first;
        double speed = first;
        for (const auto& [size, entry] : sizes) {
            const auto more = static_cast<double>(size) - taken;
            const double faster = first * start.cost.first / entry.cost.first - speed;
            if (more == 0 || request_.min_efficiency == 0 ||
                faster / more >= request_.min_efficiency) {
                left.push_back({mode, entry});
                taken += more;
                speed += faster;
            }
        }
        return left;
    }

    std::optional<Sized> best_of(const std::vector<Sized>& all) const {
        std::optional<Sized> best;
        double fastest = infinity;
        for (const Sized& one : all) {
            fastest = std::min(fastest, one.entry.cost.first);
        }
        for (const Sized& one : all) {
            if (one.entry.cost.first <= limit_of(request_, fastest) &&
                (!best || key(one) < key(*best))) {
                best = one;
            }
        }
        return best;
    }

    // The least is the best of those within the limit.
    std::tuple<double, Cost, std::size_t, std::size_t> key(const Sized& some) const {
        const bool are_units = request_.layout == domain::Layout::uniform;
        return {wants_fastest(request_) ? 0 : some.gpu_seconds(), some.entry.cost,
                some.entry.gpus.size(), are_units ? some.entry.nodes : 0};
    }

    double variation(const Entry& entry) {
        const std::uint64_t share = (request_.batch + entry.gpus.size() - 1) / entry.gpus.size();
        std::vector<double> rates;
        for (const std::uint32_t gpu : entry.gpus) {
            rates.push_back(1 / step(gpu, share).compute().count());
        }
        double mean = 0;
        for (const double rate : rates) {
            mean += rate / static_cast<double>(rates.size());
        }
        double variance = 0;
        for (const double rate : rates) {
            variance += (rate - mean) * (rate - mean) / static_cast<double>(rates.size());
        }
        return std::sqrt(variance) / mean;
    }

    void decide() {
        std::map<Mode, std::vector<Sized>> left;
        for (const Mode mode : {Mode::independent, Mode::sync, Mode::balanced, Mode::async}) {
            left[mode] = allowed(mode);
        }
        const auto sync = best_of(left[Mode::sync]);
        const auto async = best_of(left[Mode::async]);
        if (!request_.mode && sync && async) {
            const double limit = request_.async_threshold + 1e-9;
            const bool async_stays = variation(async->entry) > limit;
            if (async_stays && variation(sync->entry) > limit) {
                left[Mode::sync].clear();
            }
            if (!async_stays) {
                left[Mode::async].clear();
            }
        }
        for (const Mode mode : {Mode::independent, Mode::sync, Mode::balanced, Mode::async}) {
            left_.insert(left_.end(), left[mode].begin(), left[mode].end());
        }
    }

    const domain::Request& request_;
    const domain::Cluster& cluster_;
    double rate_;
    cost::SentGradient sent_;
    Bytes gradient_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, cost::Step> steps_;
    std::map<Mode, BySize> best_;
    std::vector<Sized> left_;  // by the rules of the request
};

}  // namespace

namespace {

double gpu_seconds(const Best& best) {
    return best.cost.first * static_cast<double>(best.gpus.size());
}

// The highest rate that has a set within the limit; for efficiency that has one which costs little
// more GPU-seconds than the cheapest.
std::optional<Best> try_all_rates(const domain::Request& request, const domain::Cluster& cluster) {
    std::vector<double> rates;
    for (const double rate : {1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01}) {
        if (rate >= request.min_sample_rate && rate <= request.max_sample_rate) {
            rates.push_back(rate);
        }
    }
    if (rates.empty()) {
        rates = {request.max_sample_rate};
    }
    if (!cost::can_sample(request.workload)) {
        rates = {1};
    }
    std::vector<Trial> trials;
    double fastest = infinity;
    for (const double rate : rates) {
        Trial& trial = trials.emplace_back(request, cluster, rate);
        trial.run();
        fastest = std::min(fastest, trial.fastest());
    }
    std::vector<Best> all;
    double least = infinity;
    for (const Trial& trial : trials) {
        if (const auto best = trial.best_within(limit_of(request, fastest))) {
            all.push_back(*best);
            least = std::min(least, gpu_seconds(*best));
        }
    }
    for (const Best& one : all) {
        if (request.objective == domain::Objective::time ||
            gpu_seconds(one) <= (1 + request.tolerance) * least) {
            return one;
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<Best> try_all_sets(const domain::Request& request, const domain::Cluster& cluster) {
    if (const auto best = try_all_rates(request, cluster)) {
        return best;
    }
    domain::Cluster roomier = cluster;
    for (domain::Device& device : roomier.devices) {
        device.memory = device.memory * (1 + cost::memory_error);
    }
    return try_all_rates(request, roomier);
}

}  // namespace hora::tests
