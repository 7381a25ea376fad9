/* The few declarations of slurm/slurm.h that changed between 22.05 and 26.05, by version, so that
 * compat.hpp can be compiled for releases that are not installed. */
#ifndef STUB_SLURM_H
#define STUB_SLURM_H
#include <stdint.h>
#include <stdio.h>
#include "slurm/slurm_version.h"
#define NO_VAL 0xfffffffe
extern "C" {
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
typedef struct {
    uint64_t sluid;
    uint32_t job_id;
    uint32_t step_het_comp;
    uint32_t step_id;
} slurm_step_id_t;
#define SLURM_STEP_ID_INITIALIZER {0, NO_VAL, NO_VAL, NO_VAL}
#else
typedef struct {
    uint32_t job_id;
    uint32_t step_het_comp;
    uint32_t step_id;
} slurm_step_id_t;
#endif
struct job_descriptor {
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
    slurm_step_id_t step_id;
#else
    uint32_t job_id;
#endif
    char* admin_comment;
};
typedef struct job_descriptor job_desc_msg_t;
typedef struct job_info_msg job_info_msg_t;
typedef struct topo_info_response_msg {
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
    void* topo_info;
#else
    uint32_t record_count;
#endif
} topo_info_response_msg_t;
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0)
int slurm_load_topo(topo_info_response_msg_t**, char*);
#else
int slurm_load_topo(topo_info_response_msg_t**);
#endif
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
void slurm_print_topo_info_msg(FILE*, topo_info_response_msg_t*, char*, int);
#else
void slurm_print_topo_info_msg(FILE*, topo_info_response_msg_t*, int);
#endif
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
typedef struct job_record job_record_t;
#endif
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0)
int slurm_load_job(job_info_msg_t**, slurm_step_id_t, uint16_t);
#else
int slurm_load_job(job_info_msg_t**, uint32_t, uint16_t);
#endif
}
#endif
