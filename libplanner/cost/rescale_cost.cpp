// What does a restart at another size cost a job, by the restarts that were measured?
#include "libplanner/cost/rescale_cost.hpp"

#include <algorithm>
#include <vector>

#include "libplanner/cost/measured_table.hpp"

namespace hora::cost {
namespace {

Seconds median(std::vector<Seconds> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

std::optional<Seconds> RescaleCosts::of(std::uint32_t uid, std::string_view model) const {
    const auto found = own.find({uid, std::string(model)});
    return found != own.end() ? std::optional(found->second) : shared;
}

RescaleCosts rescale_costs(std::span<const MeasuredRescale> rescales) {
    std::map<std::pair<std::uint32_t, std::string>, std::vector<Seconds>> by_model;
    std::map<std::uint32_t, std::vector<Seconds>> by_user;
    for (const MeasuredRescale& one : rescales) {
        if (one.lost >= Seconds(0) && one.lost <= largest_loss) {
            by_model[{one.uid, model_key(one.model)}].push_back(one.lost);
            by_user[one.uid].push_back(one.lost);
        }
    }
    RescaleCosts costs;
    for (const auto& [key, lost] : by_model) {
        costs.own[key] = median(lost);
    }
    if (by_user.size() >= least_users) {
        std::vector<Seconds> voices;
        for (const auto& [uid, lost] : by_user) {
            voices.push_back(median(lost));
        }
        costs.shared = median(voices);
    }
    return costs;
}

}  // namespace hora::cost
