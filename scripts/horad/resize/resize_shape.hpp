// Which request is so many GPUs for this job, on the cluster as it is?
//
// Best fit: the fewest nodes that can hold them now, the job's own GPUs counted as free, and on
// each node as many; GPUs of one switch where such are free. What the owner fixed stays.
#pragma once

#include <memory>

#include "libplanner/domain/snapshot.hpp"
#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

class SnapshotShaper : public Shaper {
  public:
    // `version` as in plugins/slurm/version.hpp; `wait` as the setting placement.wait.
    SnapshotShaper(std::shared_ptr<const domain::Snapshot> snapshot, std::uint32_t version,
                   Seconds wait, FindMemory find)
        : snapshot_(std::move(snapshot)), version_(version), wait_(wait), find_(std::move(find)) {}

    Expected<slurm::JobShape> shape(const slurm::Job& job, std::uint32_t gpus) const override;
    Expected<slurm::JobShape> fallback(const slurm::Job& job, const Resize& resize,
                                       std::uint32_t most) const override;

  private:
    std::shared_ptr<const domain::Snapshot> snapshot_;
    std::uint32_t version_;
    Seconds wait_;
    FindMemory find_;
};

}  // namespace hora::horad
