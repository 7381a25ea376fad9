// Where does a job keep its checkpoints?
//
// setting: checkpoint.path, a template with {user} {uid} {cluster} {job} {submit}
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"

namespace hora::read {

// What makes one job's folder not another's. Job ids wrap, so the time of submission is part of
// it; Slurm's own changes when a job is requeued, so this is the one that was noted on submit.
struct CheckpointOwner {
    std::string user;
    std::uint32_t uid = 0;
    std::string cluster;
    std::uint32_t job = 0;
    std::uint64_t submit = 0;    // seconds since the epoch
    std::string work_directory;  // the job's, absolute; only for a relative or empty template
};

// Below the job's working directory, where nothing is set; several users may share that.
constexpr std::string_view default_checkpoint_path = ".hora-{uid}/{cluster}-{job}-{submit}";

// Below the folder: the records of its communication, each start of a step in one of its own.
constexpr std::string_view trace_folder = "trace";

// Is this the folder of one user's jobs that the default path names?
bool is_default_place(std::string_view folder, std::uint32_t uid);

// The absolute path of the folder, without a slash at its end; a pure function, so that it is the
// same for each caller. An empty template means the default. Fails on an unknown {name}, a template
// without {job} or {submit} (jobs would share a folder), a part ".." and a result of more than 4000
// characters.
Expected<std::string> checkpoint_path(std::string_view path_template, const CheckpointOwner& owner);

}  // namespace hora::read
