// Where slurmctld calls Hora: the C symbols of a job_submit plugin, and nothing else. The settings
// file is the one of the installation, or what HORA_CONF names in slurmctld's own environment.
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

#include "config.h"
#include "plugins/job_submit/guard.hpp"
#include "plugins/job_submit/handle.hpp"
#include "plugins/job_submit/modify.hpp"
#include "plugins/job_submit/site.hpp"
#include "plugins/slurm/compat.hpp"

namespace {

// The one thing a plugin keeps between two calls; made by init(), gone with fini(). Null where
// init() failed: there is no plan for any job.
std::unique_ptr<hora::submit::Site> site;

std::string settings_path() {
    const char* named = std::getenv("HORA_CONF");
    return named != nullptr && *named != '\0' ? named : HORA_SYSCONFDIR "/hora.toml";
}

int modify(job_desc_msg_t* job, std::uint32_t uid, char** message) {
    return hora::submit::guard("job_modify", SLURM_SUCCESS, [&] {
        return hora::submit::modify(site.get(), *job, uid, message, std::time(nullptr));
    });
}

}  // namespace

extern "C" {

// Declared extern first: a const object of C++ would otherwise not be exported.
extern const char plugin_name[];
extern const char plugin_type[];
extern const std::uint32_t plugin_version;
const char plugin_name[] = "Hora plans deep-learning training jobs";
const char plugin_type[] = "job_submit/hora";
const std::uint32_t plugin_version = SLURM_VERSION_NUMBER;

// A failing init() ends slurmctld, so it never fails: what is missing means pass-through.
int init() {
    return hora::submit::guard("init", SLURM_SUCCESS, [] {
        site = std::make_unique<hora::submit::Site>(settings_path());
        return SLURM_SUCCESS;
    });
}

int fini() {
    return hora::submit::guard("fini", SLURM_SUCCESS, [] {
        site.reset();
        return SLURM_SUCCESS;
    });
}

int job_submit(job_desc_msg_t* job, std::uint32_t submit_uid, char** message) {
    return hora::submit::guard("job_submit", SLURM_SUCCESS, [&] {
        return hora::submit::handle(site.get(), *job, submit_uid, message);
    });
}

}  // extern "C"

HORA_DEFINE_JOB_MODIFY(modify)
