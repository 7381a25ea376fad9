// How does a program get its configuration of Slurm, and how long does it wait?
#pragma once

#include <string_view>

#include "libplanner/base/error.hpp"

namespace hora::slurm {

// While one lives, calls of libslurm that take more than 30 s in all end the program, with status 1
// and this message, for which it has room for 200 bytes. libslurm itself waits a minute for its
// configuration, and as long for a controller that accepts and does not answer. There is one at a
// time, and no other use of SIGALRM.
class Patience {
  public:
    explicit Patience(std::string_view message);
    Patience(const Patience&) = delete;
    Patience& operator=(const Patience&) = delete;
    ~Patience();
};

// slurm_init, for the program of this name. Fails where SLURM_CONF names what cannot be read.
Expected<void> start(std::string_view program);

}  // namespace hora::slurm
