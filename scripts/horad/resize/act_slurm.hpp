// The edge of acting that is the real Slurm.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plugins/slurm/store/restart_locks.hpp"
#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/log/wall_time.hpp"
#include "scripts/horad/observe/controller_age.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

class LiveSlurm : public SlurmEdge {
  public:
    // `state`: the daemon's own folder, below which it says from which jobs their owners are kept;
    // empty: from none.
    explicit LiveSlurm(const std::string& state = {});

    // Owners are kept from jobs that have a priority of Hora's, and from no others.
    void renew_locks(const Observation& seen, const std::vector<ResizeEntry>& under_way);

    Expected<std::optional<slurm::Job>> look_at(std::uint32_t job) override;
    slurm::Answered change(std::uint32_t job, const slurm::JobChange& change) override;
    void yield_times(std::uint32_t job, std::uint32_t owner) override;
    slurm::Answered hold(std::uint32_t job, bool by_user) override;
    slurm::Answered ask_for_checkpoint(std::uint32_t job, domain::CheckpointSignal signal) override;
    slurm::Answered requeue(const slurm::Job& job) override;
    std::int64_t started() override;
    Expected<std::int64_t> newest_slurmd(const std::string& nodes) override;
    Expected<std::uint32_t> highest_beside(const slurm::Job& job) override;
    slurm::Answered reserve(const slurm::ReservedNodes& reserved) override;
    slurm::Answered end_reservation() override;
    // Asked once; while slurmctld does not say, they are taken for computed.
    bool computes_priorities() override;
    bool users_swap_priorities() override;

  private:
    struct Held {
        Seconds written;           // its file, the last time
        std::uint64_t number = 0;  // of this restart
        bool is_kept = false;
    };

    void take(std::uint32_t job, std::uint32_t uid, bool is_to_be_kept);
    void let_go(std::uint32_t job);

    const std::optional<slurm::RestartLocks> locks_;
    std::string key_;
    std::map<std::uint32_t, Held> held_;  // by job
    // Above those of a daemon before, also of one that began in the same second.
    std::uint64_t next_number_ = static_cast<std::uint64_t>(
        std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
    ActingSince acting_{wall_time()};
    std::optional<bool> computes_priorities_;
};

}  // namespace hora::horad
