#include "libplanner/model/links/channel_search.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <vector>

namespace hora::model {
namespace {

// `count` links of 20 between each two that are named.
NvlinkGraph graph_of(std::size_t gpus, const std::vector<std::array<std::size_t, 3>>& links) {
    NvlinkGraph graph{gpus, std::vector(gpus * gpus, Bandwidth(0)),
                      std::vector(gpus, Bandwidth(0))};
    for (const auto& [a, b, count] : links) {
        graph.direct[a * gpus + b] = graph.direct[b * gpus + a] =
            Bandwidth(20.0 * static_cast<double>(count));
    }
    return graph;
}

NvlinkGraph complete(std::size_t gpus, std::size_t count) {
    std::vector<std::array<std::size_t, 3>> links;
    for (std::size_t a = 0; a < gpus; ++a) {
        for (std::size_t b = a + 1; b < gpus; ++b) {
            links.push_back({a, b, count});
        }
    }
    return graph_of(gpus, links);
}

struct Case {
    const char* sentence;
    NvlinkGraph graph;
    double speed;
    Hop hop;
    std::uint32_t channels;
};

TEST(ChannelSearch, FindsAsManyRingsAsTheLinksCarry) {
    const NvlinkGraph square = graph_of(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {0, 3, 1}});
    const NvlinkGraph star = graph_of(3, {{0, 1, 1}, {0, 2, 1}});
    const Case cases[] = {
        {"both ways round a square", square, 20, Hop::own_links, 2},
        {"a link carries two channels of half its speed", square, 10, Hop::own_links, 4},
        {"and none that is faster", square, 21, Hop::own_links, 0},
        {"a star has no ring", star, 20, Hop::own_links, 0},
        {"but one through its middle", star, 20, Hop::through_a_gpu, 1},
        {"of four that are all joined no three rings share nothing", complete(4, 1), 20,
         Hop::own_links, 2},
        {"five use every link both ways", complete(5, 1), 20, Hop::own_links, 4},
        {"six leave one unused", complete(6, 1), 20, Hop::own_links, 4},
        {"seven use every link", complete(7, 1), 20, Hop::own_links, 6},
        {"eight do", complete(8, 1), 20, Hop::own_links, 7},
        {"no more than 32", complete(3, 40), 20, Hop::own_links, 32},
    };
    for (const Case& test : cases) {
        const Channels found = most_channels(test.graph, Bandwidth(test.speed), test.hop, 0);
        EXPECT_EQ(found.count, test.channels) << test.sentence;
        EXPECT_TRUE(found.is_exact) << test.sentence;
        EXPECT_EQ(most_channels(test.graph, Bandwidth(test.speed), test.hop, test.channels).count,
                  0U)
            << test.sentence << ": no more";
    }
}

TEST(ChannelSearch, CountsSwitchesByWhatEachGpuHas) {
    NvlinkGraph graph = graph_of(16, {});
    EXPECT_EQ(most_channels(graph, Bandwidth(20), Hop::own_links, 0).count, 0U);
    graph.to_switches.assign(16, Bandwidth(240));
    EXPECT_EQ(most_channels(graph, Bandwidth(20), Hop::own_links, 0), (Channels{12, true}));
    graph.to_switches[7] = Bandwidth(40);
    EXPECT_EQ(most_channels(graph, Bandwidth(20), Hop::own_links, 0), (Channels{2, true}));
    EXPECT_EQ(most_channels(graph, Bandwidth(20), Hop::own_links, 2), (Channels{0, true}));
    graph.direct[1] = graph.direct[16] = Bandwidth(20);
    EXPECT_FALSE(most_channels(graph, Bandwidth(20), Hop::own_links, 0).is_exact)
        << "too many to search through";
}

// Every way to put rings side by side, without any bound.
class Trial {
  public:
    Trial(const NvlinkGraph& graph, double speed, Hop hop)
        : graph_(graph), speed_(speed), hop_(hop) {}

    std::uint32_t most() {
        std::vector<std::size_t> order(graph_.gpus);
        std::iota(order.begin(), order.end(), std::size_t{0});
        do {
            add(order);
        } while (std::next_permutation(order.begin() + 1, order.end()));
        std::map<std::pair<std::size_t, std::size_t>, int> left;
        for (std::size_t a = 0; a < graph_.gpus; ++a) {
            for (std::size_t b = 0; b < graph_.gpus; ++b) {
                left[{a, b}] = static_cast<int>(link(a, b) / speed_);
            }
        }
        for (std::size_t lane = 0; lane < graph_.lanes.size(); ++lane) {
            left[{lanes, lane}] = static_cast<int>(graph_.lanes[lane].count() / speed_);
        }
        return more(left, rings_.begin());
    }

  private:
    static constexpr std::size_t lanes = 1000;  // in place of a GPU

    using Use = std::map<std::pair<std::size_t, std::size_t>, int>;

    double link(std::size_t a, std::size_t b) const {
        return graph_.direct[a * graph_.gpus + b].count();
    }

    void add(const std::vector<std::size_t>& order) {
        Use use;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const std::size_t a = order[i];
            const std::size_t b = order[(i + 1) % order.size()];
            std::size_t between = graph_.gpus;
            double best = 0;
            for (std::size_t c = 0; c < graph_.gpus && hop_ == Hop::through_a_gpu; ++c) {
                if (std::min(link(a, c), link(c, b)) > best) {
                    best = std::min(link(a, c), link(c, b));
                    between = c;
                }
            }
            if (link(a, b) > 0) {
                ++use[{a, b}];
            } else if (between < graph_.gpus) {
                ++use[{a, between}];
                ++use[{between, b}];
            } else if (hop_ == Hop::over_pcie &&
                       graph_.on_the_way[a * graph_.gpus + b].count() >= speed_) {
                for (const std::uint16_t lane : graph_.over_lanes[a * graph_.gpus + b]) {
                    ++use[{lanes, lane}];
                }
            } else {
                return;
            }
        }
        rings_.insert(use);
    }

    std::uint32_t more(Use& left, std::set<Use>::const_iterator from) {
        std::uint32_t best = 0;
        for (auto ring = from; ring != rings_.end(); ++ring) {
            const bool fits = std::all_of(ring->begin(), ring->end(), [&](const auto& one) {
                return left[one.first] >= one.second;
            });
            if (fits) {
                for (const auto& [link, count] : *ring) {
                    left[link] -= count;
                }
                best = std::max(best, 1 + more(left, ring));
                for (const auto& [link, count] : *ring) {
                    left[link] += count;
                }
            }
        }
        return best;
    }

    const NvlinkGraph& graph_;
    double speed_;
    Hop hop_;
    std::set<Use> rings_;
};

// A lane up and one down for each GPU, and two between the even and the odd ones.
void add_lanes(NvlinkGraph& graph) {
    const std::size_t n = graph.gpus;
    const auto lane = [](std::size_t number) { return static_cast<std::uint16_t>(number); };
    graph.over_lanes.resize(n * n);
    graph.on_the_way.assign(n * n, Bandwidth(0));
    for (std::size_t i = 0; i < 2 * n + 2; ++i) {
        graph.lanes.push_back(Bandwidth(*rc::gen::element(10.0, 20.0, 30.0, 40.0)));
    }
    for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b) {
            graph.over_lanes[a * n + b] = {lane(2 * a), lane(2 * b + 1)};
            if (a % 2 != b % 2) {
                graph.over_lanes[a * n + b].push_back(lane(2 * n + a % 2));
            }
            graph.on_the_way[a * n + b] = Bandwidth(*rc::gen::element(12.0, 20.0, 40.0));
        }
    }
}

RC_GTEST_PROP(ChannelSearch, FindsTheMostOfAll, ()) {
    const auto gpus = *rc::gen::element<std::size_t>(2, 3, 4, 4, 5, 5);
    const std::size_t two = gpus < 5 ? 2 : 1;
    std::vector<std::array<std::size_t, 3>> links;
    for (std::size_t a = 0; a < gpus; ++a) {
        for (std::size_t b = a + 1; b < gpus; ++b) {
            links.push_back({a, b, *rc::gen::element<std::size_t>(0, 1, 1, two)});
        }
    }
    NvlinkGraph graph = graph_of(gpus, links);
    const double speed = *rc::gen::element(20.0, 15.0, 40.0);
    const Hop hop = *rc::gen::element(Hop::own_links, Hop::through_a_gpu, Hop::over_pcie);
    if (hop == Hop::over_pcie) {
        add_lanes(graph);
    }
    const Channels found = most_channels(graph, Bandwidth(speed), hop, 0);
    RC_ASSERT(found.is_exact);
    RC_ASSERT(found.count == Trial(graph, speed, hop).most());
}

// Of links that are there: a first one between two GPUs may take the place of a way through a third
// that carried more.
RC_GTEST_PROP(ChannelSearch, NeverFindsLessWithAFasterLink, ()) {
    const auto gpus = *rc::gen::element<std::size_t>(2, 3, 4, 5);
    std::vector<std::array<std::size_t, 3>> links;
    for (std::size_t a = 0; a < gpus; ++a) {
        for (std::size_t b = a + 1; b < gpus; ++b) {
            links.push_back({a, b, *rc::gen::element<std::size_t>(1, 1, 2, 3)});
        }
    }
    const Bandwidth speed(*rc::gen::element(20.0, 15.0, 40.0, 10.0));
    const Channels before = most_channels(graph_of(gpus, links), speed, Hop::own_links, 0);
    ++links[*rc::gen::inRange<std::size_t>(0, links.size())][2];
    const Channels after = most_channels(graph_of(gpus, links), speed, Hop::own_links, 0);
    RC_ASSERT(after.count >= before.count || !after.is_exact);
}

}  // namespace
}  // namespace hora::model
