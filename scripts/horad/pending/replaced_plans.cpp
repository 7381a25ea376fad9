// What did jobs ask for before they were planned anew, however the daemon died since?
#include "scripts/horad/pending/replaced_plans.hpp"

#include <algorithm>

#include "scripts/horad/journal/resize_json.hpp"

namespace hora::horad {
namespace {

using nlohmann::ordered_json;

constexpr std::ptrdiff_t most_of_a_job = 4;

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

ReplacedPlan read_plan(read::JsonObject object, read::JsonProblem&) {
    ReplacedPlan plan;
    plan.job = object.count("job");
    plan.uid = object.count("uid");
    plan.submitted = object.seconds_since_epoch("submitted");
    plan.times = object.count("times");
    plan.shape = read_shape(object.object("shape"));
    plan.features = object.long_text("features");
    plan.prefer = object.long_text("prefer");
    plan.admin_comment = object.long_text("admin_comment");
    plan.priority = object.count("priority");
    object.finish();
    return plan;
}

// Of the jobs of one number, only the newest is not over.
std::uint64_t number_of(std::uint32_t job, std::uint32_t times) {
    return std::uint64_t{job} << 32U | times;
}

std::uint64_t number_of(const ReplacedPlan& plan) {
    return number_of(plan.job, plan.times);
}

const ListFormat<ReplacedPlan> list_of_plans{
    .name = "replaced plans",
    .what = "the list of plans that were replaced",
    .damage = "cannot tell what jobs asked for before they were planned anew",
    .advice = "such jobs have no old plan to go back to",
    .earlier = scripts::StateFile::replaced_plans,
    .earlier_key = "plans",
    .number = number_of,
    .write = json_of,
    .read = read_plan,
};

bool is_of_same_job(const ReplacedPlan& a, const ReplacedPlan& b) {
    return a.job == b.job && a.uid == b.uid && a.submitted == b.submitted;
}

}  // namespace

ReplacedPlans::ReplacedPlans(JournalFile& journal) : plans_(journal, list_of_plans) {}

Expected<void> ReplacedPlans::keep(const ReplacedPlan& plan) {
    return plans_.change([&](auto& plans) {
        std::erase_if(plans, [&](const auto& one) {
            return is_of_same_job(one.second, plan) && one.second.times >= plan.times;
        });
        const auto is_of_job = [&](const auto& one) { return is_of_same_job(one.second, plan); };
        if (std::count_if(plans.begin(), plans.end(), is_of_job) >= most_of_a_job) {
            plans.erase(std::find_if(plans.begin(), plans.end(), is_of_job));
        }
        plans[number_of(plan)] = plan;
    });
}

Expected<void> ReplacedPlans::forget(const std::function<bool(const ReplacedPlan&)>& is_over) {
    return plans_.change([&](auto& plans) {
        std::erase_if(plans, [&](const auto& one) { return is_over(one.second); });
    });
}

std::optional<ReplacedPlan> ReplacedPlans::before(std::uint32_t job, std::uint32_t uid,
                                                  const domain::Decision& decision) const {
    const auto found = plans_.all().find(number_of(job, decision.replanned.times));
    const bool is_its = found != plans_.all().end() && found->second.uid == uid &&
                        found->second.submitted == decision.submitted;
    return is_its ? std::optional(found->second) : std::nullopt;
}

}  // namespace hora::horad
