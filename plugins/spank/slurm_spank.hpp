// Slurm's interface for SPANK plugins, as C++ has to include it.
#pragma once

#include <sys/types.h>

#include <cinttypes>
#include <cstring>

// spank.h declares the callbacks outside its own extern "C".
extern "C" {
#include <slurm/spank.h>
}
