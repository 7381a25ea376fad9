// What slurmctld gives its plugins and no public header declares: its log. Called by log.cpp, and
// where there may be no memory for a line (guard.hpp).
#pragma once

extern "C" {

void slurm_info(const char* format, ...) __attribute__((format(printf, 1, 2)));
int slurm_error(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // extern "C"
