// Where does an update of a job in its owner's name say that it is horad's?
#pragma once

#include <cstddef>
#include <string_view>

#include "plugins/slurm/compat.hpp"

namespace hora::slurm {

// A text that slurmctld takes from no update, in any release: it is of the steps of a job
// that is submitted. job_modify takes it off the request before slurmctld looks at it.
template <class Request>
char*& lock_key_place(Request& request) {
    return request.cpu_bind;
}

constexpr std::size_t lock_key_length = 32;

// As random_key() makes them.
constexpr bool is_lock_key(std::string_view text) {
    return text.size() == lock_key_length &&
           text.find_first_not_of("0123456789abcdef") == text.npos;
}

}  // namespace hora::slurm
