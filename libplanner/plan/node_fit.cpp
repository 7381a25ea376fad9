// Which GPUs of one node lie closest together and break fewest groups of free ones?
//
// For every part of the node and every count, from the smallest parts up, the best choice inside
// the part is kept: what is broken in different parts adds up, so the best of a part is made of the
// best of the parts inside it. Between equals the lower GPUs win, and that adds up as well.
// A choice crosses the link of the part that holds it, so one over fast links is one inside a part
// that has such a link.
#include "libplanner/plan/node_fit.hpp"

#include "libplanner/plan/price/set_link.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

namespace hora::plan {

namespace {

constexpr double no_link = std::numeric_limits<double>::infinity();

template <class Value>
void add(std::string& text, const Value& value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    text.append(bytes, sizeof value);
}

// A choice inside one part, of as many GPUs as its place in a table says.
struct Inner {
    Broken broken;
    GpuSet picks;

    auto worth() const { return std::tie(broken, picks); }
};
using Table = std::vector<Inner>;  // by count

// A part of the node at hand.
struct Local {
    std::uint32_t part = 0;
    std::uint32_t parent = domain::no_part;  // index into the node's parts
    double link = 0;
    std::uint32_t gpus = 0;
    std::uint32_t free = 0;
    Table table = Table(1);

    Broken broken_by(std::size_t taken) const {
        if (taken == 0 || taken >= free) {
            return {};
        }
        return free == gpus ? Broken{1, 0} : Broken{0, 1};
    }
};

Table merge(const Table& a, const Table& b) {
    Table both(a.size() + b.size() - 1, {{~0U, ~0U}, {}});
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < b.size(); ++j) {
            Inner one = a[i];
            one.broken += b[j].broken;
            one.picks |= b[j].picks;
            if (one.worth() < both[i + j].worth()) {
                both[i + j] = one;
            }
        }
    }
    return both;
}

// The lowest ones first: they are all alike.
Table table_of(const std::vector<std::uint32_t>& gpus) {
    Table table(1);
    for (const std::uint32_t gpu : gpus) {
        table.push_back(table.back());
        table.back().picks.add(gpu);
    }
    return table;
}

class Solver {
  public:
    Solver(const domain::Cluster& cluster, std::uint32_t first)
        : cluster_(cluster), first_(first) {}

    // Every set is looked at: there are few GPUs, and no part shows what a set exchanges.
    std::vector<std::vector<NodeChoice>> solve(const domain::Mesh& mesh,
                                               std::span<const std::uint32_t> eligible) {
        find_parts();
        const MeshSet all = mesh_set_of(cluster_, eligible);
        std::vector<std::vector<NodeChoice>> choices(eligible.size() + 1);
        for (MeshSet set = all; set != 0; set = (set - 1) & all) {
            choices[static_cast<std::size_t>(std::popcount(set))].push_back(choice_of(mesh, set));
        }
        for (std::vector<NodeChoice>& some : choices) {
            some = ever_better(std::move(some));
        }
        return choices;
    }

    std::vector<std::vector<NodeChoice>> solve(std::span<const std::uint32_t> eligible) {
        find_parts();
        fill_tables(eligible);
        std::vector<std::vector<NodeChoice>> choices(eligible.size() + 1);
        for (std::size_t count = 1; count <= eligible.size(); ++count) {
            choices[count] = choices_of(count);
        }
        return choices;
    }

  private:
    void find_parts();
    void fill_tables(std::span<const std::uint32_t> eligible);
    std::vector<NodeChoice> choices_of(std::size_t count) const;
    NodeChoice choice_of(const domain::Mesh& mesh, MeshSet set) const;
    static std::vector<NodeChoice> ever_better(std::vector<NodeChoice> all);

    // The place of a part of the cluster among those of the node; no_part: it is outside.
    std::uint32_t place_of(std::uint32_t part) const {
        if (part == domain::no_part || !is_inside_node(cluster_.parts[part])) {
            return domain::no_part;
        }
        const auto at = std::lower_bound(
            parts_.begin(), parts_.end(), part,
            [](const Local& one, std::uint32_t wanted) { return one.part < wanted; });
        return static_cast<std::uint32_t>(at - parts_.begin());
    }

    const domain::Cluster& cluster_;
    std::uint32_t first_;       // GPU
    std::vector<Local> parts_;  // parents before children
    Table whole_ = Table(1);    // of all parts that have no parent inside
};

void Solver::find_parts() {
    const std::vector<domain::Gpu>& gpus = cluster_.gpus;
    for (std::uint32_t gpu = first_; gpu < gpus.size() && gpus[gpu].node == gpus[first_].node;
         ++gpu) {
        for (std::uint32_t part = gpus[gpu].part; place_of(part) != domain::no_part;
             part = cluster_.parts[part].parent) {
            auto at = parts_.begin() + place_of(part);
            if (at == parts_.end() || at->part != part) {
                at = parts_.insert(at, Local());
                at->part = part;
                at->link = cluster_.parts[part].link.bandwidth.count();
            }
            at->gpus += 1;
            at->free += gpus[gpu].is_free ? 1 : 0;
        }
    }
    for (Local& local : parts_) {
        local.parent = place_of(cluster_.parts[local.part].parent);
    }
}

void Solver::fill_tables(std::span<const std::uint32_t> eligible) {
    std::vector<std::vector<std::uint32_t>> own(parts_.size() + 1);  // the last: outside of all
    for (const std::uint32_t gpu : eligible) {
        const std::uint32_t place = place_of(cluster_.gpus[gpu].part);
        own[std::min<std::size_t>(place, parts_.size())].push_back(gpu - first_);
    }
    whole_ = table_of(own.back());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        parts_[i].table = table_of(own[i]);
    }
    for (std::size_t i = parts_.size(); i-- > 0;) {
        Local& local = parts_[i];
        for (std::size_t count = 0; count < local.table.size(); ++count) {
            local.table[count].broken += local.broken_by(count);
        }
        Table& outer = local.parent == domain::no_part ? whole_ : parts_[local.parent].table;
        outer = merge(outer, local.table);
    }
}

std::vector<NodeChoice> Solver::choices_of(std::size_t count) const {
    std::vector<NodeChoice> all;
    for (const Local& local : parts_) {
        if (count >= local.table.size()) {
            continue;
        }
        const Inner& inner = local.table[count];
        Broken broken = inner.broken;
        for (std::uint32_t above = local.parent; above != domain::no_part;
             above = parts_[above].parent) {
            broken += parts_[above].broken_by(count);
        }
        all.push_back({count == 1 ? no_link : local.link, broken, inner.picks});
    }
    all.push_back({count == 1 ? no_link : 0, whole_[count].broken, whole_[count].picks});
    return ever_better(std::move(all));
}

NodeChoice Solver::choice_of(const domain::Mesh& mesh, MeshSet set) const {
    const bool is_alone = std::has_single_bit(set);
    NodeChoice choice{is_alone ? no_link : mesh.bandwidths[set].count(), {}, {}};
    std::vector<std::uint32_t> taken(parts_.size(), 0);
    for (std::uint32_t i = 0; i < mesh.gpus; ++i) {
        if ((set >> i & 1U) == 0) {
            continue;
        }
        choice.picks.add(i);
        for (std::uint32_t place = place_of(cluster_.gpus[first_ + i].part);
             place != domain::no_part; place = parts_[place].parent) {
            ++taken[place];
        }
    }
    for (std::size_t place = 0; place < parts_.size(); ++place) {
        choice.broken += parts_[place].broken_by(taken[place]);
    }
    return choice;
}

// Over ever slower links, each better than those over faster ones.
std::vector<NodeChoice> Solver::ever_better(std::vector<NodeChoice> all) {
    std::sort(all.begin(), all.end(), [](const NodeChoice& a, const NodeChoice& b) {
        return a.link != b.link ? a.link > b.link : a.worth() < b.worth();
    });
    std::vector<NodeChoice> best;
    for (const NodeChoice& one : all) {
        if (best.empty() || one.worth() < best.back().worth()) {
            best.push_back(one);
        }
    }
    return best;
}

}  // namespace

const NodeChoice& NodeFit::best(std::size_t count, double link) const {
    const std::vector<NodeChoice>& all = choices_[count];
    const auto slower = std::find_if(all.begin() + 1, all.end(),
                                     [&](const NodeChoice& one) { return one.link < link; });
    return *std::prev(slower);
}

std::uint32_t NodeFit::most_over(double link) const {
    std::uint32_t count = most();
    while (count > 1 && fastest_link(count) < link) {
        --count;
    }
    return count;
}

std::uint32_t NodeFits::first_of_node(std::uint32_t gpu) const {
    while (gpu > 0 && cluster_.gpus[gpu - 1].node == cluster_.gpus[gpu].node) {
        --gpu;
    }
    return gpu;
}

// Equal for nodes of equal parts and meshes whose GPUs are free and eligible alike.
void NodeFits::describe(std::uint32_t first, std::span<const std::uint32_t> eligible) {
    description_.clear();
    const std::vector<domain::Gpu>& gpus = cluster_.gpus;
    std::uint32_t latest = domain::no_part;
    std::uint32_t lowest = domain::no_part;  // parts are named by their distance from this one
    std::size_t next = 0;
    for (std::uint32_t gpu = first; gpu < gpus.size() && gpus[gpu].node == gpus[first].node;
         ++gpu) {
        const bool is_eligible = next < eligible.size() && eligible[next] == gpu;
        next += is_eligible ? 1 : 0;
        description_ += static_cast<char>((gpus[gpu].is_free ? 1 : 0) + (is_eligible ? 2 : 0));
        if (gpus[gpu].part == latest) {
            continue;
        }
        latest = gpus[gpu].part;
        lowest = lowest == domain::no_part ? latest : lowest;
        description_ += '/';
        const std::size_t depth = description_.size();
        description_ += '\0';
        for (std::uint32_t part = latest;
             part != domain::no_part && is_inside_node(cluster_.parts[part]);
             part = cluster_.parts[part].parent) {
            ++description_[depth];
            add(description_, part - lowest);
            add(description_, cluster_.parts[part].link.bandwidth.count());
        }
    }
}

const NodeFit* NodeFits::find(Closeness closeness, std::span<const std::uint32_t> eligible) {
    const std::uint32_t first = first_of_node(eligible.front());
    if (eligible.back() - first >= GpuSet::most) {
        return nullptr;
    }
    describe(first, eligible);
    const std::uint32_t own = cluster_.nodes[cluster_.gpus[first].node].mesh;
    const std::uint32_t mesh = closeness == Closeness::of_all ? own : domain::no_mesh;
    add(description_, mesh);
    const auto known = known_.find(description_);
    if (known != known_.end()) {
        return &known->second;
    }
    Solver solver(cluster_, first);
    NodeFit fit(mesh == domain::no_mesh ? solver.solve(eligible)
                                        : solver.solve(cluster_.meshes[mesh], eligible));
    return &known_.emplace(description_, std::move(fit)).first->second;
}

}  // namespace hora::plan
