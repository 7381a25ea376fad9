// The planner's answer: which GPUs, in which mode, at what price, and what else was tried.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/measured.hpp"
#include "libplanner/domain/request.hpp"

namespace hora::domain {

struct Member {
    std::uint32_t gpu = 0;    // index into Cluster::gpus
    std::uint64_t share = 0;  // samples of each global batch; the shares sum to the batch
};

// compute and exchange are of one step and sum to its time (exchange: what overlap leaves over);
// overhead is of the whole run.
struct Breakdown {
    Seconds compute;
    Seconds exchange;
    Seconds overhead;
};

// How the gradients travel that a plan counts on.
struct ExchangeUse {
    Exchange kind = Exchange::automatic;  // that of one member: nothing travels
    Bytes bytes;                          // of a step's gradients
    double sample_rate = 1;  // of the rows of tables (cost/sampled_gradient.hpp); 1: all

    friend bool operator==(const ExchangeUse&, const ExchangeUse&) = default;
};

enum class Bound { memory, compute };

// Where one type of GPU in the plan sits on its roofline.
struct DeviceUse {
    std::uint32_t device = 0;
    FlopRate attainable;
    Bound bound = Bound::memory;
    bool takes_tf32 = false;  // for its convolutions, as PyTorch does unless it is set
    Bytes memory;             // that the largest share on it needs, by estimate (cost/memory.hpp)
};

struct Alternative {
    Mode mode = Mode::independent;
    std::uint32_t gpus = 0;
    std::string where;               // "2 x titanx on n1"
    std::optional<Seconds> seconds;  // of the run, or of a step where the steps are not known
    std::string reason;
};

struct Plan {
    Mode mode = Mode::independent;
    std::vector<Member> members;     // empty: nothing fits, `rejected` says why
    std::optional<Seconds> seconds;  // of the run; empty where samples or epochs are not given
    Seconds step_seconds;
    Breakdown breakdown;
    ExchangeUse exchange;
    Link link;  // slowest link of the smallest part that spans the members
    std::vector<DeviceUse> devices;
    std::optional<Correction> correction;  // the caller's, by what was measured
    std::optional<Lateness> lateness;      // likewise
    std::vector<Alternative> rejected;     // the best of each other kind, cheapest first

    bool fits() const { return !members.empty(); }
    // Of the run, or of a step where the steps are not known.
    Seconds length() const { return seconds.value_or(step_seconds); }
};

}  // namespace hora::domain
