// What does the history say of a job that slurmctld had forgotten something of?
#include "scripts/horad/recovery/released_row.hpp"

#include <utility>

namespace hora::horad {

Resized released_row(const slurm::Job& job, std::uint32_t restarts, std::string why,
                     std::string remark, Moment now) {
    Resized row;
    Resize& resize = row.entry.resize;
    resize.job = job.id;
    resize.restarts = restarts;
    resize.from = resize.to = job.asked_gpus;
    resize.why = std::move(why);
    row.entry.uid = job.uid;
    row.entry.submitted = job.submitted;
    row.entry.asked = now.wall;
    row.ending = Ending::released;
    row.remark = std::move(remark);
    return row;
}

}  // namespace hora::horad
