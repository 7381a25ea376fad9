// Which Slurm is this built for? Hides what differs from 22.05 to 26.05, by public headers only,
// and where they can say it lets the headers decide and no version number.
#pragma once

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurm_version.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "plugins/slurm/version.hpp"

struct job_record;  // slurmctld's own record of a job; not public, never looked into

// The daemon's allocator, exported by every version and in no public header. Strings in a job_desc
// must come from it.
extern "C" {
char* slurm_xstrdup(const char* text);
void slurm_xfree(void** place);
void* slurm_xcalloc(std::size_t count, std::size_t size, bool clear, bool may_fail,
                    const char* file, int line, const char* function);
void* slurm_xrecalloc(void** place, std::size_t count, std::size_t size, bool clear, bool may_fail,
                      const char* file, int line, const char* function);
}

namespace hora::slurm {

constexpr std::uint32_t this_version = SLURM_VERSION_NUMBER;

// The job id of a job_desc_msg_t, a response or a slurm_job_info_t; a reference, to read or set. It
// has moved into the step id in 25.11.
template <class Message>
constexpr auto& job_id(Message& message) {
    if constexpr (requires { message.job_id; }) {
        return message.job_id;
    } else {
        return message.step_id.job_id;
    }
}

// Names a whole job to the calls that took a number once and take a step id since 26.05:
// slurm_load_job(&answer, JobName{id}, flags).
struct JobName {
    std::uint32_t id = 0;

    operator std::uint32_t() const { return id; }
    operator slurm_step_id_t() const {
#ifdef SLURM_STEP_ID_INITIALIZER
        slurm_step_id_t name = SLURM_STEP_ID_INITIALIZER;
#else
        slurm_step_id_t name{};
        name.step_id = NO_VAL;
        name.step_het_comp = NO_VAL;
#endif
        name.job_id = id;
        return name;
    }
};

// Where it is good there is an answer: libslurm may also succeed and give none, which is that of a
// job that slurmctld does not know.
inline int load_job(job_info_msg_t** answer, std::uint32_t id, std::uint16_t flags) {
    *answer = nullptr;
    const int code = slurm_load_job(answer, JobName{id}, flags);
    if (code != SLURM_SUCCESS || *answer != nullptr) {
        return code;
    }
    errno = ESLURM_INVALID_JOB_ID;
    return SLURM_ERROR;
}

// libslurm's list and the place in one. Both lost their names in 24.05 and 24.11.
using ListPointer = decltype(slurm_list_create(nullptr));
using ListPlace = decltype(slurm_list_iterator_create(nullptr));

// Has another name since 26.05; which of them there is, the argument's own namespace tells.
template <class Configuration>
void free_configuration(Configuration* configuration) {
    if constexpr (requires { slurm_free_conf(configuration); }) {
        slurm_free_conf(configuration);
    } else {
        slurm_free_ctl_conf(configuration);
    }
}

// Of select_type_param: jobs are given their memory, and not only counted against the node's.
#ifdef CR_MEMORY
constexpr std::uint16_t select_memory = CR_MEMORY;
#else
constexpr std::uint16_t select_memory = SELECT_MEMORY;  // its name in 26.05
#endif

// Are the switches there to be read? From 23.11 on only a plugin of Slurm's can read the record
// that holds them; 23.11 to 24.11 have the count of old as well and leave it at 0.
template <class Message>
concept HasSwitches = !requires(Message message) {
    message.topo_info;
};

// Frees a string of the daemon's and puts a copy of `text` in its place; null clears.
inline void set_string(char*& place, const char* text) {
    char* copy = text != nullptr ? slurm_xstrdup(text) : nullptr;
    void* old = place;
    slurm_xfree(&old);
    place = copy;
}

}  // namespace hora::slurm

// Defines the job_modify() that this Slurm calls, as a call of
// `int handle(job_desc_msg_t*, std::uint32_t uid, char** message)`; before 23.02 nobody can tell
// the user anything and message is null.
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#define HORA_DEFINE_JOB_MODIFY(handle)                                             \
    extern "C" int job_modify(job_desc_msg_t* job, job_record*, std::uint32_t uid, \
                              char** message) {                                    \
        static_assert(hora::slurm::modify_has_message(hora::slurm::this_version)); \
        return handle(job, uid, message);                                          \
    }
#else
#define HORA_DEFINE_JOB_MODIFY(handle)                                               \
    extern "C" int job_modify(job_desc_msg_t* job, job_record*, std::uint32_t uid) { \
        static_assert(!hora::slurm::modify_has_message(hora::slurm::this_version));  \
        return handle(job, uid, nullptr);                                            \
    }
#endif
