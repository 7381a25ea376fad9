// What do many runs say of the cost model's error, so that no user can shift another's plans?
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/measured.hpp"

namespace hora::cost {

// One job's run at one size, as it was reported.
struct MeasuredRun {
    std::uint32_t uid = 0;
    std::string model;  // as the user named it
    std::string device;
    std::uint32_t gpus = 1;
    std::uint32_t nodes = 1;
    Seconds predicted_compute;  // by the cost model, without any correction
    Seconds predicted_exchange;
    Seconds step;
    std::uint64_t steps = 0;
    std::optional<Seconds> lost;          // from its start to its first step
    std::optional<Seconds> late = {};     // of the step, waiting for late ranks
    std::vector<std::string> node_names;  // where it ran
};

// What is shared is what at least so many users measured.
constexpr std::uint32_t least_users = 3;
// Least steps of a run that says something, and bounds of what is believed of anybody.
constexpr std::uint64_t least_steps = 10;
constexpr double largest_ratio = 20;
constexpr Seconds largest_loss(3600);
// Of one user, and of all, in the snapshot.
constexpr std::size_t most_of_user = 32;
constexpr std::size_t most_measured = 2048;

// What a model is called in the table: a built-in network by its name, a file by a number made of
// its last part, for a snapshot is read by all. Files are never shared.
std::string model_key(std::string_view model);

// `runs` newest first: the newest ones stay where there is no room for all. A user's entries are
// the medians of that user's runs; a shared one is the median of the medians of at least
// `least_users`.
std::vector<domain::MeasuredSpeed> measured_table(std::span<const MeasuredRun> runs);

// P1's overhead by node, where at least `least_users` users ran: the median of their medians.
std::map<std::string, Seconds> node_overheads(std::span<const MeasuredRun> runs);

}  // namespace hora::cost
