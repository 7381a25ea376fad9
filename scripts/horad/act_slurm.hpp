// The edge of acting that is the real Slurm.
#pragma once

#include <cstdint>
#include <optional>

#include "scripts/horad/act_edge.hpp"
#include "scripts/horad/wall_time.hpp"

namespace hora::horad {

class LiveSlurm : public SlurmEdge {
  public:
    Expected<std::optional<slurm::JobView>> look_at(std::uint32_t job) override;
    slurm::Answered change(std::uint32_t job, const slurm::JobChange& change) override;
    slurm::Answered hold(std::uint32_t job, bool by_user) override;
    slurm::Answered ask_for_checkpoint(std::uint32_t job, domain::CheckpointSignal signal) override;
    std::int64_t started() override;
    // Asked once; while slurmctld does not say, they are taken for computed.
    bool computes_priorities() override;

  private:
    const std::int64_t born_ = wall_time();
    std::optional<bool> computes_priorities_;
};

}  // namespace hora::horad
