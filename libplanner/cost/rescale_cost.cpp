// What does a restart at another size cost a job, by the restarts that were measured?
#include "libplanner/cost/rescale_cost.hpp"

#include <vector>

#include "libplanner/base/median.hpp"
#include "libplanner/cost/measured_table.hpp"

namespace hora::cost {

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
        costs.own[key] = median(std::vector(lost));
    }
    if (by_user.size() >= least_users) {
        std::vector<Seconds> voices;
        for (const auto& [uid, lost] : by_user) {
            voices.push_back(median(std::vector(lost)));
        }
        costs.shared = median(voices);
    }
    return costs;
}

}  // namespace hora::cost
