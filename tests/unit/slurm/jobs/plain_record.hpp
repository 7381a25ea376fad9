// A job as slurmctld sends it, to test with.
#pragma once

#include "plugins/slurm/compat.hpp"

namespace hora::slurm {

// Of which only the priority is set: the rest is as Slurm has what was not asked for.
inline slurm_job_info_t plain_record() {
    slurm_job_info_t record{};
    record.priority = 100;
    record.nice = NICE_OFFSET;
    record.time_limit = NO_VAL;
    record.array_task_id = NO_VAL;
    record.sockets_per_node = NO_VAL16;
    record.pn_min_memory = NO_VAL64;
    return record;
}

}  // namespace hora::slurm
