// Of which jobs has somebody set the time limit while horad restarts them?
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace hora::submit {

// slurmctld cannot change a limit only where it still is what horad saw. But it shows each change
// to this plugin first, one after the other of the same job: what is noted here before a change of
// horad's is known to it.
class SetLimits {
  public:
    static constexpr std::size_t most =
        4096;  // jobs; beyond that the one of the lowest number goes

    // `number`: of the restart, see slurm::RestartLock.
    void note(std::uint32_t job, std::uint64_t number);
    bool has(std::uint32_t job, std::uint64_t number) const;

  private:
    mutable std::mutex mutex_;
    std::map<std::uint32_t, std::uint64_t> numbers_;  // by job
};

}  // namespace hora::submit
