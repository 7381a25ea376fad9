// Does compat.hpp keep each promise, and does version.hpp say what the real headers say? Compiled
// for every release by check-compat.
#include "plugins/slurm/compat.hpp"

#include <concepts>
#include <utility>

#include "plugins/slurm/version.hpp"

namespace hora::slurm {

// What slurm_version.h packs, we read.
static_assert(SLURM_VERSION_NUMBER == version_number(SLURM_VERSION_MAJOR(SLURM_VERSION_NUMBER),
                                                     SLURM_VERSION_MINOR(SLURM_VERSION_NUMBER),
                                                     SLURM_VERSION_MICRO(SLURM_VERSION_NUMBER)));
static_assert(std::same_as<decltype(job_id(std::declval<job_desc_msg_t&>())), std::uint32_t&>);
static_assert(
    std::same_as<decltype(job_id(std::declval<const slurm_job_info_t&>())), const std::uint32_t&>);

int handle(job_desc_msg_t* job, std::uint32_t uid, char** message) {
    set_string(job->admin_comment, message != nullptr ? *message : nullptr);
    job_info_msg_t* answer = nullptr;
    job_id(*job) = uid;
    return load_job(&answer, job_id(*job), 0);
}

static_assert(HasSwitches<topo_info_response_msg_t> ==
              (SLURM_VERSION_NUMBER < version_number(23, 11)));

void forget(slurm_conf_t* configuration) {
    free_configuration(configuration);
}

}  // namespace hora::slurm

HORA_DEFINE_JOB_MODIFY(hora::slurm::handle)

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
using Modify = int(job_desc_msg_t*, job_record*, std::uint32_t, char**);
#else
using Modify = int(job_desc_msg_t*, job_record*, std::uint32_t);
#endif
static_assert(std::same_as<decltype(job_modify), Modify>);
