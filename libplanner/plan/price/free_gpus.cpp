// Which free GPUs does each part of the cluster hold, counted by what makes them differ?
#include "libplanner/plan/price/free_gpus.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace hora::plan {

namespace {

void count(Shape& shape, std::uint32_t device, std::uint32_t more) {
    const auto at = std::find_if(shape.begin(), shape.end(),
                                 [&](const Kind& kind) { return kind.device >= device; });
    if (at != shape.end() && at->device == device) {
        at->count += more;
    } else {
        shape.insert(at, Kind{device, more});
    }
}

void mix(std::size_t& hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29U;
}

std::size_t hash_of(const std::vector<Group>& groups) {
    std::size_t hash = groups.size();
    for (const Group& group : groups) {
        mix(hash, group.shape);
        for (const Run& run : group.runs) {
            mix(hash, std::bit_cast<std::uint64_t>(run.overhead.count()));
            mix(hash, run.upto);
        }
    }
    return hash;
}

// Free GPUs that can train, by node: those of node i lie from first[i] to first[i + 1].
struct Usable {
    std::vector<std::uint32_t> gpus;
    std::vector<std::uint32_t> first;

    explicit Usable(const Pricing& pricing) {
        const domain::Cluster& cluster = pricing.cluster();
        gpus.reserve(cluster.gpus.size());
        first.reserve(cluster.nodes.size() + 1);
        for (std::uint32_t i = 0; i < cluster.gpus.size(); ++i) {
            const domain::Gpu& gpu = cluster.gpus[i];
            first.resize(std::max<std::size_t>(first.size(), gpu.node + 1),
                         static_cast<std::uint32_t>(gpus.size()));
            if (gpu.is_free && pricing.largest_share(gpu.device) > 0) {
                gpus.push_back(i);
            }
        }
        first.resize(cluster.nodes.size() + 1, static_cast<std::uint32_t>(gpus.size()));
    }
    std::span<const std::uint32_t> of(std::uint32_t node) const {
        return std::span(gpus).subspan(first[node], first[node + 1] - first[node]);
    }
};

bool have_one_inside(const domain::Cluster& cluster, const Usable& usable) {
    std::optional<domain::Link> first;
    for (std::uint32_t node = 0; node < cluster.nodes.size(); ++node) {
        if (!usable.of(node).empty()) {
            const domain::Link own = link_inside_node(cluster, usable.of(node).front());
            if (own != first.value_or(own)) {
                return false;
            }
            first = own;
        }
    }
    return true;
}

// Indices of the links, each link once.
class LinkIndex {
  public:
    std::size_t index_of(domain::PartKind kind, const PartLink& link,
                         std::vector<LinkClasses>& links) {
        auto& [latest, index] = latest_[static_cast<std::size_t>(kind)];
        if (latest != link) {
            const auto [entry, is_new] = known_.emplace(
                Key{link.spread, link.link.bandwidth.count(), link.link.latency.count(),
                    link.inside.bandwidth.count(), link.inside.latency.count()},
                links.size());
            if (is_new) {
                links.push_back({link, {}});
            }
            latest = link;
            index = entry->second;
        }
        return index;
    }

  private:
    using Key = std::tuple<Spread, double, double, double, double>;
    std::map<Key, std::size_t> known_;
    // Parts of one kind mostly have one link.
    std::array<std::pair<std::optional<PartLink>, std::size_t>, domain::part_kind_names.size()>
        latest_;
};

}  // namespace

std::uint64_t units_of(std::span<const Group> groups) {
    std::uint64_t units = 0;
    for (const Group& group : groups) {
        units += group.units();
    }
    return units;
}

Shape shape_of(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus) {
    Shape shape;
    for (const std::uint32_t gpu : gpus) {
        count(shape, cluster.gpus[gpu].device, 1);
    }
    return shape;
}

FreeGpus::FreeGpus(const Pricing& pricing, domain::Layout layout) {
    const domain::Cluster& cluster = pricing.cluster();
    contents_.resize(cluster.parts.size());
    ranges_.resize(cluster.parts.size(), {domain::no_part, 0});
    first_mesh_part_ = static_cast<std::uint32_t>(cluster.parts.size());
    offers_.resize(cluster.parts.size());
    inside_.resize(cluster.parts.size());
    id_of_one_kind_.resize(cluster.devices.size());
    count_nodes(pricing, layout);
    first_some_nodes_ = static_cast<std::uint32_t>(contents_.size());
    add_some_nodes(layout);
    classify(cluster, layout);
    if (layout == domain::Layout::uniform) {
        shapes_ = std::move(portions_);
        return;
    }
    for (std::uint32_t device = 0; device < cluster.devices.size(); ++device) {
        shapes_.push_back({{device, 1}});
    }
}

void FreeGpus::count_nodes(const Pricing& pricing, domain::Layout layout) {
    const domain::Cluster& cluster = pricing.cluster();
    const Usable usable(pricing);
    are_insides_alike_ = have_one_inside(cluster, usable);
    std::vector<std::uint32_t> order(cluster.nodes.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto by_overhead = [&](std::uint32_t a, std::uint32_t b) {
        return cluster.nodes[a].overhead < cluster.nodes[b].overhead;
    };
    if (!std::is_sorted(order.begin(), order.end(), by_overhead)) {
        std::stable_sort(order.begin(), order.end(), by_overhead);
    }
    MeshSets sets(cluster);
    for (const std::uint32_t node : order) {
        const auto gpus = usable.of(node);
        total_ += gpus.size();
        most_in_a_node_ = std::max(most_in_a_node_, static_cast<std::uint32_t>(gpus.size()));
        count_node(cluster, gpus);
        const domain::Link inside =
            gpus.empty() ? domain::Link{} : link_inside_node(cluster, gpus.front());
        for (const auto& [part, shape] : std::span(node_).first(parts_of_node_)) {
            const std::uint32_t portion = portion_id(shape);
            add_portion({part, portion, cluster.nodes[node].overhead}, layout);
            if (!is_inside_node(cluster.parts[part])) {
                add_offer(part, {node, portion, cluster.nodes[node].overhead, inside}, layout);
            }
        }
        if (cluster.nodes[node].mesh != domain::no_mesh && !gpus.empty()) {
            add_mesh(cluster, sets, node, gpus);
        }
    }
}

std::uint32_t FreeGpus::portion_id(const Shape& shape) {
    std::uint32_t* known = nullptr;
    if (shape.size() == 1) {
        auto& ids = id_of_one_kind_[shape[0].device];
        ids.resize(std::max<std::size_t>(ids.size(), shape[0].count + 1));
        known = &ids[shape[0].count];
        if (*known != 0) {
            return *known - 1;
        }
    } else if (const auto at = std::find(portions_.begin(), portions_.end(), shape);
               at != portions_.end()) {
        return static_cast<std::uint32_t>(at - portions_.begin());
    }
    portions_.push_back(shape);
    const auto id = static_cast<std::uint32_t>(portions_.size() - 1);
    if (known != nullptr) {
        *known = id + 1;
    }
    return id;
}

// GPUs of one type under one part go up the tree together.
void FreeGpus::count_node(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus) {
    parts_of_node_ = 0;
    for (std::size_t first = 0; first < gpus.size();) {
        const domain::Gpu& gpu = cluster.gpus[gpus[first]];
        std::size_t end = first;
        while (end < gpus.size() && cluster.gpus[gpus[end]].part == gpu.part &&
               cluster.gpus[gpus[end]].device == gpu.device) {
            ++end;
        }
        for (std::uint32_t part = gpu.part; part != domain::no_part;
             part = cluster.parts[part].parent) {
            count(shape_in_node(part), gpu.device, static_cast<std::uint32_t>(end - first));
            ranges_[part].first = std::min(ranges_[part].first, gpus[first]);
            ranges_[part].end = std::max(ranges_[part].end, gpus[end - 1] + 1);
        }
        first = end;
    }
    if (!gpus.empty() && cluster.nodes[cluster.gpus[gpus[0]].node].mesh != domain::no_mesh) {
        const auto end = node_.begin() + static_cast<std::ptrdiff_t>(parts_of_node_);
        const auto inside = std::remove_if(node_.begin(), end, [&](const auto& one) {
            return is_inside_node(cluster.parts[one.first]);
        });
        parts_of_node_ -= static_cast<std::size_t>(end - inside);
    }
}

// In memory that other nodes have used: there are many nodes.
Shape& FreeGpus::shape_in_node(std::uint32_t part) {
    const auto end = node_.begin() + static_cast<std::ptrdiff_t>(parts_of_node_);
    auto at = std::find_if(node_.begin(), end, [&](const auto& one) { return one.first == part; });
    if (at == end) {
        if (at == node_.end()) {
            at = node_.insert(at, {part, {}});
        }
        at->first = part;
        at->second.clear();
        ++parts_of_node_;
    }
    return at->second;
}

void FreeGpus::add_mesh(const domain::Cluster& cluster, MeshSets& sets, std::uint32_t node,
                        std::span<const std::uint32_t> gpus) {
    const domain::Node& one = cluster.nodes[node];
    const std::vector<MeshSet>& best = sets.best_of(one.mesh, mesh_set_of(cluster, gpus));
    most_in_a_mesh_ = std::max(most_in_a_mesh_, static_cast<std::uint32_t>(gpus.size()));
    for (std::uint32_t count = 1; count < best.size(); ++count) {
        const auto part = static_cast<std::uint32_t>(contents_.size());
        const Shape shape{{cluster.gpus[gpus.front()].device, count}};
        contents_.push_back({{part, portion_id(shape), one.overhead}, {}});
        ranges_.push_back({gpus.front(), gpus.back() + 1});
        mesh_parts_.push_back({node, best[count], sets.link_of(one.mesh, best[count])});
    }
}

// Nodes come by overhead. Where all are alike inside, not more of them are kept than it takes.
void FreeGpus::add_offer(std::uint32_t part, const NodeOffer& offer, domain::Layout layout) {
    inside_[part] =
        inside_[part] == domain::Link{} ? offer.inside : slower_of(inside_[part], offer.inside);
    std::vector<NodeOffer>& known = offers_[part];
    const bool is_needed = !are_insides_alike_ ||
                           (layout == domain::Layout::any && !is_beaten(offer, known, portions_));
    if (is_needed) {
        known.push_back(offer);
    }
}

void FreeGpus::add_some_nodes(domain::Layout layout) {
    const auto add = [&](std::uint32_t outer, const domain::Link& inside,
                         std::span<const NodeOffer> nodes) {
        const auto part = static_cast<std::uint32_t>(contents_.size());
        const GpuRange range = ranges_[outer];
        contents_.emplace_back();
        ranges_.push_back(range);
        some_nodes_.push_back({outer, inside, {}});
        for (const NodeOffer& offer : nodes) {
            add_portion({part, offer.portion, offer.overhead}, layout);
            if (layout == domain::Layout::any) {
                some_nodes_.back().pair.push_back(offer.node);
            }
        }
    };
    for (std::uint32_t part = 0; part < offers_.size(); ++part) {
        for (const std::vector<NodeOffer>& level : levels_of(offers_[part])) {
            const domain::Link inside = slowest_inside(level);
            if (layout == domain::Layout::any) {
                for (const std::vector<NodeOffer>& pair : pairs_of(level, portions_)) {
                    add(part, inside, pair);
                }
            } else if (inside != inside_[part]) {
                add(part, inside, level);
            }
        }
    }
    offers_.clear();
}

void FreeGpus::add_portion(const Portion& portion, domain::Layout layout) {
    PartContent& content = contents_[portion.part];
    if (content.first.part == domain::no_part) {
        content.first = portion;
        return;
    }
    if (content.groups.empty()) {
        add_groups(content.groups, content.first, layout);
    }
    add_groups(content.groups, portion, layout);
}

// Nodes come by overhead, so a group's runs do as well.
void FreeGpus::add_groups(std::vector<Group>& groups, const Portion& portion,
                          domain::Layout layout) const {
    const auto add = [&](std::uint32_t shape, std::uint64_t units) {
        auto at = std::lower_bound(
            groups.begin(), groups.end(), shape,
            [](const Group& group, std::uint32_t wanted) { return group.shape < wanted; });
        if (at == groups.end() || at->shape != shape) {
            at = groups.insert(at, Group{shape, {}});
        }
        at->add(portion.overhead, units);
    };
    if (layout == domain::Layout::uniform) {
        add(portion.shape, 1);
        return;
    }
    for (const Kind& kind : portions_[portion.shape]) {
        add(kind.device, kind.count);
    }
}

PartLink FreeGpus::link_of(const domain::Cluster& cluster, std::uint32_t part,
                           domain::Layout layout) const {
    if (const MeshPart* const mesh = mesh_part(part)) {
        return {mesh->link, Spread::one_node, {}};
    }
    const bool is_any = layout == domain::Layout::any;
    if (const SomeNodes* const some = some_nodes(part)) {
        return {cluster.parts[some->outer].link, is_any ? Spread::two_nodes : Spread::by_unit,
                some->inside};
    }
    const domain::Part& own = cluster.parts[part];
    if (is_inside_node(own)) {
        return {own.link, Spread::one_node, {}};
    }
    return is_any ? PartLink{own.link, Spread::unknown, {}}
                  : PartLink{own.link, Spread::by_unit, inside_[part]};
}

void FreeGpus::classify(const domain::Cluster& cluster, domain::Layout layout) {
    LinkIndex index_of_link;
    std::unordered_multimap<std::size_t, ClassKey> known;
    // The class of the part seen last with this link and this one portion.
    std::vector<std::vector<std::pair<std::size_t, Seconds>>> latest;
    constexpr std::size_t none = ~std::size_t{0};
    // Links of the parts further inside come last.
    for (std::size_t i = 0; i < contents_.size(); ++i) {
        const auto part = static_cast<std::uint32_t>((first_some_nodes_ + i) % contents_.size());
        PartContent& content = contents_[part];
        if (content.first.part == domain::no_part) {
            continue;
        }
        const MeshPart* const mesh = mesh_part(part);
        const SomeNodes* const some = some_nodes(part);
        const domain::PartKind kind =
            mesh != nullptr ? domain::PartKind::node
                            : cluster.parts[some == nullptr ? part : some->outer].kind;
        const std::size_t link =
            index_of_link.index_of(kind, link_of(cluster, part, layout), links_);
        const auto only =
            static_cast<std::uint32_t>(mesh == nullptr ? 0 : std::popcount(mesh->set));
        std::vector<PartClass>& classes = links_[link].classes;
        if (latest.size() < links_.size()) {
            latest.resize(links_.size(),
                          std::vector(portions_.size(), std::pair(none, Seconds(0))));
        }
        std::pair<std::size_t, Seconds>* last = nullptr;
        if (content.groups.empty()) {
            last = &latest[link][content.first.shape];
            if (last->first != none && last->second == content.first.overhead &&
                classes[last->first].only == only) {
                classes[last->first].parts.push_back(part);
                continue;
            }
            add_groups(content.groups, content.first, layout);
        }
        std::size_t hash = hash_of(content.groups);
        mix(hash, link);
        mix(hash, only);
        const auto [first, end] = known.equal_range(hash);
        const auto same = std::find_if(first, end, [&](const auto& one) {
            const auto& [other, place] = one.second;
            return other == link && classes[place].only == only &&
                   classes[place].groups == content.groups;
        });
        const std::size_t index = same != end ? same->second.second : classes.size();
        if (same != end) {
            classes[index].parts.push_back(part);
        } else {
            known.emplace(hash, std::pair{link, index});
            const std::uint64_t units = units_of(content.groups);
            classes.push_back({std::move(content.groups), units, {part}, only});
        }
        if (last != nullptr) {
            *last = {index, content.first.overhead};
        }
    }
    for (LinkClasses& link : links_) {
        std::stable_sort(link.classes.begin(), link.classes.end(),
                         [](const PartClass& a, const PartClass& b) { return a.units > b.units; });
    }
    contents_.clear();
}

}  // namespace hora::plan
