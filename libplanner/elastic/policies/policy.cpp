// Which policies are there, by name?
#include "libplanner/elastic/policies/policy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>

#include "libplanner/base/nearest.hpp"
#include "libplanner/elastic/policies/afs.hpp"
#include "libplanner/elastic/policies/backfill.hpp"
#include "libplanner/elastic/policies/earliest_finish.hpp"
#include "libplanner/elastic/policies/fcfs.hpp"
#include "libplanner/elastic/policies/hora_policy.hpp"
#include "libplanner/elastic/policies/knapsack.hpp"
#include "libplanner/elastic/policies/marginal_gain.hpp"
#include "libplanner/elastic/policies/sjf_backfill.hpp"

namespace hora::elastic {
namespace {

constexpr std::array<PolicyInfo, 9> table{{
    {"hora", "each GPU where it speeds up most, short jobs first (the default)",
     "sum of the speed-ups over one GPU"},
    {"fcfs", "first come, first served, each job on its own request", "jobs that start", true},
    {"backfill", "each job on its own request, with backfill by time limits, as Slurm does it",
     "jobs that start", true},
    {"easy-backfill", "the same, but only the first that waits is not delayed (EASY)",
     "jobs that start", true},
    {"earliest-finish", "all GPUs to one job at a time, first come first served (P5's EF)",
     "seconds until it ends"},
    {"sjf-backfill", "shortest job first, each on its own request, with backfill",
     "jobs that start", true},
    {"knapsack", "idle GPUs to running jobs, and back when somebody waits (P5)",
     "seconds saved by growing, or lost by shrinking"},
    {"marginal-gain", "each GPU where it saves the most time (Optimus)",
     "seconds saved over the lowest sizes"},
    {"afs", "each GPU to the winner of a comparison in pairs (AFS-L)",
     "sum of the speed-ups over one GPU"},
}};

template <class Chosen>
std::unique_ptr<const Policy> make() {
    return std::make_unique<const Chosen>();
}

template <Reservations reservations>
std::unique_ptr<const Policy> make_backfill() {
    return std::make_unique<const Backfill>(reservations);
}

using Maker = std::unique_ptr<const Policy> (*)();

// In the order of the table.
constexpr std::array<Maker, table.size()> makers{
    make<HoraPolicy>,
    make<FirstComeFirstServed>,
    make_backfill<Reservations::all>,
    make_backfill<Reservations::first>,
    make<EarliestFinish>,
    make<ShortestJobFirst>,
    make<Knapsack>,
    make<MarginalGain>,
    make<ApatheticFutureShare>,
};

}  // namespace

std::size_t Policy::looks_at(std::uint32_t) const {
    return std::numeric_limits<std::size_t>::max();
}

std::span<const PolicyInfo> policies() {
    return table;
}

const PolicyInfo* find_policy(std::string_view name) {
    const auto* const found = std::find_if(
        table.begin(), table.end(), [name](const PolicyInfo& each) { return each.name == name; });
    return found == table.end() ? nullptr : found;
}

std::string_view successor_of(std::string_view name) {
    return name == "hora-strict" ? "hora" : "";
}

Expected<std::unique_ptr<const Policy>> make_policy(std::string_view name) {
    if (const PolicyInfo* const found = find_policy(name)) {
        return makers[static_cast<std::size_t>(found - table.data())]();
    }
    if (const std::string_view successor = successor_of(name); !successor.empty()) {
        return wrong_use(fmt::format("policy \"{}\" has ended; specify \"{}\"", name, successor));
    }
    std::array<std::string_view, table.size()> names;
    std::transform(table.begin(), table.end(), names.begin(),
                   [](const PolicyInfo& each) { return each.name; });
    return wrong_use(fmt::format("unknown policy \"{}\", none of {}{}", name,
                                 fmt::join(names, ", "), did_you_mean(name, names)));
}

}  // namespace hora::elastic
