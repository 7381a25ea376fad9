// Which way does a vector take between the ranks?
#include "plugins/mpi/allreduce/route.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <utility>

namespace hora::mpi {
namespace {

struct Choice {
    Seconds time;
    Level first;
};

// The cheapest levels of a group of ranks, by the group's size, which divides the number of ranks.
class Division {
  public:
    Division(Bytes size, std::uint32_t ranks, const MessageTimes& times)
        : size_(size), ranks_(ranks), times_(times) {}

    Seconds time() { return best(ranks_).time; }

    Route route() {
        Route route;
        std::uint32_t group = ranks_;
        while (group > 1 && !best(group).first.is_whole) {
            route.levels.push_back(best(group).first);
            group /= route.levels.back().factor;
        }
        for (const Bytes part = part_of(group); group > 1;) {
            route.levels.push_back(whole(group, part).first);
            group /= route.levels.back().factor;
        }
        return route;
    }

  private:
    // What the ranks of a group sum together.
    Bytes part_of(std::uint32_t group) const {
        return size_ * (static_cast<double>(group) / ranks_);
    }

    Seconds level(std::uint32_t factor, Bytes message) const {
        return times_.of(message, factor - 1);
    }

    template <class Cost>
    static Choice cheapest(std::uint32_t group, bool is_whole, const Cost& cost) {
        Choice best{Seconds(1e30), {}};
        for (std::uint32_t factor = 2; factor <= group; ++factor) {
            if (group % factor == 0) {
                const Seconds time = cost(factor);
                if (time < best.time) {
                    best = {time, {factor, is_whole}};
                }
            }
        }
        return best;
    }

    // A level of `factor` costs the same wherever it stands, so their order is of no matter.
    Choice whole(std::uint32_t group, Bytes part) const {
        if (group == 1) {
            return {};
        }
        return cheapest(group, true, [&](std::uint32_t factor) {
            return level(factor, part) + whole(group / factor, part).time;
        });
    }

    const Choice& best(std::uint32_t group) {
        const auto known = known_.find(group);
        if (known != known_.end()) {
            return known->second;
        }
        Choice choice;
        if (group > 1) {
            const Bytes part = part_of(group);
            const Choice parts = cheapest(group, false, [&](std::uint32_t factor) {
                return 2 * level(factor, part / factor) + best(group / factor).time;
            });
            const Choice all = whole(group, part);
            choice = all.time < parts.time ? all : parts;
        }
        return known_.emplace(group, choice).first->second;
    }

    const Bytes size_;
    const std::uint32_t ranks_;
    const MessageTimes& times_;
    std::map<std::uint32_t, Choice> known_;
};

}  // namespace

MessageTimes::MessageTimes(std::vector<Point> points) : points_(std::move(points)) {
    assert(points_.size() >= 2);
    for (std::size_t i = points_.size() - 1; i > 0; --i) {
        points_[i - 1].first = std::min(points_[i].first, points_[i - 1].first);
        points_[i - 1].further = std::min(points_[i].further, points_[i - 1].further);
    }
    while (points_.size() > 2 && points_[points_.size() - 2].first == points_.back().first) {
        points_.erase(points_.end() - 2);
    }
}

Seconds MessageTimes::of(Bytes size, std::uint32_t messages) const {
    const auto above = std::upper_bound(
        points_.begin() + 1, points_.end() - 1, size,
        [](Bytes looked_for, const Point& point) { return looked_for < point.size; });
    const auto time_of = [messages](const Point& point) {
        return point.first + (messages - 1.0) * point.further;
    };
    const Point& low = *(above - 1);
    const double share = (size - low.size) / (above->size - low.size);
    return time_of(low) + (time_of(*above) - time_of(low)) * share;
}

Bandwidth MessageTimes::bandwidth() const {
    const Point& high = points_.back();
    const Point& low = points_[points_.size() - 2];
    const Seconds sending = std::max(high.first - low.first, Seconds(1e-12));
    return Bandwidth((high.size - low.size).count() / sending.count());
}

Route choose_route(Bytes size, std::uint32_t ranks, const MessageTimes& times,
                   Preference preference) {
    Division division(size, ranks, times);
    const Bytes chunk = size / ranks;
    const Bytes message = message_size(times, chunk);
    const Seconds ring = 2.0 * (ranks - 1) * (chunk / message) * times.of(message);
    constexpr double hardly_slower = 1.02;
    constexpr double long_chunk = 16;
    const bool is_long =
        chunk >= Bytes(long_chunk * times.latency().count() * times.bandwidth().count());
    if (ranks == 1 || ring <= hardly_slower * division.time() ||
        (preference == Preference::ring && is_long)) {
        return {};
    }
    return division.route();
}

Bytes message_size(const MessageTimes& times, Bytes largest) {
    constexpr double worth = 128;
    constexpr Bytes least(262144);
    const Bytes size(worth * times.latency().count() * times.bandwidth().count());
    return std::min(std::max(size, least), largest);
}

std::uint32_t slices_of_chunk(Bytes chunk, Bytes message) {
    // The longer slices are two units of n + n / 2 (layout.hpp).
    const double slices = chunk <= message ? 1 : std::ceil(4.0 / 3 * (chunk / message) + 1.0 / 3);
    return static_cast<std::uint32_t>(slices);
}

}  // namespace hora::mpi
