// Which resize is it that an administrator requests manually, and is that allowed?
#include "scripts/horad/elastic/resize_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "libplanner/base/counted.hpp"
#include "libplanner/elastic/worth/deadline.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"
#include "scripts/horad/elastic/limit_rule.hpp"
#include "scripts/horad/observe/allowed_sizes.hpp"

namespace hora::horad {
namespace {

struct Needs {
    std::uint32_t least = 0;  // by its time limit
    std::uint32_t fallback = 0;
};

// As the policies see it, though they may leave it alone for now. Empty: no time limit, or no
// decision has looked at it yet.
std::optional<Needs> needs_of(const ResizeRequest& request,
                              const std::vector<elastic::Pool>& pools) {
    const auto pooled = find_job(request.job, pools);
    if (!pooled || !pooled->job.time_left) {
        return std::nullopt;
    }
    elastic::Pool alone;
    alone.name = pooled->pool.name;
    alone.now = pooled->pool.now;
    alone.gpus_per_node = pooled->pool.gpus_per_node;
    alone.rescale = pooled->pool.rescale;
    alone.jobs = {pooled->job};
    alone.jobs.front().stays.clear();
    const elastic::Question question = elastic::question_of(alone);
    const domain::ElasticJob& asked = question.state.jobs.front();
    return Needs{asked.min,
                 elastic::least_fallback(asked, request.gpus, question.state.rescale_of(asked))};
}

}  // namespace

Expected<Resize> resize_of(const ResizeRequest& request, const Observation& seen,
                           const std::vector<elastic::Pool>& pools,
                           const read::Settings& settings) {
    const ObservedJob* const job = seen.find(request.job);
    if (job == nullptr) {
        return failure(fmt::format("there is no job {}", request.job));
    }
    if (job->state == slurm::JobState::ended) {
        return failure(fmt::format("job {} is over", job->id));
    }
    if (!job->memory || !job->memory->options.is_elastic) {
        return failure(fmt::format(
            "job {0} was not submitted with --hora-elastic, or it was left out; 'hora explain {0}' "
            "says why",
            job->id));
    }
    if (request.gpus == job->gpus) {
        return failure(fmt::format("job {} has {} already", job->id, counted(request.gpus, "GPU")));
    }
    constexpr domain::GpuRange any{.min = 1, .max = 1'000'000};
    const domain::GpuRange range = job->memory->options.gpus.value_or(any);
    if (request.gpus < range.min || request.gpus > range.max) {
        const std::string least =
            range.min == range.max ? "exactly" : fmt::format("{} to", range.min);
        return failure(fmt::format("job {} may have {} {} (--hora-gpus), not {}", job->id, least,
                                   counted(range.max, "GPU"), request.gpus));
    }
    if (!allows(*job->memory, request.gpus)) {
        return failure(fmt::format("job {} may not have {} (--hora-sizes={})", job->id,
                                   counted(request.gpus, "GPU"),
                                   text_of(job->memory->options.sizes)));
    }
    const auto needs = needs_of(request, pools);
    if (needs && request.gpus < needs->least && !request.is_forced) {
        return failure(
            fmt::format("fewer than {} GPUs leave job {} too little of its time limit; "
                        "--force resizes it all the same",
                        needs->least, job->id));
    }
    const std::uint32_t fallback = std::max(range.min, needs ? needs->fallback : 1U);
    return Resize{.job = job->id,
                  .restarts = job->restarts,
                  .from = job->gpus,
                  .to = request.gpus,
                  .min = std::min(fallback, request.gpus),
                  .sizes = allowed_sizes(*job->memory, range.min, range.max),
                  .why = "manual resize",
                  .limit = limit_rule_of(*job, seen, settings),
                  .is_manual = true,
                  .signal = job->memory->options.signal};
}

Expected<Resize> granted(const ResizeRequest& request, const Observation& seen,
                         const std::vector<elastic::Pool>& pools, const read::Settings& settings) {
    const auto may = slurm::is_operator(request.uid);
    if (!may) {
        return unexpected(may.error());
    }
    if (!*may) {
        return failure("only root and operators of Slurm may resize jobs manually");
    }
    return resize_of(request, seen, pools, settings);
}

}  // namespace hora::horad
