// For stand-ins of Slurm's functions.
#pragma once

#include <cerrno>

#include "plugins/slurm/compat.hpp"

namespace hora::tests {

// As they fail: by errno. 0: it did not.
inline int answer_with(int error) {
    errno = error;
    return error == 0 ? SLURM_SUCCESS : SLURM_ERROR;
}

// Where arguments differ between releases. Of slurm_load_job: a number, or a step's id since 26.05.
template <class Function>
struct SecondArgument;
template <class Result, class First, class Second, class Third>
struct SecondArgument<Result(First, Second, Third)> {
    using Type = Second;
};

}  // namespace hora::tests
