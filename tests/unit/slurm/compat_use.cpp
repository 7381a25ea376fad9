// Does each promise of compat.hpp compile? Built for every release by check-compat.
#include "plugins/slurm/compat.hpp"

namespace hora::slurm {

int handle(job_desc_msg_t* job, std::uint32_t uid, char** message) {
    set_string(job->admin_comment, message != nullptr ? *message : nullptr);
    job_info_msg_t* answer = nullptr;
    job_id(*job) = uid;
    return load_job(&answer, job_id(*job), 0);
}

bool show_topology(FILE* out) {
    topo_info_response_msg_t* answer = nullptr;
    if (load_topology(&answer) != 0 || is_empty(*answer)) {
        return false;
    }
    print_topology(out, answer);
    return true;
}

}  // namespace hora::slurm

HORA_DEFINE_JOB_MODIFY(hora::slurm::handle)

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
using Modify = int(job_desc_msg_t*, job_record*, std::uint32_t, char**);
#else
using Modify = int(job_desc_msg_t*, job_record*, std::uint32_t);
#endif
static_assert(static_cast<Modify*>(job_modify) != nullptr);
