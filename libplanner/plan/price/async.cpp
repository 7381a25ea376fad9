// Mode async: which members train most samples a second around one server?
//
// The rate of a set rises with the updates that its members send and with the strongest member's
// own rate (cost/server.hpp), so for a strongest member of a given speed the best units are those
// that send most, among those that hold nothing faster. The slowest start counts for the run, so
// the largest overhead of a set is tried in ascending order until even the rate of all units could
// not make up for it. Speeds: at most one round for each type of GPU.
//
// Two short cuts keep most classes from that: one that could not beat the best known even if all
// its units were of its fastest type, and one that has enough units of that type at its least
// overhead.
#include "libplanner/plan/price/async.hpp"

#include <algorithm>
#include <limits>

#include "libplanner/cost/exchange.hpp"

namespace hora::plan {

namespace {

// A group of the class as it looks beside a strongest member of a given speed.
struct Side {
    const Group* group;
    Shape gpus;
    double updates = 0;  // a second, of one unit
    bool has_strongest = false;
};

std::vector<Side> sides_of(Pricing& pricing, const FreeGpus& free, const LinkClasses& link,
                           const PartClass& part, const Size& size, Seconds fastest) {
    const std::uint64_t share = pricing.share_of(size.members());
    const Bytes gradient = pricing.gradient();
    const Seconds exchange = cost::server_exchange(gradient, 1, link.link);
    std::vector<Side> sides;
    for (const Group& group : part.groups) {
        Side side{&group,
                  slower_gpus(pricing, free.shapes()[group.shape], size.each, share, fastest)};
        for (const Kind& kind : side.gpus) {
            const Seconds compute = compute_time(pricing, kind.device, share);
            side.updates += kind.count / (compute + exchange).count();
            side.has_strongest |= compute == fastest;
        }
        if (!side.gpus.empty()) {
            sides.push_back(std::move(side));
        }
    }
    std::stable_sort(sides.begin(), sides.end(),
                     [](const Side& a, const Side& b) { return a.updates > b.updates; });
    return sides;
}

std::uint64_t units_upto(const Group& group, Seconds overhead) {
    const auto end = std::partition_point(group.runs.begin(), group.runs.end(),
                                          [&](const Run& run) { return run.overhead <= overhead; });
    return end == group.runs.begin() ? 0 : std::prev(end)->upto;
}

// The units that send most, one with the strongest member among them; empty if there are too few.
std::vector<std::uint64_t> take(const std::vector<Side>& sides, std::uint64_t wanted,
                                Seconds overhead) {
    std::vector<std::uint64_t> taken(sides.size());
    const auto available = [&](std::size_t i) { return units_upto(*sides[i].group, overhead); };
    std::size_t strongest = 0;
    while (strongest < sides.size() &&
           (!sides[strongest].has_strongest || available(strongest) == 0)) {
        ++strongest;
    }
    if (strongest == sides.size()) {
        return {};
    }
    taken[strongest] = 1;
    std::uint64_t left = wanted - 1;
    for (std::size_t i = 0; i < sides.size() && left > 0; ++i) {
        const std::uint64_t more = std::min(left, available(i) - taken[i]);
        taken[i] += more;
        left -= more;
    }
    return left == 0 ? taken : std::vector<std::uint64_t>{};
}

std::vector<Seconds> overheads_of(const std::vector<Side>& sides) {
    std::vector<Seconds> all;
    for (const Side& side : sides) {
        for (const Run& run : side.group->runs) {
            all.push_back(run.overhead);
        }
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

std::vector<Kind> members_of(const std::vector<Side>& sides,
                             const std::vector<std::uint64_t>& taken) {
    std::vector<Kind> members;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        for (const Kind& kind : sides[i].gpus) {
            const auto count = static_cast<std::uint32_t>(kind.count * taken[i]);
            const auto same = std::find_if(members.begin(), members.end(), [&](const Kind& known) {
                return known.device == kind.device;
            });
            if (same != members.end()) {
                same->count += count;
            } else if (count > 0) {
                members.push_back({kind.device, count});
            }
        }
    }
    return members;
}

// Improves on `best` with a strongest member of this speed.
void improve(AsyncChoice& best, Pricing& pricing, const std::vector<Side>& sides,
             const LinkClasses& link, const Size& size, Seconds fastest) {
    const std::uint64_t share = pricing.share_of(size.members());
    const std::vector<Seconds> overheads = overheads_of(sides);
    if (overheads.empty()) {
        return;
    }
    const auto all = take(sides, size.units, overheads.back());
    if (all.empty()) {
        return;
    }
    const double highest_rate = rate_of(pricing, members_of(sides, all), share, link.link);
    const auto first = std::partition_point(
        overheads.begin(), overheads.end(),
        [&](Seconds overhead) { return take(sides, size.units, overhead).empty(); });
    for (auto overhead = first; overhead != overheads.end(); ++overhead) {
        if (pricing.price_at_rate(highest_rate, *overhead) > best.price) {
            return;
        }
        const auto taken = take(sides, size.units, *overhead);
        const std::vector<Kind> members = members_of(sides, taken);
        const Price price =
            pricing.price_at_rate(rate_of(pricing, members, share, link.link), *overhead);
        const double updates = updates_of(pricing, members, share, link.link);
        if (std::pair(price, -updates) < std::pair(best.price, -best.updates)) {
            best = {price, updates, *overhead, fastest, {}};
            for (std::size_t i = 0; i < sides.size(); ++i) {
                best.taken.push_back({sides[i].group->shape, taken[i]});
            }
        }
    }
}

// Speeds that the strongest member can have. Single GPUs that send most are the fastest ones, so
// there the fastest of all is enough, except that its overhead may be too large.
std::vector<Seconds> speeds_of(Pricing& pricing, const FreeGpus& free, const PartClass& part,
                               std::uint64_t share) {
    std::vector<Seconds> speeds;
    for (const Group& group : part.groups) {
        for (const Kind& kind : free.shapes()[group.shape]) {
            speeds.push_back(compute_time(pricing, kind.device, share));
        }
    }
    std::sort(speeds.begin(), speeds.end());
    speeds.erase(std::unique(speeds.begin(), speeds.end()), speeds.end());
    std::erase(speeds, Seconds(std::numeric_limits<double>::infinity()));
    return speeds;
}

}  // namespace

Seconds compute_time(Pricing& pricing, std::uint32_t device, std::uint64_t share) {
    constexpr Seconds never(std::numeric_limits<double>::infinity());
    return share <= pricing.largest_share(device) ? pricing.step(device, share).compute() : never;
}

double updates_of(Pricing& pricing, std::span<const Kind> members, std::uint64_t share,
                  const domain::Link& link) {
    const Bytes gradient = pricing.gradient();
    const Seconds exchange = cost::server_exchange(gradient, 1, link);
    double updates = 0;
    for (const cost::Workers& some : workers_of(pricing, members, share)) {
        updates += static_cast<double>(some.count) / (some.compute + exchange).count();
    }
    return updates;
}

Shape slower_gpus(Pricing& pricing, const Shape& shape, std::uint32_t each, std::uint64_t share,
                  Seconds fastest) {
    std::vector<std::pair<Seconds, Kind>> slower;
    for (const Kind& kind : shape) {
        const Seconds compute = compute_time(pricing, kind.device, share);
        if (compute >= fastest && compute < Seconds(std::numeric_limits<double>::infinity())) {
            slower.emplace_back(compute, kind);
        }
    }
    std::stable_sort(slower.begin(), slower.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Shape chosen;
    std::uint32_t left = each;
    for (const auto& [compute, kind] : slower) {
        const std::uint32_t count = std::min(kind.count, left);
        if (count > 0) {
            chosen.push_back({kind.device, count});
        }
        left -= count;
    }
    return left == 0 ? chosen : Shape{};
}

std::vector<cost::Workers> workers_of(Pricing& pricing, std::span<const Kind> members,
                                      std::uint64_t share) {
    std::vector<std::pair<Seconds, Kind>> by_speed;
    by_speed.reserve(members.size());
    for (const Kind& kind : members) {
        by_speed.emplace_back(compute_time(pricing, kind.device, share), kind);
    }
    std::sort(by_speed.begin(), by_speed.end(), [](const auto& a, const auto& b) {
        return std::pair(a.first, a.second.device) < std::pair(b.first, b.second.device);
    });
    std::vector<cost::Workers> workers;
    workers.reserve(members.size());
    for (const auto& [speed, kind] : by_speed) {
        if (workers.empty() || workers.back().compute != speed) {
            workers.push_back({speed, 0});
        }
        workers.back().count += kind.count;
    }
    return workers;
}

double rate_of(Pricing& pricing, std::span<const Kind> members, std::uint64_t share,
               const domain::Link& link) {
    return cost::asynchronous_rate(workers_of(pricing, members, share), share, pricing.gradient(),
                                   link);
}

AsyncChoice choose_async(Pricing& pricing, const FreeGpus& free, const LinkClasses& link,
                         const PartClass& part, const Size& size) {
    AsyncChoice best;
    const std::uint64_t share = pricing.share_of(size.members());
    for (const Seconds fastest : speeds_of(pricing, free, part, share)) {
        improve(best, pricing, sides_of(pricing, free, link, part, size, fastest), link, size,
                fastest);
    }
    return best;
}

}  // namespace hora::plan
