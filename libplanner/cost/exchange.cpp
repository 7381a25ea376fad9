// How long do n members take to sum their gradients over a link?
#include "libplanner/cost/exchange.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace hora::cost {

namespace {

// A dead link (bandwidth 0) is as good as endless; finite, so that sums with it stay numbers.
constexpr Seconds endless(1e30);

Seconds transfer(double size, const domain::Link& link) {
    return link.bandwidth > Bandwidth(0) ? std::min(Bytes(size) / link.bandwidth, endless)
                                         : endless;
}

}  // namespace

Bytes gradient_bytes(const domain::Workload& workload) {
    double total = 0;
    for (const domain::LayerCost& layer : workload.layers) {
        total += static_cast<double>(layer.weight_bytes);
    }
    return Bytes(total);
}

// P4: 2 (n - 1) K / (n B), and a message's latency for each of the 2 (n - 1) rounds (P3).
Seconds ring_exchange(Bytes size, std::uint64_t members, const domain::Link& link) {
    if (members < 2) {
        return Seconds(0);
    }
    const auto n = static_cast<double>(members);
    return transfer(2 * size.count(), link) * ((n - 1) / n) + 2 * (n - 1) * link.latency;
}

// Up and down ceil(log2 n) levels.
Seconds tree_exchange(Bytes size, const Members& members) {
    if (members.count < 2) {
        return Seconds(0);
    }
    const auto levels = static_cast<double>(std::bit_width(members.count - 1));
    const Seconds rounds = 2 * levels * members.link.latency;
    const double all = size.count();
    if (members.count == 2) {
        return transfer(all, members.link) + rounds;
    }
    if (members.nodes != 2) {
        return transfer(2 * all, members.link) + rounds;
    }
    return std::max(transfer(all, members.link), transfer(2 * all, members.inside)) + rounds;
}

// P4: 2 n K / B; the two directions are two messages a worker, and workers do not wait in turn.
Seconds server_exchange(Bytes size, std::uint64_t workers, const domain::Link& link) {
    if (workers == 0) {
        return Seconds(0);
    }
    return transfer(2 * size.count(), link) * static_cast<double>(workers) + 2 * link.latency;
}

// With g GPUs a node and m nodes: the two passes inside are together one ring of g over all of K.
// Between the nodes run g rings of m at once, each over K / g, and all of them pass the node's one
// link: 2 (m - 1) g K / (g m B), as one ring over K. Their rounds run side by side.
Seconds hierarchical_exchange(Bytes size, std::uint64_t nodes, std::uint64_t gpus_per_node,
                              const domain::Link& inside, const domain::Link& between) {
    return ring_exchange(size, gpus_per_node, inside) + ring_exchange(size, nodes, between);
}

bool has_hierarchy(const Members& members) {
    return members.nodes > 1 && members.on_each > 1;
}

Seconds exchange_time(domain::Exchange kind, Bytes size, const Members& members) {
    if (members.count < 2) {
        return Seconds(0);
    }
    switch (kind) {
        case domain::Exchange::tree:
            return tree_exchange(size, members);
        case domain::Exchange::server:
            return server_exchange(size, members.count, members.link);
        case domain::Exchange::automatic:
            return cheapest_exchange(size, members, false).time;
        case domain::Exchange::hierarchy:
            if (has_hierarchy(members)) {
                return hierarchical_exchange(size, members.nodes, members.on_each, members.inside,
                                             members.link);
            }
            break;
        case domain::Exchange::ring:
            break;
    }
    return ring_exchange(size, members.count, members.link);
}

PricedExchange cheapest_exchange(Bytes size, const Members& members, bool accepts_hierarchy) {
    constexpr domain::Exchange others[] = {domain::Exchange::tree, domain::Exchange::hierarchy};
    PricedExchange cheapest{domain::Exchange::ring,
                            exchange_time(domain::Exchange::ring, size, members)};
    for (const domain::Exchange kind : std::span(others).first(accepts_hierarchy ? 2 : 1)) {
        const Seconds time = exchange_time(kind, size, members);
        if (time < cheapest.time) {
            cheapest = {kind, time};
        }
    }
    return cheapest;
}

}  // namespace hora::cost
