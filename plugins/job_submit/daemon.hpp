// What slurmctld gives its plugins and no public header declares: its log.
#pragma once

extern "C" {

void slurm_info(const char* format, ...) __attribute__((format(printf, 1, 2)));
int slurm_error(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // extern "C"
