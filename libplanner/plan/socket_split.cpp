// As which sockets should Slurm see a machine, so that each holds GPUs that are joined fastest?
#include "libplanner/plan/socket_split.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace hora::plan {
namespace {

using domain::not_known;
using domain::PathKind;
using domain::Topology;

using Indices = std::vector<std::uint32_t>;

// A run of cores that Slurm would take for a socket.
struct Chunk {
    std::uint32_t first = 0;
    std::uint32_t count = 0;

    bool holds(std::uint32_t core) const { return core >= first && core - first < count; }
};

// GPUs that should share one of Slurm's sockets.
struct Group {
    Indices gpus;
    Indices cores;  // near one of them, ascending
};

class Splitter {
  public:
    explicit Splitter(const Topology& topology) : topology_(topology), near_(near_cores(topology)) {
        count_cores();
        find_groups();
    }

    SocketSplit split();

  private:
    void count_cores();
    void find_groups();
    std::uint32_t socket_near(std::uint32_t gpu) const;
    Chunk chunk(std::uint32_t number, std::uint32_t parts) const;
    bool may_hold(const Chunk& chunk, const Group& group) const;
    std::optional<Indices> places(std::uint32_t parts) const;
    bool find_place(std::uint32_t group, std::uint32_t parts, Indices& taken_by,
                    std::vector<bool>& tried) const;
    bool leaves_few_idle(const Indices& places, std::uint32_t parts) const;
    SplitKind kind_of(std::uint32_t parts) const;
    void add_cores(std::uint32_t gpu, Indices cores);
    void settle(std::uint32_t parts, const Indices& places);
    void stay();

    const Topology& topology_;
    std::uint32_t real_cores_ = 0;  // of each socket of the machine
    std::vector<Indices> near_;     // by GPU: cores
    std::vector<Group> groups_;
    SocketSplit split_;
};

void Splitter::count_cores() {
    const auto cores = static_cast<std::uint32_t>(topology_.cores.size());
    split_.sockets = std::max(topology_.sockets, 1u);
    real_cores_ =
        cores == split_.sockets * topology_.cores_per_socket ? topology_.cores_per_socket : 0;
    real_cores_ = split_.sockets == 1 ? cores : real_cores_;
    split_.cores_per_socket = real_cores_;
    split_.threads_per_core = topology_.threads_per_core;
    for (const domain::TopologyCore& core : topology_.cores) {
        if (core.cpus.size() != topology_.threads_per_core) {
            split_.threads_per_core = 0;
        }
    }
}

// The socket of the machine that holds all cores near the GPU.
std::uint32_t Splitter::socket_near(std::uint32_t gpu) const {
    const Indices& near = near_[gpu];
    if (near.empty() || real_cores_ == 0 ||
        near.front() / real_cores_ != near.back() / real_cores_) {
        return not_known;
    }
    return near.front() / real_cores_;
}

// Each socket's GPUs that one switch or NVLink joins; those that remain alone are one more group.
void Splitter::find_groups() {
    const auto gpus = static_cast<std::uint32_t>(topology_.gpus.size());
    Indices first(gpus);  // the lowest GPU that is joined with this one
    std::iota(first.begin(), first.end(), 0u);
    for (std::uint32_t b = 0; b < gpus; ++b) {
        for (std::uint32_t a = 0; a < b; ++a) {
            const PathKind kind = topology_.path(a, b).kind;
            const bool is_joined = kind == PathKind::nvlink || kind == PathKind::pix;
            if (is_joined && socket_near(a) == socket_near(b) && first[a] != first[b]) {
                const auto [keep, drop] = std::minmax(first[a], first[b]);
                std::replace(first.begin(), first.end(), std::uint32_t(drop), std::uint32_t(keep));
            }
        }
    }
    split_.group_of.assign(gpus, 0);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
        const bool is_alone = std::count(first.begin(), first.end(), first[gpu]) == 1;
        const std::pair key{is_alone ? not_known : first[gpu], socket_near(gpu)};
        const auto number = numbers.emplace(key, groups_.size()).first->second;
        groups_.resize(std::max<std::size_t>(groups_.size(), number + 1));
        split_.group_of[gpu] = number;
        Group& group = groups_[number];
        group.gpus.push_back(gpu);
        Indices cores;
        std::set_union(group.cores.begin(), group.cores.end(), near_[gpu].begin(), near_[gpu].end(),
                       std::back_inserter(cores));
        group.cores = std::move(cores);
    }
    std::map<std::uint32_t, std::uint32_t> groups_in;
    for (const Group& group : groups_) {
        split_.most_groups =
            std::max(split_.most_groups, ++groups_in[socket_near(group.gpus.front())]);
    }
}

Chunk Splitter::chunk(std::uint32_t number, std::uint32_t parts) const {
    const std::uint32_t cores = real_cores_ / parts;
    return {number * cores, cores};
}

// A socket of the machine holds whatever is near some of its cores; a part of one must be near
// with all of them.
bool Splitter::may_hold(const Chunk& chunk, const Group& group) const {
    const auto near = std::count_if(group.cores.begin(), group.cores.end(),
                                    [&](std::uint32_t core) { return chunk.holds(core); });
    return chunk.count == real_cores_ ? near > 0 : near == static_cast<std::ptrdiff_t>(chunk.count);
}

// The first free place, or one whose group can have another.
bool Splitter::find_place(std::uint32_t group, std::uint32_t parts, Indices& taken_by,
                          std::vector<bool>& tried) const {
    for (const bool is_free_wanted : {true, false}) {
        for (std::uint32_t place = 0; place < taken_by.size(); ++place) {
            const bool is_free = taken_by[place] == not_known;
            if (tried[place] || is_free != is_free_wanted ||
                !may_hold(chunk(place, parts), groups_[group])) {
                continue;
            }
            tried[place] = true;
            if (is_free || find_place(taken_by[place], parts, taken_by, tried)) {
                taken_by[place] = group;
                return true;
            }
        }
    }
    return false;
}

// A place of its own for each group, where every socket of the machine is cut in so many parts.
std::optional<Indices> Splitter::places(std::uint32_t parts) const {
    Indices taken_by(std::size_t{split_.sockets} * parts, not_known);
    for (std::uint32_t group = 0; group < groups_.size(); ++group) {
        std::vector<bool> tried(taken_by.size(), false);
        if (!find_place(group, parts, taken_by, tried)) {
            return std::nullopt;
        }
    }
    Indices places(groups_.size());
    for (std::uint32_t place = 0; place < taken_by.size(); ++place) {
        if (taken_by[place] != not_known) {
            places[taken_by[place]] = place;
        }
    }
    return places;
}

// Cores of a socket without GPUs are lost to jobs that are kept on one socket.
bool Splitter::leaves_few_idle(const Indices& places, std::uint32_t parts) const {
    Indices used(split_.sockets, 0);
    for (const std::uint32_t place : places) {
        ++used[place / parts];
    }
    return parts == 1 || 2 * *std::max_element(used.begin(), used.end()) >= parts;
}

SplitKind Splitter::kind_of(std::uint32_t parts) const {
    if (parts == 1) {
        return SplitKind::hardware;
    }
    const auto coincides = [&](std::uint32_t domain::TopologyCore::*what) {
        std::set<std::uint32_t> seen;
        for (std::uint32_t place = 0; place < split_.sockets * parts; ++place) {
            const Chunk cores = chunk(place, parts);
            const std::uint32_t one = topology_.cores[cores.first].*what;
            for (std::uint32_t i = 0; i < cores.count; ++i) {
                if (topology_.cores[cores.first + i].*what != one) {
                    return false;
                }
            }
            if (one == not_known || !seen.insert(one).second) {
                return false;
            }
        }
        return true;
    };
    return coincides(&domain::TopologyCore::numa)    ? SplitKind::numa_nodes
           : coincides(&domain::TopologyCore::cache) ? SplitKind::caches
                                                     : SplitKind::declared;
}

void Splitter::add_cores(std::uint32_t gpu, Indices cores) {
    const Indices& near = near_[gpu];
    if (!std::includes(near.begin(), near.end(), cores.begin(), cores.end())) {
        ++split_.widened;
    }
    split_.cores.push_back(std::move(cores));
}

void Splitter::settle(std::uint32_t parts, const Indices& places) {
    split_.kind = kind_of(parts);
    split_.sockets *= parts;
    split_.cores_per_socket = real_cores_ / parts;
    for (std::uint32_t gpu = 0; gpu < topology_.gpus.size(); ++gpu) {
        const std::uint32_t place = places[split_.group_of[gpu]];
        const Chunk own = chunk(place, parts);
        Indices cores(own.count);
        std::iota(cores.begin(), cores.end(), own.first);
        split_.socket_of.push_back(place);
        add_cores(gpu, std::move(cores));
    }
    split_.idle_sockets = split_.sockets - static_cast<std::uint32_t>(groups_.size());
}

// The machine's own sockets, and what is near each GPU. All cores together tell nothing of a
// machine with several sockets.
void Splitter::stay() {
    std::set<std::uint32_t> used;
    for (std::uint32_t gpu = 0; gpu < topology_.gpus.size(); ++gpu) {
        const std::uint32_t socket = socket_near(gpu);
        Indices cores = real_cores_ > 0 ? cores_of_sockets(topology_, near_[gpu]) : Indices();
        const bool is_told = cores.size() < topology_.cores.size() || split_.sockets == 1;
        split_.socket_of.push_back(socket);
        add_cores(gpu, is_told ? std::move(cores) : Indices());
        used.insert(socket);
    }
    used.erase(not_known);
    split_.idle_sockets = split_.sockets - static_cast<std::uint32_t>(used.size());
    split_.kind = split_.most_groups > 1 ? SplitKind::not_possible : SplitKind::hardware;
}

SocketSplit Splitter::split() {
    bool is_told = real_cores_ > 0;
    for (std::uint32_t gpu = 0; gpu < topology_.gpus.size(); ++gpu) {
        is_told = is_told && socket_near(gpu) != not_known;
    }
    const std::uint32_t most_parts = std::min(real_cores_, std::max(2 * split_.most_groups, 1u));
    for (std::uint32_t parts = 1; is_told && parts <= most_parts; ++parts) {
        if (real_cores_ % parts != 0) {
            continue;
        }
        const auto found = places(parts);
        if (found && leaves_few_idle(*found, parts)) {
            settle(parts, *found);
            return std::move(split_);
        }
    }
    stay();
    return std::move(split_);
}

}  // namespace

std::vector<std::vector<std::uint32_t>> near_cores(const Topology& topology) {
    std::map<std::uint32_t, std::uint32_t> core_of;
    for (std::uint32_t core = 0; core < topology.cores.size(); ++core) {
        for (const std::uint32_t cpu : topology.cores[core].cpus) {
            core_of.emplace(cpu, core);
        }
    }
    std::vector<Indices> near;
    for (const domain::TopologyGpu& gpu : topology.gpus) {
        std::set<std::uint32_t> cores;
        for (const std::uint32_t cpu : gpu.cpus) {
            if (const auto found = core_of.find(cpu); found != core_of.end()) {
                cores.insert(found->second);
            }
        }
        near.emplace_back(cores.begin(), cores.end());
    }
    return near;
}

std::vector<std::uint32_t> cores_of_sockets(const Topology& topology, const Indices& cores) {
    std::set<std::uint32_t> sockets;
    for (const std::uint32_t core : cores) {
        sockets.insert(topology.cores[core].socket);
    }
    Indices all;
    for (std::uint32_t core = 0; core < topology.cores.size(); ++core) {
        if (sockets.contains(topology.cores[core].socket)) {
            all.push_back(core);
        }
    }
    return all;
}

SocketSplit split_sockets(const Topology& topology) {
    return Splitter(topology).split();
}

}  // namespace hora::plan
