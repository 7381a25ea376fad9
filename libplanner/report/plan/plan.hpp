// How is a plan shown to programs and to people?
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/plan.hpp"

namespace hora::report {

// One JSON object with "version": 1; a plan that does not fit has seconds null and gpus [].
nlohmann::ordered_json json_of(const domain::Plan& plan, const domain::Cluster& cluster);
std::string to_json(const domain::Plan& plan, const domain::Cluster& cluster);
// A short table, the reason, and what was rejected.
std::string table_of(const domain::Plan& plan, const domain::Cluster& cluster);
// The same, and what to watch out for; a submission's decision has that among its own remarks.
std::string to_table(const domain::Plan& plan, const domain::Cluster& cluster);

// Behind a step's time: " (convolutions in tf32)" where a plan counts on that unasked.
std::string_view format_remark(bool takes_tf32);

// Behind the time of an exchange: " (ring, 41.2 MB, rows at rate 0.1)"; nothing where nothing
// travels, which as JSON is null.
std::string exchange_remark(const domain::ExchangeUse& exchange);
nlohmann::ordered_json exchange_of(const domain::ExchangeUse& exchange);

// By how much earlier runs have corrected the prediction.
nlohmann::ordered_json correction_of(const domain::Correction& correction);
std::string words_of(const domain::Correction& correction);

// What a step waits for late ranks, by earlier runs, and what of that a bypass saves.
nlohmann::ordered_json json_of(const domain::Lateness& lateness);
std::string words_of(const domain::Lateness& lateness);

// Where a run of `whole` is expected to lie, its overhead taken as it is, and what that rests on:
// "31 s to 1 min 4 s; not measured here" (cost/interval.hpp).
std::string range_of(Seconds whole, Seconds overhead,
                     const std::optional<domain::Correction>& correction);
// seconds, seconds_low, seconds_high, and the same of a step.
void add_times(nlohmann::ordered_json& object, const std::optional<Seconds>& seconds, Seconds step,
               Seconds overhead, const std::optional<domain::Correction>& correction);

}  // namespace hora::report
