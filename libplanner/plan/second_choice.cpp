// What would as many GPUs cost over the next slower link?
//
// In a part with that link the cheapest set is that of the cheapest GPUs (or nodes). If all of them
// lie in one part further inside, their link is a faster one: then the last of them gives way to
// the cheapest of another inner part.
#include "libplanner/plan/second_choice.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "libplanner/plan/place.hpp"

namespace hora::plan {

namespace {

using domain::no_part;

// Parts that hold the same are one class; clusters have few.
constexpr std::size_t most_classes = 64;

// A GPU, or a node with its best GPUs, that may become part of the set.
struct Offer {
    Price price;
    std::vector<std::uint32_t> gpus;
    std::uint32_t inner = no_part;  // part directly inside that holds it; or a number of its own

    friend bool operator<(const Offer& a, const Offer& b) {
        return std::tie(a.price, a.gpus) < std::tie(b.price, b.gpus);
    }
};

class Search {
  public:
    Search(Pricing& pricing, const FreeGpus& free, std::uint64_t count)
        : pricing_(pricing), cluster_(pricing.cluster()), free_(free), count_(count) {}

    std::optional<SecondChoice> find(std::uint32_t winner);

  private:
    bool is_below(std::uint32_t part, std::uint32_t above) const {
        while (part != no_part && part > above) {
            part = cluster_.parts[part].parent;
        }
        return part == above;
    }
    bool is_inside_node(std::uint32_t part) const {
        const domain::PartKind kind = cluster_.parts[part].kind;
        return kind != domain::PartKind::leaf_switch && kind != domain::PartKind::fabric;
    }
    std::vector<Offer> gpus_of(std::uint32_t part);
    std::vector<Offer> nodes_of(const std::vector<Offer>& gpus, std::uint32_t each) const;
    std::optional<SecondChoice> set_in(std::uint32_t part);
    std::optional<SecondChoice> choose(std::vector<Offer> offers, std::uint64_t wanted) const;
    std::string across(std::uint32_t part) const;

    Pricing& pricing_;
    const domain::Cluster& cluster_;
    const FreeGpus& free_;
    std::uint64_t count_;
};

// The free GPUs of a part, each by itself.
std::vector<Offer> Search::gpus_of(std::uint32_t part) {
    const std::uint64_t share = pricing_.share_of(count_);
    const Seconds exchange = pricing_.exchange(count_, cluster_.parts[part].link);
    std::vector<Seconds> steps;  // by device
    for (std::uint32_t device = 0; device < cluster_.devices.size(); ++device) {
        steps.push_back(pricing_.step_time(device, share, exchange));
    }
    std::vector<Offer> offers;
    for (std::uint32_t i = free_.range_of(part).first; i < free_.range_of(part).end; ++i) {
        const domain::Gpu& gpu = cluster_.gpus[i];
        if (!gpu.is_free || !is_below(gpu.part, part) ||
            share > pricing_.largest_share(gpu.device)) {
            continue;
        }
        std::uint32_t inner = gpu.part;
        while (inner != part && cluster_.parts[inner].parent != part) {
            inner = cluster_.parts[inner].parent;
        }
        // A GPU directly on the part has no other inside it.
        const auto alone = static_cast<std::uint32_t>(cluster_.parts.size()) + i;
        offers.push_back({pricing_.price(steps[gpu.device], cluster_.nodes[gpu.node].overhead),
                          {i},
                          inner == part ? alone : inner});
    }
    return offers;
}

// The cheapest `each` GPUs of each node, as one.
std::vector<Offer> Search::nodes_of(const std::vector<Offer>& gpus, std::uint32_t each) const {
    std::vector<Offer> nodes;
    for (auto first = gpus.begin(); first != gpus.end();) {
        const std::uint32_t node = cluster_.gpus[first->gpus[0]].node;
        const auto end = std::find_if(first, gpus.end(), [&](const Offer& one) {
            return cluster_.gpus[one.gpus[0]].node != node;
        });
        std::vector<Offer> own(first, end);
        first = end;
        if (own.size() < each) {
            continue;
        }
        std::sort(own.begin(), own.end());
        Offer all{own[each - 1].price, {}, own[0].inner};
        for (std::uint32_t i = 0; i < each; ++i) {
            all.gpus.push_back(own[i].gpus[0]);
        }
        nodes.push_back(std::move(all));
    }
    return nodes;
}

std::optional<SecondChoice> Search::choose(std::vector<Offer> offers, std::uint64_t wanted) const {
    if (wanted < 2 || offers.size() < wanted) {
        return std::nullopt;
    }
    std::sort(offers.begin(), offers.end());
    const auto is_elsewhere = [&](const Offer& one) { return one.inner != offers[0].inner; };
    const auto end = offers.begin() + static_cast<std::ptrdiff_t>(wanted);
    if (std::none_of(offers.begin(), end, is_elsewhere)) {
        const auto other = std::find_if(end, offers.end(), is_elsewhere);
        if (other == offers.end()) {
            return std::nullopt;
        }
        std::swap(*(end - 1), *other);
    }
    SecondChoice choice{{}, std::prev(end)->price, {}};
    for (auto at = offers.begin(); at != end; ++at) {
        for (const std::uint32_t gpu : at->gpus) {
            choice.members.push_back({gpu, 0});
        }
    }
    std::sort(choice.members.begin(), choice.members.end(),
              [](const auto& a, const auto& b) { return a.gpu < b.gpu; });
    return choice;
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
    const std::vector<Offer> gpus = gpus_of(part);
    const bool is_by_node = request.layout == domain::Layout::uniform;
    if (is_inside_node(part)) {
        const bool is_allowed =
            !is_by_node ||
            (request.min_nodes <= 1 &&
             request.gpus_per_node.value_or(static_cast<std::uint32_t>(count_)) == count_);
        auto choice = is_allowed ? choose(gpus, count_) : std::nullopt;
        if (choice) {
            choice->across = across(part);
        }
        return choice;
    }
    if (!is_by_node) {
        return choose(gpus, count_);
    }
    std::optional<SecondChoice> best;
    for (std::uint32_t nodes = std::max(2U, request.min_nodes);
         nodes <= std::min<std::uint64_t>(request.max_nodes, count_); ++nodes) {
        const auto each = static_cast<std::uint32_t>(count_ / nodes);
        if (count_ % nodes != 0 || request.gpus_per_node.value_or(each) != each) {
            continue;
        }
        auto choice = choose(nodes_of(gpus, each), nodes);
        if (choice && (!best || choice->price < best->price)) {
            best = std::move(choice);
        }
    }
    return best;
}

std::optional<SecondChoice> Search::find(std::uint32_t winner) {
    std::vector<const LinkClasses*> slower;
    for (const LinkClasses& link : free_.links()) {
        if (link.link.bandwidth < cluster_.parts[winner].link.bandwidth) {
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
            const std::vector<std::uint32_t>& parts = link->classes[i].parts;
            const auto own = std::find_if(parts.begin(), parts.end(), [&](std::uint32_t part) {
                return way_up.contains(part);
            });
            auto choice = set_in(own != parts.end() ? *own : parts.front());
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
    return Search(pricing, free, members.size()).find(spanning_part(pricing.cluster(), members));
}

}  // namespace hora::plan
