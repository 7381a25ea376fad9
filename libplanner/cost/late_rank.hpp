// How long does a ring all-reduce take in which one rank is late once, and how long where the
// others go ahead without it? What is that to a step?
//
// P2 counts for each chunk on its way T, in which a rank handles it, and H, in which it gets to the
// next rank; one rank takes ΔT longer once. A rank is one process: while it handles a chunk, the
// others that have arrived wait. What an all-gather handles is copied, in T as well.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/measured.hpp"
#include "libplanner/domain/plan.hpp"

namespace hora::cost {

struct LateRank {
    std::uint64_t ranks = 2;  // at least 2
    Seconds handling;         // P2's T
    Seconds hop;              // P2's H
    Seconds lateness;         // P2's ΔT, in one addition of the reduce-scatter
};

// Each other rank waits for the late one: 2 (N - 1) (T + H) + ΔT.
Seconds ring_with_late_rank(const LateRank& late);

// Owner bypass: the late rank's successor goes ahead once a chunk is T overdue (P2's α is 2), and
// what the late rank has goes straight to the chunk's owner: a partial that came to it, and its own
// part. `addition`, p, says which of the late rank's N - 1 additions takes longer, from 1 on; it is
// late until p (T + H) + ΔT. The longer of two ways counts, which is never longer than the ring:
// - of the others: the ring, and 4/3 T in which the owner adds both to its sum (three vectors are
//   read and one is written, where T is for two and one); the successor, which goes ahead without
//   adding, has lost nothing;
// - of the late chunk: to its owner, which adds it in 4/3 T, and once around. (The late rank itself
//   sends what is overdue without adding it, adds its own chunk and copies N - 1, in N T: no longer
//   than the N T + N H + T/3 of its chunk.)
Seconds bypassing_ring(const LateRank& late, std::uint64_t addition);

// A step of a plan in which one rank is late.
struct LateStep {
    Seconds waiting;                   // where the exchange waits for it
    std::optional<Seconds> bypassing;  // where a bypassing ring does not; empty: nothing is saved
    bool was_measured = false;         // the plan's step has the lateness already
};

// How the plan's gradients travel.
struct PlannedExchange {
    double factor = 1;          // CostModel::exchange_factor of the plan
    bool was_measured = false;  // by runs in which ranks exchanged
    bool may_bypass = false;    // by Hora's all-reduce
};

// `lateness` is that of a step, as trace/waiting.hpp measures it, and counts once: it is added to a
// step that was predicted alone, and is part of a step that measured exchanges have corrected. A
// bypass saves at most the same of both: nothing of runs that went ahead themselves, nor where one
// rank is late in every reduction. The rank is late from its first addition on; how much of P2's
// T + H is T is not known, so all of it is, which saves least. Empty where no rank waits for
// another: one GPU, and mode async.
std::optional<LateStep> step_with_late_rank(const domain::Plan& plan, Seconds lateness,
                                            const PlannedExchange& exchange);

// Less of a step is no more than what its measured time is off by.
constexpr double least_late_share = 0.05;

// `share` of a step that earlier runs waited (correction.hpp), of the plan's step, whose time has
// it already, as that is corrected by the same runs; `factor`: CostModel::exchange_factor of the
// plan. Of a plan that does not count on a ring nothing is bypassed. Empty where less than
// `least_late_share` was waited, and where no rank waits for another.
std::optional<domain::Lateness> expected_lateness(const domain::Plan& plan,
                                                  std::optional<double> share, double factor);
// Likewise by the user's runs of the model on the first of the plan's devices that gives one.
std::optional<domain::Lateness> expected_lateness(const domain::Plan& plan,
                                                  std::span<const domain::MeasuredSpeed> measured,
                                                  std::uint32_t uid, std::string_view model,
                                                  const domain::Cluster& cluster, double factor);

}  // namespace hora::cost
