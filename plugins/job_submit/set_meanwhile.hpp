// What has somebody set of a job while horad restarts it?
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace hora::submit {

struct SetFields {
    bool time_limit = false;
    bool begin_time = false;
};

// slurmctld cannot change a field only where it still is what horad saw. But it shows each change
// to this plugin first, one after the other of the same job: what is noted here before a change of
// horad's is known to it.
class SetMeanwhile {
  public:
    static constexpr std::size_t most =
        4096;  // jobs; beyond that the one of the lowest number goes

    // Besides what was noted before. `number`: of the restart, see slurm::RestartLock.
    void note(std::uint32_t job, std::uint64_t number, SetFields fields);
    SetFields of(std::uint32_t job, std::uint64_t number) const;

  private:
    struct Noted {
        std::uint64_t number = 0;
        SetFields fields;
    };

    mutable std::mutex mutex_;
    std::map<std::uint32_t, Noted> jobs_;  // by number
};

}  // namespace hora::submit
