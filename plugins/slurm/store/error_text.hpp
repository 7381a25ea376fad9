// What does the number of a failed system call mean?
#pragma once

#include <cstring>
#include <string>

namespace hora::slurm {

// strerror() shares its buffer between threads; this runs beside slurmctld's.
inline std::string error_text(int number) {
    char buffer[128] = "";
    return strerror_r(number, buffer, sizeof buffer);
}

}  // namespace hora::slurm
