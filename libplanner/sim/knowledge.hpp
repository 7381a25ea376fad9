// What does a policy know of the jobs' speeds, and what does it learn as they run?
#pragma once

#include <cstdint>
#include <memory>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/job_trace.hpp"
#include "libplanner/elastic/speed/speed_model.hpp"

namespace hora::sim {

enum class KnowledgeKind {
    learned,  // a prior, and what was observed with noise
    oracle,   // the true curves
};

// Jobs are counted as in JobTrace::jobs. An epoch is the whole training, where a job has a range of
// batches.
class Knowledge {
  public:
    virtual ~Knowledge() = default;
    // Of an epoch, as far as it is known now; without uncertainties all of it is certain. Never
    // null.
    virtual std::shared_ptr<const elastic::SpeedCurve> curve(std::uint32_t job) = 0;
    // The job has trained long enough on so many GPUs, with this batch (0: it has one), for its
    // speed to be measured, `epoch` in truth. Whether anything is thought of otherwise now, of this
    // job or another.
    virtual bool observe(std::uint32_t job, std::uint32_t gpus, std::uint32_t nodes,
                         std::uint64_t batch, Seconds epoch) = 0;
};

// What a prior is made of, beside the trace.
struct PriorSource {
    std::uint32_t gpus_per_node = 1;
    domain::Link network;  // between two nodes
    std::uint64_t seed = 1;
    // What one job measures serves every later job of its application; else itself alone.
    bool shares_fits = true;
};

// The trace outlives the result.
std::unique_ptr<Knowledge> make_knowledge(KnowledgeKind kind, const domain::JobTrace& trace,
                                          const PriorSource& source);

}  // namespace hora::sim
