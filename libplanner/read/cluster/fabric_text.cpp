// Which switches does Slurm know between the nodes, and which nodes hang on them?
// Keys: SwitchName, Switches, Nodes, BlockName, AggregatedBlock, BlockSizes; any case.
#include "libplanner/read/cluster/fabric_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "libplanner/read/quoted.hpp"
#include "libplanner/read/slurm/conf_line.hpp"
#include "libplanner/read/slurm/hostlist.hpp"
#include "libplanner/read/whole_number.hpp"
#include "libplanner/read/words.hpp"

namespace hora::read {
namespace {

using domain::no_fabric_switch;

constexpr std::size_t most_text = std::size_t{16} << 20;
constexpr std::size_t most_names = 100'000;  // of nodes, and of switches
constexpr std::size_t most_levels = 64;

class Reader {
  public:
    Expected<NamedFabric> read(std::string_view text);

  private:
    Expected<void> take(const ConfFields& fields);
    Expected<void> add_switch(const std::string& name, std::string_view nodes,
                              std::string_view below);
    Expected<void> add_nodes(std::uint32_t at, std::string_view list);
    Expected<void> take_block_sizes(std::string_view list);
    Expected<std::vector<std::string>> expand(std::string_view list);
    void connect();
    void gather_blocks();
    Expected<void> check_levels() const;

    struct Above {
        std::uint32_t at = 0;
        std::vector<std::string> below;  // of an aggregate, all blocks and not only what is next
    };

    NamedFabric result_;
    std::unordered_map<std::string, std::uint32_t> switches_;
    std::unordered_map<std::string, std::uint32_t> nodes_;
    std::vector<Above> above_;
    std::vector<std::uint32_t> blocks_;
    std::vector<std::uint64_t> block_sizes_;
    std::size_t names_ = 0;
};

// Names repeat from level to level, so more are expanded than there are.
Expected<std::vector<std::string>> Reader::expand(std::string_view list) {
    list = list.substr(0, list.find_last_not_of(',') + 1);
    auto names = list.empty() ? std::vector<std::string>() : expand_hostlist(list, most_names);
    if (names && (names_ += names->size()) > 4 * most_names) {
        return failure(fmt::format("more than {} names in all", 4 * most_names));
    }
    return names;
}

Expected<void> Reader::add_nodes(std::uint32_t at, std::string_view list) {
    auto names = expand(list);
    if (!names) {
        return unexpected(names.error());
    }
    for (std::string& name : *names) {
        const auto index = static_cast<std::uint32_t>(result_.nodes.size());
        if (!nodes_.emplace(name, index).second) {
            continue;
        }
        if (index == most_names) {
            return failure(fmt::format("more than {} nodes", most_names));
        }
        result_.nodes.push_back(std::move(name));
        result_.fabric.attached_to.push_back(at);
    }
    return {};
}

Expected<void> Reader::add_switch(const std::string& name, std::string_view nodes,
                                  std::string_view below) {
    const auto index = static_cast<std::uint32_t>(result_.fabric.switches.size());
    if (!switches_.emplace(name, index).second) {
        return failure(fmt::format("{} is there twice", quoted(name)));
    }
    if (index == most_names) {
        return failure(fmt::format("more than {} switches", most_names));
    }
    result_.fabric.switches.push_back({name, no_fabric_switch});
    if (below.empty()) {
        return nodes.empty() ? Expected<void>() : add_nodes(index, nodes);
    }
    // Its Nodes= are those of the leaves below.
    auto names = expand(below);
    if (!names) {
        return unexpected(names.error());
    }
    above_.push_back({index, *std::move(names)});
    return {};
}

Expected<void> Reader::take_block_sizes(std::string_view list) {
    while (!list.empty()) {
        const auto size = parse_whole_number(take_until(list, ','), {.min = 1, .max = 1u << 30});
        if (!size) {
            return unexpected(size.error().within("BlockSizes"));
        }
        block_sizes_.push_back(*size);
    }
    std::sort(block_sizes_.begin(), block_sizes_.end());
    return {};
}

Expected<void> Reader::take(const ConfFields& fields) {
    const auto value = [&](std::string_view key) {
        const auto found = fields.find(key);
        return found == fields.end() ? std::string() : found->second;
    };
    if (const std::string name = value("switchname"); !name.empty()) {
        return add_switch(name, value("nodes"), value("switches"));
    }
    if (const std::string name = value("blockname"); !name.empty()) {
        blocks_.push_back(static_cast<std::uint32_t>(result_.fabric.switches.size()));
        return add_switch(name, value("nodes"), "");
    }
    if (const std::string name = value("aggregatedblock"); !name.empty()) {
        return add_switch(name, "", name);
    }
    return take_block_sizes(value("blocksizes"));
}

// Smaller aggregates first: each then takes what nothing has joined yet, and of the rest the tops.
void Reader::connect() {
    if (!blocks_.empty()) {
        std::stable_sort(above_.begin(), above_.end(), [](const Above& a, const Above& b) {
            return a.below.size() < b.below.size();
        });
    }
    auto& switches = result_.fabric.switches;
    for (const Above& above : above_) {
        for (const std::string& name : above.below) {
            const auto found = switches_.find(name);
            if (found == switches_.end()) {
                continue;
            }
            std::uint32_t top = found->second;
            for (std::size_t i = 0;
                 !blocks_.empty() && i < most_levels && switches[top].parent != no_fabric_switch;
                 ++i) {
                top = switches[top].parent;
            }
            if (top != above.at && switches[top].parent == no_fabric_switch) {
                switches[top].parent = above.at;
            }
        }
    }
}

// topology.conf has only the sizes: so many blocks that follow each other make a greater one.
void Reader::gather_blocks() {
    std::vector<std::uint32_t> level = blocks_;
    for (std::size_t i = 1; i < block_sizes_.size() && level.size() > 1; ++i) {
        const std::uint64_t together = block_sizes_[i] / block_sizes_[i - 1];
        std::vector<std::uint32_t> next;
        for (std::size_t first = 0; together > 1 && first < level.size(); first += together) {
            const std::size_t last = std::min<std::size_t>(first + together, level.size());
            next.push_back(static_cast<std::uint32_t>(result_.fabric.switches.size()));
            for (std::size_t k = first; k < last; ++k) {
                result_.fabric.switches[level[k]].parent = next.back();
            }
            result_.fabric.switches.push_back(
                {fmt::format("{} blocks from {}", last - first,
                             result_.fabric.switches[level[first]].name),
                 no_fabric_switch});
        }
        level = next.empty() ? std::move(level) : std::move(next);
    }
}

Expected<void> Reader::check_levels() const {
    const auto& switches = result_.fabric.switches;
    for (const domain::FabricSwitch& one : switches) {
        std::size_t level = 1;
        for (std::uint32_t at = one.parent; at != no_fabric_switch; at = switches[at].parent) {
            if (++level > most_levels) {
                return failure(
                    fmt::format("switch {} is above itself, or below more than {} others",
                                quoted(one.name), most_levels - 1));
            }
        }
    }
    return {};
}

Expected<NamedFabric> Reader::read(std::string_view text) {
    ConfLines lines(text);
    while (const auto line = lines.next()) {
        if (auto good = take(line->fields); !good) {
            return unexpected(good.error().within(fmt::format("line {}", line->number)));
        }
    }
    connect();
    if (above_.empty()) {
        gather_blocks();
    }
    if (auto good = check_levels(); !good) {
        return unexpected(good.error());
    }
    return std::move(result_);
}

}  // namespace

Expected<NamedFabric> read_fabric(std::string_view text) {
    if (text.size() > most_text) {
        return failure(fmt::format("the topology is longer than {} bytes", most_text));
    }
    return Reader().read(text);
}

FabricOfNodes fabric_of(const NamedFabric& named, std::span<const std::string> nodes) {
    FabricOfNodes result;
    result.fabric.switches = named.fabric.switches;
    result.fabric.attached_to.assign(nodes.size(), no_fabric_switch);
    std::unordered_map<std::string_view, std::uint32_t> index;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        index.emplace(nodes[i], i);
    }
    for (std::size_t i = 0; i < named.nodes.size(); ++i) {
        const auto found = index.find(named.nodes[i]);
        if (found == index.end()) {
            result.unknown.push_back(named.nodes[i]);
        } else {
            result.fabric.attached_to[found->second] = named.fabric.attached_to[i];
        }
    }
    for (std::uint32_t i = 0; i < nodes.size() && !named.fabric.switches.empty(); ++i) {
        if (result.fabric.attached_to[i] == no_fabric_switch) {
            result.loose.push_back(i);
        }
    }
    return result;
}

}  // namespace hora::read
