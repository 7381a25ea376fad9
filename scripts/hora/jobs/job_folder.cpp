// Which folder has the checkpoints, the progress and the record of a job?
// Setting: "checkpoint.path".
#include "scripts/hora/jobs/job_folder.hpp"

#include <slurm/slurm.h>

#include "libplanner/read/settings/checkpoint_path.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "plugins/slurm/messages.hpp"
#include "scripts/hora/site/site.hpp"

namespace hora::scripts {
namespace {

std::string cluster_name() {
    const auto configuration = slurm::load_configuration();
    return configuration ? std::string(slurm::text_of((*configuration)->cluster_name))
                         : std::string();
}

}  // namespace

Expected<std::string> job_folder(const slurm::FoundJob& job, std::int64_t submitted) {
    const auto settings = load_settings();
    return read::checkpoint_path(
        settings.value_or(read::Settings()).get<std::string>("checkpoint.path"),
        {.user = job.user,
         .uid = job.uid,
         .cluster = cluster_name(),
         .job = job.job,
         .submit = static_cast<std::uint64_t>(submitted != 0 ? submitted : job.submitted),
         .work_directory = job.work_directory});
}

}  // namespace hora::scripts
