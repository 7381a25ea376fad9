// How much work is a job, by what its owner said on submission?
#include "scripts/horad/progress/stated_work.hpp"

namespace hora::horad {

std::optional<std::uint64_t> stated_steps(const domain::JobOptions& options) {
    if (!options.samples || !options.epochs || !options.batch || *options.batch == 0) {
        return std::nullopt;
    }
    return (*options.samples + *options.batch - 1) / *options.batch * *options.epochs;
}

}  // namespace hora::horad
