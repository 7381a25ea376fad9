// How much work is a job, by what its owner said on submission?
#include "scripts/horad/progress/stated_work.hpp"

namespace hora::horad {

std::optional<std::uint64_t> stated_steps(const domain::JobOptions& options) {
    if (!options.samples || !options.epochs || !options.batch || *options.batch == 0) {
        return std::nullopt;
    }
    return (*options.samples + *options.batch - 1) / *options.batch * *options.epochs;
}

double steps_done(const domain::JobOptions& options, const slurm::Report& progress) {
    return options.max_batch && options.batch.value_or(0) > 0
               ? static_cast<double>(progress.samples) / static_cast<double>(*options.batch)
               : static_cast<double>(progress.step);
}

}  // namespace hora::horad
