// What slurmctld gives its plugins and no public header declares: its memory and its log.
#pragma once

#include <cstddef>

extern "C" {

// Strings and arrays in a job_desc_msg_t, and err_msg, must come from these: slurmctld frees them
// with its own allocator and aborts on malloc'ed memory. The signatures are the same from 22.05 on.
char* slurm_xstrdup(const char* text);
void slurm_xfree(void** memory);
void* slurm_xcalloc(std::size_t count, std::size_t size, bool clear, bool may_fail,
                    const char* file, int line, const char* function);
void* slurm_xrecalloc(void** memory, std::size_t count, std::size_t size, bool clear, bool may_fail,
                      const char* file, int line, const char* function);

void slurm_info(const char* format, ...) __attribute__((format(printf, 1, 2)));
int slurm_error(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // extern "C"
