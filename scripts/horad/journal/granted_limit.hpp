// Which time limit has Hora given a job, and what is it worth on the GPUs that it was stated for?
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "plugins/slurm/jobs/job.hpp"

namespace hora::horad {

// Kept with the job itself, as a word of its administrator's comment that only operators can write:
// of a limit that stops at the longest of a partition or QOS, more is the job's than it says. It
// counts only while the job has that limit: one that anybody else has set is worth what it says.
struct GrantedLimit {
    Seconds limit;  // as Slurm has it
    Seconds own;    // on the GPUs that the job's limit was stated for, in whole seconds

    friend bool operator==(const GrantedLimit&, const GrantedLimit&) = default;
};

// Empty where the comment has no such word, or a torn one.
std::optional<GrantedLimit> find_granted(std::string_view comment);

// The comment with the word in the place of an older one, or added; without it. The rest stays.
std::string with_granted(std::string_view comment, const GrantedLimit& granted);
std::string without_granted(std::string_view comment);

// What a job's limit, all of it, is worth on the GPUs that it was stated for while the job has, or
// asks for, `gpus`. The job has a limit.
Seconds own_limit(const slurm::Job& job, std::uint32_t gpus, std::uint32_t stated_for);

}  // namespace hora::horad
