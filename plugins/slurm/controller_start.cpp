// Since when does the acting slurmctld run, and has it stood by before?
#include "plugins/slurm/controller_start.hpp"

#include "plugins/slurm/messages.hpp"

namespace hora::slurm {

ControllerStart controller_start() {
    const auto configuration = load_configuration();
    if (!configuration) {
        return {};
    }
    return {.started = (*configuration)->boot_time,
            .has_stood_by = (*configuration)->control_cnt > 1 && slurm_ping(0) != SLURM_SUCCESS};
}

}  // namespace hora::slurm
