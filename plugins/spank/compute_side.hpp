// What happens on a node: each batch script and each task gets its variables and its folder.
#pragma once

#include <cstdint>

#include "plugins/spank/settings_source.hpp"
#include "plugins/spank/slurm_spank.hpp"
#include "plugins/spank/variables/task_environment.hpp"

namespace hora::spank {

class ComputeSide {
  public:
    // In slurmstepd, as the user, before it starts the tasks: what all of them need is found out
    // here, once. Asks slurmctld nothing: slurmstepd holds a lock that a request needs, and dies of
    // it from 23.02 on; srun asks (rank_order.hpp).
    void learn(spank_t spank, const SettingsSource& source);

    // In the task, as the user, after Slurm has set its variables.
    void set_up(spank_t spank);

    // In slurmstepd, as root, when a task has ended and what it has started still runs. With the
    // last task of the step here that ends too, quicker than slurmstepd would see to it.
    void see_out(spank_t spank);

  private:
    void clear_up(spank_t spank, int exit_status) const;

    TaskFacts facts_;
    ComputeSettings settings_;
    bool is_ours_ = false;  // and all that is needed of it is known
    std::uint32_t step_ = 0;
    std::uint32_t ended_tasks_ = 0;
};

}  // namespace hora::spank
