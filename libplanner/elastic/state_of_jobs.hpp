// What is to be decided on, of a pool of GPUs and the jobs that are seen in it?
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/domain/elastic.hpp"
#include "libplanner/elastic/free_nodes.hpp"
#include "libplanner/elastic/speed/speed_model.hpp"

namespace hora::elastic {

// An elastic job as the cluster and its own reports show it. Points in time are on one clock.
struct SeenJob {
    std::uint64_t id = 0;
    std::uint32_t gpus = 0;  // holds now; 0: it waits, for GPUs and nothing else
    std::uint32_t asks = 0;  // of one that waits: what its request says now
    Seconds waited{std::numeric_limits<double>::infinity()};  // likewise: as OtherJob::waited
    bool asks_as_resized = false;  // that is what a policy gave it, unchanged since
    std::uint32_t requested = 1;   // what its owner's request by itself would hold
    std::uint32_t min = 1;
    std::uint32_t max = 1;
    std::vector<std::uint32_t> sizes;  // empty: each from min to max
    bool yields = false;               // room is made of what it requested too
    bool may_be_suspended = false;  // its owner allows that it waits for shorter jobs for a while
    // Why it keeps what it has for now: "has reported nothing yet"; empty: it may be resized.
    std::string stays;

    // A step is whatever `curve` times: a step, or an epoch; where it has a range of batches, one
    // of the smallest.
    double steps = 0;                         // of all its work; 0: not said
    double steps_done = 0;                    // as reported
    std::optional<Seconds> time_left;         // until its time limit ends it as it is; empty: none
    std::optional<domain::GpuTime> gpu_time;  // of a limit that counts so; with `time_left` only
    Seconds submitted;
    std::optional<Seconds> started;  // for the first time
    Seconds resized;                 // its last start
    double attained = 0;             // GPU-seconds
    std::uint32_t restarts = 0;      // by Hora

    // That it runs on, by their places in Pool::free.
    std::vector<domain::NodeGpus> nodes{};
    std::uint64_t batch = 0;   // of its last start, where it has a range of batches
    bool keeps_nodes = false;  // a restart with as many GPUs was refused not long ago

    // Never null; as long as the largest number of GPUs above.
    std::shared_ptr<const SpeedCurve> curve;
    // What a restart costs a job like it, as measured; empty: what it costs any (Pool).
    std::optional<Seconds> rescale = {};
};

// A job that Hora has no say in and that waits for GPUs.
struct OtherJob {
    std::uint32_t gpus = 0;
    Seconds waited;  // since it could have run, by what idles too
};

struct Pool {
    std::string name;  // "titanx of main", for reasons
    Seconds now;
    std::uint32_t idle = 0;     // free, on usable nodes, promised to no job
    std::uint32_t settled = 0;  // of these, as many as have idled for a while (idle_window.hpp)
    std::uint32_t gpus_per_node = 1;
    Seconds rescale;
    // GPUs that idle, by node, and where these are known each running job's nodes. Empty: not
    // known, or they are to be left to restarts that are under way.
    std::vector<std::uint32_t> free{};
    bool is_suspending = false;    // one of its jobs gives up its GPUs at this moment
    bool reserves_nodes = false;   // those of each job, for the time of its restart
    std::vector<SeenJob> jobs;     // in the order of their submission
    std::vector<OtherJob> others;  // the first in the queue first
    domain::PolicyConstants constants{};
};

// `state.jobs` looks into the pool and into `sizes`, `free` into the pool: it may be moved, not
// copied, and the pool outlives it.
struct Question {
    Question() = default;
    Question(Question&&) = default;
    Question& operator=(Question&&) = default;
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;

    domain::ElasticState state;
    std::vector<std::vector<std::uint32_t>> sizes;
    std::vector<std::size_t> seen;  // by job: its place in Pool::jobs
    FreeNodes free{{}, 0};          // of the pool
};

// The least that it may be left with or started on, its time limit left aside.
std::uint32_t own_min(const SeenJob& seen);

// Jobs that stay as they are take no part: their GPUs are not divided.
Question question_of(const Pool& pool);

// Of what it holds: what no room is made of for jobs that Hora has no say in. Its own request, or
// its least if it yields.
std::uint32_t kept_from_others(const domain::ElasticJob& job);

// The GPUs that idle, or that jobs hold beyond that.
std::uint32_t can_be_had(const Pool& pool, const domain::ElasticState& state);

// Which restarts may give GPUs of the job to another one that waits? Where its nodes are not
// reserved its allocation is open to the queue until it starts again.
class WaitingForMore {
  public:
    explicit WaitingForMore(const Pool& pool);  // O(jobs)

    bool would_take_from(std::uint32_t held) const { return is_one_starting_ || held >= lacks_; }

  private:
    // The least that one of those lacks that wait for more than idles, and would get it.
    std::uint32_t lacks_ = std::numeric_limits<std::uint32_t>::max();
    bool is_one_starting_ = false;  // on nodes that only the scheduler knows
};

// The GPUs that others wait for and that room can be made for, the first in the queue first. One
// that waits although enough are idle waits for something else, and counts only for `patience`.
std::uint32_t waiting_gpus(const Pool& pool, std::uint32_t at_hand);

}  // namespace hora::elastic
