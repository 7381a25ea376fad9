// What the controller's plugin decided about a job, as it is kept with the job and explained later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/domain/measured.hpp"
#include "libplanner/domain/plan.hpp"

namespace hora::domain {

// One field of the request, before and after; an empty `before` was not said.
struct FieldChange {
    std::string field;
    std::string before;
    std::string after;

    friend bool operator==(const FieldChange&, const FieldChange&) = default;
};

struct TypeUse {
    std::string type;
    FlopRate attainable;
    Bound bound = Bound::memory;
    bool takes_tf32 = false;  // DeviceUse::takes_tf32
};

// Is GPU locality certain, whatever starts and ends until the job does?
enum class Promise { nothing, preferred, guaranteed };

// What was done for GPU locality on each node.
struct Placement {
    Promise promise = Promise::nothing;
    std::string what;          // "each node's 2 GPUs on one switch", or why it is not certain
    bool is_enforced = false;  // the request holds Slurm to it; the fields below hold only then
    bool is_free = true;       // such GPUs were free when it was planned
    Seconds wait;              // how long this may hold the job back
    std::int64_t relaxed = 0;  // when the request was freed of it, seconds since the epoch; 0: not

    friend bool operator==(const Placement&, const Placement&) = default;
};

// That the daemon made a new plan while the job waited.
struct Replanned {
    std::int64_t when = 0;    // the last time, seconds since the epoch
    std::uint32_t times = 0;  // 0: never
    std::string from;         // the plan before: "8 x titanx on n[1-2]"
    std::string why;          // "no usable nodes can give it any more"

    friend bool operator==(const Replanned&, const Replanned&) = default;
};

struct Decision {
    std::string operating;                                     // "observe", "advise", "act"
    std::vector<std::pair<std::string, std::string>> options;  // "hora-batch", "256"
    std::string partition;
    bool has_plan = false;  // the fields up to `placement` hold only then
    Mode mode = Mode::independent;
    bool waits = false;  // not on the GPUs that were free, for the plan did not fit there
    std::uint32_t gpus = 0;
    std::uint32_t gpus_if_idle = 0;  // with all of the partition idle, where that is faster; else 0
    std::uint32_t nodes = 0;
    std::string where;  // the nodes it was planned on: "n[1-2]"
    std::optional<Seconds> seconds;
    Seconds step_seconds;
    Breakdown breakdown;
    ExchangeUse exchange;
    std::optional<Correction> correction;  // that the times above hold; empty: none
    std::optional<Lateness> lateness{};    // of a step; empty: none is expected
    std::vector<TypeUse> uses;
    Placement placement;
    std::vector<Alternative> rejected;
    std::vector<FieldChange> changes;  // done in "act", else what would have been done
    std::string remark;                // why nothing was planned, or what to watch out for
    std::int64_t submitted = 0;        // by the client's clock; 0: it did not say
    Replanned replanned{};
    std::int64_t snapshot = 0;  // when the cluster was looked at, seconds since the epoch

    // A plan that mode "advise" or "observe" made has changed nothing of the request.
    bool has_applied_plan() const { return has_plan && operating == "act"; }
    // Did Hora hold the job to sockets?
    bool has_applied_locality() const { return placement.is_enforced && operating == "act"; }
};

// Of the GPUs: "titanx + k80".
inline std::string types_of(const Decision& decision) {
    std::string types;
    for (const TypeUse& use : decision.uses) {
        types += (types.empty() ? "" : " + ") + use.type;
    }
    return types;
}

}  // namespace hora::domain
