// Which priority has Hora given a job that restarts at another size, and which one is its own?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/slurm/jobs/job_list.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"

namespace hora::horad {

// Kept with the job itself, as a word of its administrator's comment that only operators can write.
// It is set and cleared by the same call to slurmctld as the priority: whatever becomes of the
// journal, a job that has a priority of Hora's has this word.
struct RaisedPriority {
    std::uint32_t own = 0;     // 0: slurmctld computes it
    std::uint32_t raised = 0;  // 0: it has its own still, see ask_whose()
    std::int64_t nice = 0;     // its own, which slurmctld forgets at each new priority

    friend bool operator==(const RaisedPriority&, const RaisedPriority&) = default;
};

// Empty where the comment has no such word.
std::optional<RaisedPriority> find_raised(std::string_view comment);

// The comment with the word in the place of an older one, or added; without it. The rest stays.
std::string with_raised(std::string_view comment, const RaisedPriority& priority);
std::string without_raised(std::string_view comment);

// Where slurmctld computes priorities it shows nowhere whether an operator has set the one of a
// job. But it takes a nice value for each job except one whose priority is set, in silence. So a
// job that waits is given another one than it has, which the word keeps; at the next look
// own_of() reads the answer from the job.
slurm::JobChange ask_whose(const slurm::Job& job);
RaisedPriority own_of(const slurm::Job& job, const RaisedPriority& asked);

// What gives a job, as it stands, its own priority back, and takes it out of the reservation of
// restarts.
slurm::JobChange give_back(const slurm::Job& job, const RaisedPriority& priority);

// Likewise, by the word; nothing where it has neither.
slurm::JobChange give_back(const slurm::Job& job);

// Has it anything to be given back?
bool has_ours(const slurm::Job& job);

// What takes a hold off a job, and Hora's word with it: slurmctld gives the job a priority as to
// one that is submitted.
slurm::JobChange release_of(const slurm::Job& job);

// Of the other jobs that wait and are not held, in a partition of this one; 0: none.
std::uint32_t highest_waiting(const std::vector<slurm::Job>& jobs, const slurm::Job& job);

}  // namespace hora::horad
