// Where slurmctld calls Hora: the C symbols of a job_submit plugin, and nothing else.
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurm_version.h>

#include <cstdint>

#include "plugins/job_submit/guard.hpp"

extern "C" {

struct job_record;  // opaque

// Declared extern first: a const object of C++ would otherwise not be exported.
extern const char plugin_name[];
extern const char plugin_type[];
extern const std::uint32_t plugin_version;
const char plugin_name[] = "Hora plans deep-learning training jobs";
const char plugin_type[] = "job_submit/hora";
const std::uint32_t plugin_version = SLURM_VERSION_NUMBER;

// A failing init() ends slurmctld, so it never fails: what is missing means pass-through.
int init() {
    return SLURM_SUCCESS;
}

int fini() {
    return SLURM_SUCCESS;
}

int job_submit(job_desc_msg_t* /*job*/, std::uint32_t /*submit_uid*/, char** /*message*/) {
    return hora::submit::guard("job_submit", SLURM_SUCCESS, [&] { return SLURM_SUCCESS; });
}

// Updates, holds and releases are none of Hora's business.
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
int job_modify(job_desc_msg_t* /*job*/, job_record* /*record*/, std::uint32_t /*submit_uid*/,
               char** /*message*/) {
    return SLURM_SUCCESS;
}
#else
int job_modify(job_desc_msg_t* /*job*/, job_record* /*record*/, std::uint32_t /*submit_uid*/) {
    return SLURM_SUCCESS;
}
#endif

}  // extern "C"
