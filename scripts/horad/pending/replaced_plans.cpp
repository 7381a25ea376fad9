// What did jobs ask for before they were planned anew, however the daemon died since?
#include "scripts/horad/pending/replaced_plans.hpp"

#include <algorithm>
#include <utility>

#include "scripts/horad/journal/resize_json.hpp"
#include "scripts/horad/journal/state_list.hpp"

namespace hora::horad {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_plans = 100'000;
constexpr std::ptrdiff_t most_of_a_job = 4;
constexpr std::uint64_t most = 0xffffffffU;

ordered_json json_of(const ReplacedPlan& plan) {
    return {{"job", plan.job},
            {"uid", plan.uid},
            {"submitted", plan.submitted},
            {"times", plan.times},
            {"shape", to_json(plan.shape)},
            {"features", plan.features},
            {"prefer", plan.prefer},
            {"admin_comment", plan.admin_comment},
            {"priority", plan.priority}};
}

ReplacedPlan read_plan(read::JsonObject object) {
    const auto number = [&](const char* key) {
        return static_cast<std::uint32_t>(object.whole(key, most));
    };
    ReplacedPlan plan;
    plan.job = number("job");
    plan.uid = number("uid");
    plan.submitted = object.seconds_since_epoch("submitted");
    plan.times = number("times");
    plan.shape = read_shape(object.object("shape"));
    plan.features = object.long_text("features");
    plan.prefer = object.long_text("prefer");
    plan.admin_comment = object.long_text("admin_comment");
    plan.priority = number("priority");
    object.finish();
    return plan;
}

StateWords words() {
    return {.file = scripts::StateFile::replaced_plans,
            .name = "the list of plans that were replaced",
            .damage = "cannot tell what jobs asked for before they were planned anew",
            .advice = "it begins anew; such jobs have no old plan to go back to"};
}

bool is_of_same_job(const ReplacedPlan& a, const ReplacedPlan& b) {
    return a.job == b.job && a.uid == b.uid && a.submitted == b.submitted;
}

}  // namespace

Expected<void> ReplacedPlans::load() {
    plans_.clear();
    auto plans = load_state<ReplacedPlan>(
        path_, words(), "plans", most_plans,
        [](read::JsonObject object, read::JsonProblem&) { return read_plan(std::move(object)); });
    if (!plans) {
        return unexpected(plans.error());
    }
    plans_ = *std::move(plans);
    return {};
}

Expected<void> ReplacedPlans::write(Plans plans) {
    ordered_json list = ordered_json::array();
    for (const ReplacedPlan& plan : plans) {
        list.push_back(json_of(plan));
    }
    const std::string text = state_text("plans", std::move(list));
    if (auto written = write_state(path_, words(), text); !written) {
        return written;
    }
    plans_ = std::move(plans);
    return {};
}

Expected<void> ReplacedPlans::keep(const ReplacedPlan& plan) {
    Plans plans = plans_;
    std::erase_if(plans, [&](const ReplacedPlan& other) {
        return is_of_same_job(other, plan) && other.times >= plan.times;
    });
    const auto is_of_job = [&](const ReplacedPlan& other) { return is_of_same_job(other, plan); };
    if (std::count_if(plans.begin(), plans.end(), is_of_job) >= most_of_a_job) {
        plans.erase(std::find_if(plans.begin(), plans.end(), is_of_job));
    }
    plans.push_back(plan);
    return write(std::move(plans));
}

Expected<void> ReplacedPlans::forget(const std::function<bool(const ReplacedPlan&)>& is_over) {
    Plans plans = plans_;
    return std::erase_if(plans, is_over) == 0 ? Expected<void>() : write(std::move(plans));
}

std::optional<ReplacedPlan> ReplacedPlans::before(std::uint32_t job, std::uint32_t uid,
                                                  const domain::Decision& decision) const {
    const auto found = std::find_if(plans_.begin(), plans_.end(), [&](const ReplacedPlan& plan) {
        return plan.job == job && plan.uid == uid && plan.submitted == decision.submitted &&
               plan.times == decision.replanned.times;
    });
    return found == plans_.end() ? std::nullopt : std::optional(*found);
}

}  // namespace hora::horad
