// What becomes of the folder that Hora has named for a job, once the job is over?
//
// All of it happens as the job's owner. No symbolic link is followed in place of a folder that
// goes, and none goes that another user owns or may write to.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace hora::watch {

// Does it hold nothing but the list of the job's starts, which this program itself has begun?
bool is_unused(const std::string& folder);

// The folder and all that is in it but the record of its communication (read::trace_folder), with
// which it stays; then the ".hora-UID" above it, where that is empty. What cannot be removed stays.
void remove_folder(const std::string& folder);

// The folder of such a name is that job's: "CLUSTER-JOB-SUBMIT", as checkpoint.path has it by
// default. 0 for any other name.
std::uint32_t job_of_folder(std::string_view name, std::string_view cluster);

// Removes the folders beside this one that belong to jobs which are over, where nothing was written
// for so long. Only in a folder of the caller's own.
void remove_expired(const std::string& folder, const std::string& cluster,
                    std::chrono::seconds keep, std::chrono::system_clock::time_point now,
                    const std::function<bool(std::uint32_t)>& is_over);

}  // namespace hora::watch
