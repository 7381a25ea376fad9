// How many rings of one speed do the NVLinks between some GPUs carry at once?
#include "libplanner/model/links/channel_search.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

namespace hora::model {
namespace {

constexpr std::uint32_t most_rings = 32;
constexpr std::uint32_t most_steps = 5'000;

// A link in one direction: from a GPU to another (a * n + b), or to (n * n + a) and from
// (n * n + n + b) the switches; behind these the lanes.
using Line = std::uint16_t;
using Lines = std::vector<Line>;

class Packing {
  public:
    Packing(const NvlinkGraph& graph, Bandwidth speed, Hop hop)
        : n_(graph.gpus), hop_(hop), left_(n_ * n_ + 2 * n_, 0), ways_(n_ * n_) {
        const std::vector<std::size_t> order = tightest_first(graph, speed);
        for (std::size_t a = 0; a < n_; ++a) {
            for (std::size_t b = 0; b < n_; ++b) {
                left_[a * n_ + b] = units(graph.direct[order[a] * n_ + order[b]], speed);
            }
            left_[n_ * n_ + a] = units(graph.to_switches[order[a]], speed);
            left_[n_ * n_ + n_ + a] = left_[n_ * n_ + a];
        }
        for (const Bandwidth lane :
             hop == Hop::over_pcie ? graph.lanes : std::vector<Bandwidth>()) {
            left_.push_back(units(lane, speed));
        }
        find_ways(graph, order, speed);
    }

    // Every ring leaves and enters every part of the set.
    std::uint32_t least_cut() const {
        std::uint32_t least = most_rings;
        for (std::uint32_t inside = 1; inside + 1 < (1U << n_); ++inside) {
            least = std::min(least, hop_ == Hop::over_pcie ? carried_by_ways_out_of(inside)
                                                           : carried_out_of(inside));
        }
        return least;
    }

    Channels most(std::uint32_t beaten) {
        const std::uint32_t bound = least_cut();
        if (bound <= beaten) {
            return {};
        }
        std::vector<std::size_t> ring{0};
        collect(ring, Lines(), (1U << n_) - 2);
        rings_.assign(known_.begin(), known_.end());
        count_cuts();
        bool is_exact = true;
        for (std::uint32_t wanted = rings_.empty() ? 0 : bound; wanted > beaten; --wanted) {
            steps_ = 0;
            failed_.clear();
            if (choose(0, wanted)) {
                return {wanted, is_exact};
            }
            is_exact = is_exact && steps_ < most_steps;
        }
        return {0, is_exact};
    }

  private:
    // Rounding must not cost a channel.
    static std::uint32_t units(Bandwidth link, Bandwidth speed) {
        return static_cast<std::uint32_t>(std::min(link / speed * (1 + 1e-9), 1e6));
    }

    // What leaves the tightest GPU is the first to run short, so its links come first.
    std::vector<std::size_t> tightest_first(const NvlinkGraph& graph, Bandwidth speed) const {
        std::vector<std::uint32_t> carried(n_);
        for (std::size_t a = 0; a < n_; ++a) {
            carried[a] = units(graph.to_switches[a], speed);
            for (std::size_t b = 0; b < n_; ++b) {
                carried[a] += units(graph.direct[a * n_ + b], speed);
            }
        }
        std::vector<std::size_t> order(n_);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return carried[a] < carried[b]; });
        return order;
    }

    void find_ways(const NvlinkGraph& graph, const std::vector<std::size_t>& order,
                   Bandwidth speed) {
        const auto direct = [&](std::size_t a, std::size_t b) {
            return graph.direct[order[a] * n_ + order[b]];
        };
        const auto line = [&](std::size_t a, std::size_t b) {
            return static_cast<Line>(a * n_ + b);
        };
        for (std::size_t a = 0; a < n_; ++a) {
            for (std::size_t b = 0; b < n_; ++b) {
                Lines& way = ways_[a * n_ + b];
                const std::size_t pair = order[a] * n_ + order[b];  // by the caller's numbers
                if (a == b) {
                    continue;
                }
                if (direct(a, b) > Bandwidth(0)) {
                    way = {line(a, b)};
                } else if (graph.to_switches[order[a]] > Bandwidth(0) &&
                           graph.to_switches[order[b]] > Bandwidth(0)) {
                    way = {static_cast<Line>(n_ * n_ + a), static_cast<Line>(n_ * n_ + n_ + b)};
                } else if (hop_ == Hop::over_pcie && graph.on_the_way[pair] >= speed) {
                    for (const std::uint16_t lane : graph.over_lanes[pair]) {
                        way.push_back(static_cast<Line>(n_ * n_ + 2 * n_ + lane));
                    }
                } else if (hop_ == Hop::through_a_gpu) {
                    Bandwidth best(0);
                    std::size_t first = n_;  // by the caller's numbers
                    for (std::size_t c = 0; c < n_; ++c) {
                        const Bandwidth through = std::min(direct(a, c), direct(c, b));
                        if (through > best ||
                            (through == best && through > Bandwidth(0) && order[c] < first)) {
                            best = through;
                            first = order[c];
                            way = {line(a, c), line(c, b)};
                        }
                    }
                }
            }
        }
    }

    bool take(const Line* first, const Line* end) {
        const Line* at = first;
        while (at != end && left_[*at] > 0) {
            --left_[*at++];
        }
        if (at == end) {
            return true;
        }
        give_back(first, at);
        return false;
    }
    void give_back(const Line* first, const Line* end) {
        for (; first != end; ++first) {
            ++left_[*first];
        }
    }

    // Every direct line by the cuts that it crosses. Switches are left aside: what crosses a cut
    // over them is no sum over lines.
    void count_cuts() {
        const bool has_switches = std::any_of(left_.begin() + static_cast<std::ptrdiff_t>(n_ * n_),
                                              left_.end(), [](auto units) { return units > 0; });
        const std::uint32_t cuts = has_switches || hop_ == Hop::over_pcie ? 0 : (1U << n_) - 2;
        crossed_.assign(left_.size(), {});
        cuts_.assign(cuts, 0);
        for (std::uint32_t inside = 1; inside <= cuts; ++inside) {
            cuts_[inside - 1] = carried_out_of(inside);
            for (std::size_t a = 0; a < n_; ++a) {
                for (std::size_t b = 0; b < n_; ++b) {
                    if ((inside >> a & 1U) != 0 && (inside >> b & 1U) == 0) {
                        crossed_[a * n_ + b].push_back(static_cast<std::uint8_t>(inside - 1));
                    }
                }
            }
        }
    }
    void note_cuts(const Lines& ring, std::uint32_t change) {
        for (const Line line : ring) {
            for (const std::uint8_t cut : crossed_[line]) {
                cuts_[cut] += change;
            }
        }
    }

    // All rings that go on like this over the GPUs `missing`, by the lines that they take.
    void collect(std::vector<std::size_t>& ring, Lines lines, std::uint32_t missing) {
        const auto step = [&](std::size_t to, auto go_on) {
            const Lines& way = ways_[ring.back() * n_ + to];
            const Line* const first = way.data();
            const Line* const end = first + way.size();
            if (!way.empty() && take(first, end)) {
                Lines longer = lines;
                longer.insert(longer.end(), first, end);
                go_on(std::move(longer));
                give_back(first, end);
            }
        };
        if (missing == 0) {
            step(0, [&](Lines all) {
                std::sort(all.begin(), all.end());
                known_.insert(std::move(all));
            });
            return;
        }
        for (std::size_t next = 1; next < n_; ++next) {
            if ((missing >> next & 1U) != 0) {
                step(next, [&](Lines longer) {
                    ring.push_back(next);
                    collect(ring, std::move(longer), missing & ~(1U << next));
                    ring.pop_back();
                });
            }
        }
    }

    // Of what goes over switches the smaller counts: what is sent in, or what comes out.
    std::uint32_t carried_out_of(std::uint32_t inside) const {
        std::uint64_t direct = 0;
        std::uint64_t up = 0;
        std::uint64_t down = 0;
        for (std::size_t a = 0; a < n_; ++a) {
            if ((inside >> a & 1U) == 0) {
                down += left_[n_ * n_ + n_ + a];
                continue;
            }
            up += left_[n_ * n_ + a];
            for (std::size_t b = 0; b < n_; ++b) {
                direct += (inside >> b & 1U) == 0 ? left_[a * n_ + b] : 0;
            }
        }
        return static_cast<std::uint32_t>(
            std::min<std::uint64_t>(direct + std::min(up, down), most_rings));
    }

    // Each ring takes one way out at least, and so a unit of the line of that way that is first,
    // last, or shortest: no more leave than these lines carry together.
    std::uint32_t carried_by_ways_out_of(std::uint32_t inside) const {
        std::array<std::set<Line>, 3> lines;
        for (std::size_t pair = 0; pair < ways_.size(); ++pair) {
            const bool leaves = (inside >> pair / n_ & 1U) != 0 && (inside >> pair % n_ & 1U) == 0;
            if (leaves && !ways_[pair].empty()) {
                lines[0].insert(ways_[pair].front());
                lines[1].insert(ways_[pair].back());
                lines[2].insert(
                    *std::min_element(ways_[pair].begin(), ways_[pair].end(),
                                      [&](Line a, Line b) { return left_[a] < left_[b]; }));
            }
        }
        std::uint32_t least = most_rings;
        for (const std::set<Line>& some : lines) {
            std::uint32_t all = 0;
            for (const Line line : some) {
                all += std::min(left_[line], most_rings);
            }
            least = std::min(least, all);
        }
        return least;
    }

    // Each ring that is missing leaves every part of the set.
    bool may_carry(std::uint32_t wanted) const {
        return std::all_of(cuts_.begin(), cuts_.end(),
                           [&](std::uint32_t cut) { return cut >= wanted; });
    }

    // Rings come by their first line, which leaves the first GPU: those from `from` on have only
    // what it has left from that line on.
    bool leaves_enough(std::size_t from, std::uint32_t wanted) const {
        if (hop_ == Hop::over_pcie) {
            return true;  // the first GPU may be left over a lane
        }
        std::uint64_t left = 0;
        for (std::size_t line = rings_[from].front(); line < n_; ++line) {
            left += left_[line];
        }
        return left + left_[n_ * n_] >= wanted;
    }

    bool choose(std::size_t from, std::uint32_t wanted) {
        if (wanted == 0) {
            return true;
        }
        // Fewer rings to choose from make no more possible.
        const auto [failed, is_new] = failed_.try_emplace(left_, from);
        if (!may_carry(wanted) || (!is_new && failed->second <= from)) {
            return false;
        }
        failed->second = from;
        for (std::size_t i = from; i < rings_.size(); ++i) {
            if (steps_ >= most_steps || !leaves_enough(i, wanted)) {
                return false;
            }
            const Line* const first = rings_[i].data();
            const Line* const end = first + rings_[i].size();
            if (take(first, end)) {
                ++steps_;
                note_cuts(rings_[i], ~0U);
                const bool is_done = choose(i, wanted - 1);
                note_cuts(rings_[i], 1);
                give_back(first, end);
                if (is_done) {
                    return true;
                }
            }
        }
        return false;
    }

    std::size_t n_;
    Hop hop_;
    std::vector<std::uint32_t> left_;  // by line: rings that it still carries
    std::vector<Lines> ways_;          // n x n; empty: there is no way
    std::set<Lines> known_;
    std::vector<Lines> rings_;
    std::vector<std::uint32_t> cuts_;                 // by part of the set: what leaves it
    std::vector<std::vector<std::uint8_t>> crossed_;  // by line: cuts
    // What was left where no more rings could be had from one on, for the number wanted.
    std::map<std::vector<std::uint32_t>, std::size_t> failed_;
    std::uint32_t steps_ = 0;
};

}  // namespace

Channels most_channels(const NvlinkGraph& graph, Bandwidth speed, Hop hop, std::uint32_t beaten) {
    const bool has_own_links = std::any_of(graph.direct.begin(), graph.direct.end(),
                                           [](Bandwidth link) { return link > Bandwidth(0); });
    if (graph.gpus < 2) {
        return {};
    }
    if (!has_own_links &&
        hop != Hop::over_pcie) {  // whatever the order, each GPU sends and receives once
        const Bandwidth least =
            *std::min_element(graph.to_switches.begin(), graph.to_switches.end());
        const auto count =
            static_cast<std::uint32_t>(std::min(least / speed * (1 + 1e-9), double{most_rings}));
        return {count > beaten ? count : 0, true};
    }
    return graph.gpus > most_searched_gpus ? Channels{0, false}
                                           : Packing(graph, speed, hop).most(beaten);
}

}  // namespace hora::model
