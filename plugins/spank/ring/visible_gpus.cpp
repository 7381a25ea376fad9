// Which GPUs of its node has a task been given, and does it see those of its neighbours?
#include "plugins/spank/ring/visible_gpus.hpp"

#include <algorithm>

#include "libplanner/read/whole_number.hpp"
#include "plugins/spank/ring/gpu_order.hpp"

namespace hora::spank {

VisibleGpus read_visible_gpus(const Environment& environment, bool is_script) {
    const std::string* const cuda = environment.find("CUDA_VISIBLE_DEVICES");
    const std::string* const seen =
        cuda != nullptr ? cuda : environment.find("ROCR_VISIBLE_DEVICES");
    if (seen == nullptr || seen->empty()) {
        return {};
    }
    VisibleGpus visible;
    visible.seen = static_cast<std::uint32_t>(std::count(seen->begin(), seen->end(), ',') + 1);
    visible.of_step = visible.seen;
    if (const std::string* const count = environment.find("SLURM_GPUS_ON_NODE"); count != nullptr) {
        visible.of_step = static_cast<std::uint32_t>(
            read::parse_whole_number(*count, {1, 0xffff}).value_or(visible.seen));
    }
    const std::string* const global =
        environment.find(is_script ? "SLURM_JOB_GPUS" : "SLURM_STEP_GPUS");
    const auto gpus = global == nullptr ? std::nullopt : read_gpu_list(*global);
    if (gpus && gpus->size() == visible.seen) {
        visible.gpus = *gpus;
    }
    return visible;
}

}  // namespace hora::spank
