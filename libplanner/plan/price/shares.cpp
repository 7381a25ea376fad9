// How many samples of a batch does each member take?
//
// The step ends when the last member has finished, so the shares minimise max(share / speed).
// floor(batch * speed / sum) never exceeds such a share, and fewer than one sample a member is left
// over. Handing each to the member that would finish it first is optimal, and so is taking a
// surplus (of the rule "at least 1") from the member that finishes last: O(n log n).
#include "libplanner/plan/price/shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <utility>

namespace hora::plan {
namespace {

Expected<void> check(std::uint64_t batch, std::size_t members) {
    if (members == 0) {
        return failure("no second GPU to share the batch with");
    }
    if (batch < members) {
        return failure(
            fmt::format("a batch of {} leaves nothing for some of {} members; raise the batch",
                        batch, members));
    }
    return {};
}

double finish(std::uint64_t share, double speed) {
    return static_cast<double>(share) / speed;
}

// The first member of those that finish first comes out first.
struct Candidate {
    double time = 0;
    std::size_t member = 0;

    friend bool operator>(const Candidate& a, const Candidate& b) {
        return std::pair(a.time, a.member) > std::pair(b.time, b.member);
    }
};

void hand_out(std::vector<std::uint64_t>& shares, std::span<const double> speeds,
              std::uint64_t left) {
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    for (std::size_t member = 0; member < shares.size(); ++member) {
        queue.push({finish(shares[member] + 1, speeds[member]), member});
    }
    for (; left > 0; --left) {
        const std::size_t member = queue.top().member;
        queue.pop();
        ++shares[member];
        queue.push({finish(shares[member] + 1, speeds[member]), member});
    }
}

void take_back(std::vector<std::uint64_t>& shares, std::span<const double> speeds,
               std::uint64_t surplus) {
    // The last member of those that finish last comes out first.
    std::priority_queue<std::pair<double, std::size_t>> queue;
    const auto push = [&](std::size_t member) {
        if (shares[member] > 1) {
            queue.push({finish(shares[member], speeds[member]), member});
        }
    };
    for (std::size_t member = 0; member < shares.size(); ++member) {
        push(member);
    }
    for (; surplus > 0; --surplus) {
        const std::size_t member = queue.top().second;
        queue.pop();
        --shares[member];
        push(member);
    }
}

}  // namespace

Expected<std::vector<std::uint64_t>> equal_shares(std::uint64_t batch, std::size_t members) {
    if (const auto possible = check(batch, members); !possible) {
        return unexpected(possible.error());
    }
    std::vector<std::uint64_t> shares(members, batch / members);
    const auto longer = static_cast<std::ptrdiff_t>(batch % members);
    std::for_each(shares.begin(), shares.begin() + longer, [](auto& share) { ++share; });
    return shares;
}

Expected<std::vector<std::uint64_t>> proportional_shares(std::uint64_t batch,
                                                         std::span<const double> speeds) {
    if (const auto possible = check(batch, speeds.size()); !possible) {
        return unexpected(possible.error());
    }
    for (const double speed : speeds) {
        if (!std::isfinite(speed) || speed <= 0) {
            return failure(fmt::format("a speed of {} is no finite number above 0", speed));
        }
    }
    // Dividing by the fastest keeps the sum finite whatever the scale.
    const double fastest = *std::max_element(speeds.begin(), speeds.end());
    const double sum =
        std::accumulate(speeds.begin(), speeds.end(), 0.0,
                        [&](double so_far, double s) { return so_far + s / fastest; });
    std::vector<std::uint64_t> shares;
    for (const double speed : speeds) {
        const double ideal = static_cast<double>(batch) * (speed / fastest / sum);
        shares.push_back(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(ideal)));
    }
    const std::uint64_t given = std::accumulate(shares.begin(), shares.end(), std::uint64_t{0});
    if (given <= batch) {
        hand_out(shares, speeds, batch - given);
    } else {
        take_back(shares, speeds, given - batch);
    }
    return shares;
}

std::vector<std::uint64_t> shares_within(std::span<const std::uint64_t> limits,
                                         std::uint64_t batch) {
    double total = 0;
    for (const std::uint64_t limit : limits) {
        total += static_cast<double>(limit);
    }
    std::vector<std::uint64_t> shares;
    std::uint64_t given = 0;
    for (const std::uint64_t limit : limits) {
        const double exact = static_cast<double>(limit) * static_cast<double>(batch) / total;
        const auto share = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(exact), 1, limit);
        shares.push_back(share);
        given += share;
    }
    for (std::size_t i = 0; given != batch; i = (i + 1) % shares.size()) {
        if (given < batch && shares[i] < limits[i]) {
            ++shares[i];
            ++given;
        } else if (given > batch && shares[i] > 1) {
            --shares[i];
            --given;
        }
    }
    return shares;
}

}  // namespace hora::plan
