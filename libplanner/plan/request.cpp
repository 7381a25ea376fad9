// What is to be planned, by what the user said and what the site decided? Settings: plan.max_gpus,
// plan.min_efficiency, plan.objective, plan.tolerance, plan.slowdown, plan.async_threshold,
// plan.min_sample_rate, and cost.*.
#include "libplanner/plan/request.hpp"

#include <algorithm>

namespace hora::plan {

domain::Request request_of(const domain::JobOptions& options, const domain::Workload& workload,
                           const read::Settings& settings) {
    domain::Request request;
    request.workload = workload;
    request.model = options.model.value_or(std::string());
    request.batch = options.batch.value_or(0);
    request.samples = options.samples;
    request.epochs = options.epochs;
    if (options.gpus) {
        request.min_gpus = options.gpus->min;
        request.max_gpus = options.gpus->max;
    } else {
        constexpr std::uint64_t most = domain::unlimited_gpus;
        request.max_gpus = static_cast<std::uint32_t>(
            std::min(settings.get<std::uint64_t>("plan.max_gpus"), most));
        request.is_max_by_site = true;
        request.min_efficiency = settings.get<double>("plan.min_efficiency");
    }
    request.sizes = options.sizes;
    request.mode = options.mode;
    request.accepts_balanced = options.accepts_balanced;
    request.accepts_async = options.accepts_async;
    request.accepts_hierarchy = options.accepts_hierarchy;
    if (options.accepts_sampling) {
        request.min_sample_rate = settings.get<double>("plan.min_sample_rate");
    }
    request.objective =
        options.objective.value_or(settings.get<domain::Objective>("plan.objective"));
    request.tolerance = settings.get<double>("plan.tolerance");
    request.slowdown = settings.get<double>("plan.slowdown");
    request.async_threshold = settings.get<double>("plan.async_threshold");
    request.cost = read::cost_model(settings);
    if (options.allreduce && domain::is_horas(*options.allreduce)) {
        request.cost.exchange = domain::Exchange::ring;
    }
    return request;
}

}  // namespace hora::plan
