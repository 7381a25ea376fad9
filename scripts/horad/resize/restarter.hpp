// Which jobs have gone back to the queue at a checkpoint, and wait there only because Slurm makes a
// requeued job wait?
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/journal/own_restarts.hpp"
#include "scripts/horad/observe/controller_age.hpp"
#include "scripts/horad/observe/observation.hpp"
#include "scripts/horad/progress/reports.hpp"

namespace hora::horad {

// Lets them begin a second after their last run is cleaned up, and never in the second in which
// that ends. A job that is resized, is held, is of an array, or has got another begin time is left
// alone. One that slurmctld had held by mistake, and that horad has released, counts as at a
// checkpoint.
class Restarter {
  public:
    // `wait`: what Slurm makes a requeued job wait, in seconds (AuthInfo=cred_expire, and one
    // more).
    void step(const Observation& seen, const Reports& reports,
              const std::vector<ResizeEntry>& under_way, OwnRestarts& restarts, SlurmEdge& slurm,
              std::int64_t wait, Seconds now);

    // Is one to be looked at again soon?
    bool is_busy() const;

  private:
    struct Waiting {
        std::uint32_t restarts = 0;
        Seconds since{};  // it was first seen back in the queue
        bool is_pressing = true;
        bool is_done = false;                // nothing more is to be done for this start
        std::int64_t latest = 0;             // that slurmctld's clock has shown since the requeue
        std::int64_t begins = 0;             // as it was told; 0: not yet
        std::optional<Seconds> woken{};      // slurmctld, to look for jobs to start
        std::optional<Seconds> may_begin{};  // since then
    };

    struct Run {
        std::string nodes;
        std::int64_t began = 0;
    };

    bool advance(std::uint32_t job, Waiting& waiting, OwnRestarts& restarts, SlurmEdge& slurm,
                 std::int64_t wait, Seconds now);
    std::optional<std::int64_t> next_begin(const slurm::Job& job, const Waiting& waiting,
                                           SlurmEdge& slurm) const;
    bool wake(std::uint32_t job, Waiting& waiting, SlurmEdge& slurm, Seconds now) const;

    ControllerAge controller_;
    std::map<std::uint32_t, Run> runs_;  // by job, as it was last seen to run
    std::map<std::uint32_t, Waiting> waiting_;
};

// "socket=…,cred_expire=N", as AuthInfo in slurm.conf has it: N and one more; as Slurm ships where
// it does not say.
std::int64_t wait_after_requeue(std::string_view auth_info);

}  // namespace hora::horad
