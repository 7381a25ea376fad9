// How fast does a ring inside one machine run, where several of its links share a cable?
#include "libplanner/model/links/ring_pace.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hora::model {
namespace {

using domain::no_object;

// Links of a ring that go up and down between an object and its parent.
struct Traffic {
    unsigned up = 0;
    unsigned down = 0;
};

class Load {
  public:
    explicit Load(const domain::Topology& machine)
        : machine_(machine),
          traffic_(machine.objects.size()),
          capacities_(machine.objects.size(), Bandwidth(0)),
          depths_(machine.objects.size(), 0) {
        for (std::size_t i = 1; i < machine.objects.size(); ++i) {
            depths_[i] = depths_[machine.objects[i].parent] + 1;
        }
    }

    // What leaves an object carries at least what the fastest path out of it does.
    void learn(std::uint32_t a, std::uint32_t b) {
        const Bandwidth bandwidth = machine_.path(a, b).bandwidth;
        const auto raise = [&](std::size_t object) {
            capacities_[object] = std::max(capacities_[object], bandwidth);
        };
        climb(a, b, raise, raise);
    }

    void add(std::uint32_t a, std::uint32_t b) {
        climb(
            a, b, [&](std::size_t object) { ++traffic_[object].up; },
            [&](std::size_t object) { ++traffic_[object].down; });
    }

    // The least share at any object, if it is below `pace`.
    Bandwidth slowest(Bandwidth pace) const {
        for (std::size_t i = 0; i < traffic_.size(); ++i) {
            const unsigned most = std::max(traffic_[i].up, traffic_[i].down);
            const Bandwidth own = machine_.objects[i].uplink.bandwidth;
            const Bandwidth carries = own > Bandwidth(0) ? own : capacities_[i];
            if (most > 1) {
                pace = std::min(pace, carries / most);
            }
        }
        return pace;
    }

  private:
    template <class Up, class Down>
    void climb(std::uint32_t a, std::uint32_t b, Up up, Down down) const {
        std::size_t from = machine_.gpus[a].object;
        std::size_t to = machine_.gpus[b].object;
        while (from != to) {
            if (depths_[from] >= depths_[to]) {
                up(from);
                from = machine_.objects[from].parent;
            } else {
                down(to);
                to = machine_.objects[to].parent;
            }
        }
    }

    const domain::Topology& machine_;
    std::vector<Traffic> traffic_;
    std::vector<Bandwidth> capacities_;
    std::vector<unsigned> depths_;
};

}  // namespace

Bandwidth ring_pace(const domain::Topology& machine, std::span<const std::uint32_t> order) {
    if (order.size() < 2 || machine.paths.empty()) {
        return Bandwidth(0);
    }
    const auto is_on_pcie = [&](std::uint32_t a, std::uint32_t b) {
        return machine.path(a, b).kind != domain::PathKind::nvlink;
    };
    Load load(machine);
    Bandwidth pace = machine.path(order[0], order[1]).bandwidth;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::uint32_t next = order[(i + 1) % order.size()];
        pace = std::min(pace, machine.path(order[i], next).bandwidth);
        for (std::size_t k = i + 1; k < order.size(); ++k) {
            if (is_on_pcie(order[i], order[k])) {
                load.learn(order[i], order[k]);
            }
        }
        if (is_on_pcie(order[i], next)) {
            load.add(order[i], next);
        }
    }
    return load.slowest(pace);
}

}  // namespace hora::model
