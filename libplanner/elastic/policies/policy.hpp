// Which job gets how many GPUs from now on? One interface for the daemon, the simulator and
// `hora elastic`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/elastic.hpp"

namespace hora::elastic {

struct Allocation {
    std::vector<std::uint32_t> gpus;  // by job, in the order of ElasticState::jobs; 0: it waits on
    double objective = 0;             // what the policy optimised, in its own unit
};

// A decision depends on the state alone: no policy remembers, draws lots or looks at a clock.
class Policy {
  public:
    virtual ~Policy() = default;
    // Never more than state.gpus in all; a started job keeps between its min and its max, a rigid
    // one exactly what it holds; each size is an allowed one, or what a waiting job requested.
    virtual Allocation decide(const domain::ElasticState& state) const = 0;
    // How many of those that wait can matter to it, the first in the queue first, while so many
    // GPUs are idle: a long queue behind them need not be shown.
    virtual std::size_t looks_at(std::uint32_t idle) const;
};

struct PolicyInfo {
    std::string_view name;
    std::string_view help;       // one line, with its source
    std::string_view objective;  // what Allocation::objective counts
    bool is_rigid = false;       // each job on its own request: who is elastic changes nothing
};

// The default comes first.
std::span<const PolicyInfo> policies();

// Null for a name that is none.
const PolicyInfo* find_policy(std::string_view name);

// What takes the place of a policy that has ended; empty for every other name.
std::string_view successor_of(std::string_view name);

// Fails on a name that is none, names those that there are and the nearest, or what takes its
// place.
Expected<std::unique_ptr<const Policy>> make_policy(std::string_view name);

}  // namespace hora::elastic
