// What becomes of a job that Hora has no plan for? One answer, whatever the cause. Setting:
// "submit.without_plan".
#include "plugins/job_submit/without_plan.hpp"

#include <fmt/format.h>

#include "libplanner/base/counted.hpp"
#include "plugins/job_submit/plain_request.hpp"

namespace hora::submit {

Unplanned without_plan(const Submission& submission, const domain::JobOptions& options,
                       read::WithoutPlan rule, bool acts, const std::string& why,
                       std::uint32_t version) {
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
    PlainRequest request = plain_request(submission, options, version);
    result.kind = Unplanned::Kind::requested;
    result.rewrite = std::move(request.rewrite);
    result.text = fmt::format("no plan: {}; {} requested from Slurm without one", why,
                              counted(request.gpus, "GPU"));
    return result;
}

}  // namespace hora::submit
