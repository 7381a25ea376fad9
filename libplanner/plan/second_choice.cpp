// What would as many GPUs cost over the next slower link?
//
// In a part with that link the cheapest set is that of the cheapest GPUs (or nodes). If all of them
// lie in one part further inside, their link is a faster one: then the last of them gives way to
// the cheapest of another inner part. On several nodes the GPUs are compared as if the exchange
// knew nothing of how many nodes they are on; the set then costs what it does.
#include "libplanner/plan/second_choice.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "libplanner/plan/price/set_link.hpp"

namespace hora::plan {

namespace {

using domain::no_part;

// Parts that hold the same are one class; clusters have few.
constexpr std::size_t most_classes = 64;

constexpr std::uint32_t no_node = std::numeric_limits<std::uint32_t>::max();

// A GPU that may become part of the set.
struct Candidate {
    Price price;
    std::uint32_t gpu = 0;
    std::uint32_t inner = no_part;  // part directly inside that holds it; or a number of its own

    auto order() const { return std::tie(price, gpu); }
};

// The first `count` candidates from one on: a GPU, or the best ones of a node.
struct Offer {
    Price price;  // of the last of them
    std::uint32_t first = 0;
    std::uint32_t count = 1;
    std::uint32_t inner = no_part;

    friend bool operator<(const Offer& a, const Offer& b) {
        return std::tie(a.price, a.first) < std::tie(b.price, b.first);
    }
};

class Search {
  public:
    Search(Pricing& pricing, const FreeGpus& free, std::uint64_t count)
        : pricing_(pricing), cluster_(pricing.cluster()), free_(free), count_(count) {}

    std::optional<SecondChoice> find(std::span<const std::uint32_t> winners);

  private:
    void find_candidates(std::uint32_t part);
    void add(const Candidate& own);
    std::vector<Offer> nodes_of(std::uint32_t each) const;
    std::vector<Offer> single_gpus() const;
    std::optional<SecondChoice> set_in(std::uint32_t part);
    std::optional<SecondChoice> choose(std::vector<Offer> offers, std::uint64_t wanted);
    Price price_of(const std::vector<domain::Member>& members);
    std::string across(std::uint32_t part) const;

    Pricing& pricing_;
    const domain::Cluster& cluster_;
    const FreeGpus& free_;
    std::uint64_t count_;
    // Of the part at hand, by node, the cheapest first; where each node begins, and the last ends.
    std::vector<Candidate> candidates_;
    std::vector<std::uint32_t> nodes_;
};

// The free GPUs of a part.
void Search::find_candidates(std::uint32_t part) {
    const std::uint64_t share = pricing_.share_of(count_);
    const domain::Part& around = cluster_.parts[part];
    const PartLink link{
        around.link, is_inside_node(around) ? Spread::one_node : Spread::unknown, {}};
    const std::vector<Seconds> steps =
        pricing_.step_times(share, pricing_.exchange(link.exchanging(count_, 1)));
    const GpuRange range = free_.range_of(part);
    candidates_.clear();
    candidates_.reserve(range.end - std::min(range.first, range.end));
    nodes_.clear();
    std::uint32_t node = no_node;      // of the candidate before
    std::uint32_t own_part = no_part;  // of the GPU before, and where that is
    std::uint32_t inner = no_part;
    for (std::uint32_t i = range.first; i < range.end; ++i) {
        const domain::Gpu& gpu = cluster_.gpus[i];
        if (!gpu.is_free || share > pricing_.largest_share(gpu.device)) {
            continue;
        }
        if (gpu.part != own_part) {
            own_part = gpu.part;
            inner = inner_part(cluster_, own_part, part);
        }
        if (inner == no_part) {
            continue;
        }
        if (gpu.node != node) {
            node = gpu.node;
            nodes_.push_back(static_cast<std::uint32_t>(candidates_.size()));
        }
        // A GPU directly on the part has no other inside it.
        const auto alone = static_cast<std::uint32_t>(cluster_.parts.size()) + i;
        add({pricing_.price(steps[gpu.device], cluster_.nodes[node].overhead), i,
             inner == part ? alone : inner});
    }
    nodes_.push_back(static_cast<std::uint32_t>(candidates_.size()));
}

// To its node, the last one. GPUs of one node mostly cost the same.
void Search::add(const Candidate& own) {
    auto at = candidates_.end();
    const auto first = candidates_.begin() + nodes_.back();
    while (at != first && own.order() < std::prev(at)->order()) {
        --at;
    }
    candidates_.insert(at, own);
}

std::vector<Offer> Search::single_gpus() const {
    std::vector<Offer> offers;
    offers.reserve(candidates_.size());
    for (const Candidate& one : candidates_) {
        offers.push_back({one.price, static_cast<std::uint32_t>(offers.size()), 1, one.inner});
    }
    return offers;
}

// The cheapest `each` GPUs of each node together.
std::vector<Offer> Search::nodes_of(std::uint32_t each) const {
    std::vector<Offer> offers;
    offers.reserve(nodes_.size());
    for (std::size_t node = 0; node + 1 < nodes_.size(); ++node) {
        const std::uint32_t first = nodes_[node];
        if (nodes_[node + 1] - first >= each) {
            offers.push_back(
                {candidates_[first + each - 1].price, first, each, candidates_[first].inner});
        }
    }
    return offers;
}

std::optional<SecondChoice> Search::choose(std::vector<Offer> offers, std::uint64_t wanted) {
    if (wanted < 2 || offers.size() < wanted) {
        return std::nullopt;
    }
    const auto end = offers.begin() + static_cast<std::ptrdiff_t>(wanted);
    std::nth_element(offers.begin(), end - 1, offers.end());
    const std::uint32_t inner = offers[0].inner;
    const auto is_elsewhere = [&](const Offer& one) { return one.inner != inner; };
    if (std::none_of(offers.begin(), end, is_elsewhere)) {
        const auto other = std::min_element(end, offers.end(), [&](const Offer& a, const Offer& b) {
            return std::pair(!is_elsewhere(a), a) < std::pair(!is_elsewhere(b), b);
        });
        if (other == offers.end() || !is_elsewhere(*other)) {
            return std::nullopt;
        }
        std::swap(*(end - 1), *other);
    }
    SecondChoice choice;
    choice.members.reserve(count_);
    for (auto at = offers.begin(); at != end; ++at) {
        for (std::uint32_t i = 0; i < at->count; ++i) {
            choice.members.push_back({candidates_[at->first + i].gpu, 0});
        }
    }
    std::sort(choice.members.begin(), choice.members.end(),
              [](const auto& a, const auto& b) { return a.gpu < b.gpu; });
    choice.price = price_of(choice.members);
    return choice;
}

Price Search::price_of(const std::vector<domain::Member>& members) {
    const Seconds exchange = pricing_.exchange(exchanging(cluster_, gpus_of(members)));
    Price worst{-1, 0};
    for (const domain::Member& member : members) {
        const domain::Gpu& gpu = cluster_.gpus[member.gpu];
        const Seconds step = pricing_.step_time(gpu.device, pricing_.share_of(count_), exchange);
        worst = std::max(worst, pricing_.price(step, cluster_.nodes[gpu.node].overhead));
    }
    return worst;
}

// What stands directly inside the part.
std::string Search::across(std::uint32_t part) const {
    for (std::uint32_t i = part + 1; i < cluster_.parts.size(); ++i) {
        const domain::Part& inner = cluster_.parts[i];
        if (inner.parent == part) {
            return inner.kind == domain::PartKind::socket ? "sockets" : "switches";
        }
    }
    return {};
}

std::optional<SecondChoice> Search::set_in(std::uint32_t part) {
    const domain::Request& request = pricing_.request();
    find_candidates(part);
    const bool is_by_node = request.layout == domain::Layout::uniform;
    if (is_inside_node(cluster_.parts[part])) {
        const bool is_allowed =
            !is_by_node ||
            (request.min_nodes <= 1 &&
             request.gpus_per_node.value_or(static_cast<std::uint32_t>(count_)) == count_);
        auto choice = is_allowed ? choose(single_gpus(), count_) : std::nullopt;
        if (choice) {
            choice->across = across(part);
        }
        return choice;
    }
    if (!is_by_node) {
        return choose(single_gpus(), count_);
    }
    std::optional<SecondChoice> best;
    for (std::uint32_t nodes = std::max(2U, request.min_nodes);
         nodes <= std::min<std::uint64_t>(request.max_nodes, count_); ++nodes) {
        const auto each = static_cast<std::uint32_t>(count_ / nodes);
        if (count_ % nodes != 0 || request.gpus_per_node.value_or(each) != each) {
            continue;
        }
        auto choice = choose(nodes_of(each), nodes);
        if (choice && (!best || choice->price < best->price)) {
            best = std::move(choice);
        }
    }
    return best;
}

std::optional<SecondChoice> Search::find(std::span<const std::uint32_t> winners) {
    const std::uint32_t winner = spanning_part(cluster_, winners);
    const Bandwidth bandwidth = link_of(cluster_, winners).bandwidth;
    std::vector<const LinkClasses*> slower;
    for (const LinkClasses& link : free_.links()) {
        if (link.link.bandwidth < bandwidth) {
            slower.push_back(&link);
        }
    }
    std::stable_sort(slower.begin(), slower.end(), [](const auto* a, const auto* b) {
        return a->link.bandwidth > b->link.bandwidth;
    });
    std::set<std::uint32_t> way_up;
    for (std::uint32_t part = winner; part != no_part; part = cluster_.parts[part].parent) {
        way_up.insert(part);
    }
    for (const LinkClasses* const link : slower) {
        std::optional<SecondChoice> best;
        bool is_on_way = false;
        for (std::size_t i = 0; i < std::min(most_classes, link->classes.size()); ++i) {
            if (link->classes[i].only != 0) {
                continue;  // a worse set of a mesh is no other place
            }
            const std::vector<std::uint32_t>& parts = link->classes[i].parts;
            const auto first = std::find_if(parts.begin(), parts.end(), [&](std::uint32_t part) {
                return part < cluster_.parts.size();
            });
            if (first == parts.end()) {
                continue;  // some nodes of a part are among its own
            }
            const auto own = std::find_if(parts.begin(), parts.end(), [&](std::uint32_t part) {
                return way_up.contains(part);
            });
            auto choice = set_in(own != parts.end() ? *own : *first);
            const bool is_better =
                choice && (!best || std::pair(choice->price, own == parts.end()) <
                                        std::pair(best->price, !is_on_way));
            if (is_better) {
                best = std::move(choice);
                is_on_way = own != parts.end();
            }
        }
        if (best) {
            return best;
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<SecondChoice> second_choice(Pricing& pricing, const FreeGpus& free,
                                          const Point& chosen,
                                          const std::vector<domain::Member>& members) {
    if (chosen.mode != domain::Mode::sync) {
        return std::nullopt;
    }
    return Search(pricing, free, members.size()).find(gpus_of(members));
}

}  // namespace hora::plan
