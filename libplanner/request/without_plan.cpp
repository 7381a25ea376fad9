// What becomes of a job that Hora has no plan for? One answer, whatever the cause. Setting:
// "submit.without_plan".
#include "libplanner/request/without_plan.hpp"

#include <fmt/format.h>

#include "libplanner/base/counted.hpp"
#include "libplanner/request/rewrite/plain_request.hpp"

namespace hora::request {
namespace {

// ": 8 x titanx: only 8 of 8 free, 13 wanted"
std::string why_not(const domain::Alternative& plan) {
    return fmt::format(": {}{}{}", plan.where, plan.where.empty() ? "" : ": ", plan.reason);
}

}  // namespace

Unplanned without_plan(const Submission& submission, const domain::JobOptions& options,
                       read::WithoutPlan rule, bool acts, const std::string& why,
                       const SpellGpus& spell) {
    Unplanned result;
    if (!leaves_gpus_open(submission, options)) {
        result.text = "no plan; submitted unchanged: " + why;
        return result;
    }
    if (!acts || rule == read::WithoutPlan::pass) {
        result.text = "no plan; submitted unchanged, without GPUs: " + why;
        return result;
    }
    if (rule == read::WithoutPlan::refuse) {
        result.kind = Unplanned::Kind::refused;
        result.text = fmt::format(
            "no plan: {}; submit again later, or request GPUs yourself (--gres=gpu:N)", why);
        return result;
    }
    PlainRequest request = plain_request(submission, options, spell);
    result.kind = Unplanned::Kind::requested;
    result.rewrite = std::move(request.rewrite);
    result.text = fmt::format("no plan: {}; {} requested from Slurm without one", why,
                              counted(request.gpus, "GPU"));
    return result;
}

std::string why_no_plan(const domain::Decision& decision) {
    return decision.rejected.empty() ? decision.remark
                                     : decision.remark + why_not(decision.rejected.front());
}

}  // namespace hora::request
