// Which settings are there? Each is declared here once: name, default, range and a line of help.
// Parsing, `hora config show` and the manual page follow from this table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <variant>

#include "config.h"
#include "libplanner/base/units.hpp"
#include "libplanner/domain/elastic.hpp"
#include "libplanner/domain/request.hpp"
#include "libplanner/read/settings/checkpoint_path.hpp"

namespace hora::read {

// What Hora does with a job: only log the plan, tell it to the user, or rewrite the request.
enum class OperatingMode { observe, advise, act };

// What becomes of a job whose GPUs Hora was to choose, where it has no plan: the smallest request
// by plain Slurm ("default"), an error, or the request as it is.
enum class WithoutPlan { smallest, refuse, pass };

// The type of a setting is the type of its default.
using SettingDefault = std::variant<bool, std::uint64_t, double, Seconds, Bytes, Bandwidth,
                                    std::string_view, OperatingMode, domain::Objective,
                                    domain::Exchange, WithoutPlan, domain::LimitKind>;

struct Setting {
    std::string_view name;  // "TABLE.KEY" in hora.toml, or a key outside any table
    SettingDefault initial;
    std::string_view help;
    double least = 0;  // of numbers and quantities, in base units
    double most = std::numeric_limits<double>::infinity();
};

using namespace hora::literals;

inline constexpr Setting setting_table[] = {
    {"mode", OperatingMode::observe,
     "what is done with a job: observe (log the plan), advise (tell the user), act (rewrite)"},
    {"snapshot.path", HORA_STATEDIR "/snapshot.json",
     "file with the state of the cluster that submissions are planned on"},
    {"snapshot.max_age", 60_s, "age beyond which the snapshot is not used", 1},
    {"submit.budget", 50_ms,
     "longest time that the search for a plan may compute while slurmctld waits for it"},
    {"submit.without_plan", WithoutPlan::smallest,
     "what a job gets whose GPUs Hora was to choose and has no plan for: default (the fewest of "
     "--hora-gpus, by plain Slurm), refuse (an error), pass (unchanged, without GPUs)"},
    {"plan.max_gpus", std::uint64_t{8}, "most GPUs a job gets that does not say --hora-gpus", 1,
     1e6},
    {"plan.min_efficiency", 0.5,
     "least share of its own speed that a further GPU must add, without --hora-gpus", 0, 1},
    {"plan.objective", domain::Objective::time,
     "what is best: time (fastest) or efficiency (fewest GPU-hours within plan.slowdown)"},
    {"plan.tolerance", 0.02,
     "time: of plans that take so little longer than the fastest the one that costs the fewest "
     "GPU-hours is as good, and chosen; 0.02 is 2 %",
     0, 1},
    {"plan.slowdown", 0.1, "how much slower than the fastest an efficient plan may be; 0.1 is 10 %",
     0, 100},
    {"plan.async_threshold", 0.2,
     "variation of the members' speeds (deviation / mean) from which async replaces sync", 0, 100},
    {"plan.min_sample_rate", 0.05,
     "least share of a table's rows that a step exchanges beside those of its words, of jobs that "
     "say --hora-accepts=sampling; 1: all",
     0.01, 1},
    {"placement.wait", 300_s,
     "how long a job may wait for GPU locality on its nodes; 0: not at all", 0, 366 * 86400.0},
    {"cost.exchange", domain::Exchange::automatic,
     "how gradients travel: auto (cheaper of ring and tree), ring, tree or server; with "
     "--hora-allreduce=ring or bypass a ring"},
    {"cost.overlap", true, "whether gradients travel while the backward pass goes on"},
    {"cost.backward_factor", 2.0, "cost of the backward pass, in forward passes", 0, 100},
    {"cost.optimizer_states", 2.0,
     "copies of the weights beside weights and gradients (Adam 2, momentum 1)", 0, 100},
    {"cost.master_weights", true,
     "whether programs in 16 bits or less (mixed precision) keep weights, gradients and the "
     "optimizer's copies in fp32"},
    {"cost.memory_reserve", 1_GiB, "memory of each GPU that driver and framework take"},
    {"network.bandwidth", Bandwidth(1.25e9), "between two nodes, where nothing else is said"},
    {"network.latency", Seconds(14e-6),
     "of one message between two nodes; the default is NCCL's own figure"},
    {"network.interface", "", "NCCL_SOCKET_IFNAME of jobs that do not set it; empty: leave it"},
    {"network.hca", "", "NCCL_IB_HCA of jobs that do not set it; empty: leave it"},
    {"nccl.topo_file", "",
     "NCCL_TOPO_FILE of jobs that do not set it, on virtual machines that have the file; may use "
     "{node}; empty: leave it"},
    {"ring.place", true,
     "whether ranks, GPUs and CPU masks of jobs that Hora acts on are put in the order of the "
     "ring"},
    {"topology.path", HORA_SYSCONFDIR "/topology.json",
     "what 'hora topology --local --json' said of a node, on that node; may use {node}"},
    {"checkpoint.path", default_checkpoint_path,
     "folder for checkpoints, on shared storage; relative: below the job's working directory; may "
     "use {user} {uid} {cluster} {job} {submit}"},
    {"checkpoint.remove", true,
     "whether the folder of a job is removed that has ended with status 0"},
    {"checkpoint.keep", Seconds(7 * 86400.0),
     "how long the folder of a job that ended otherwise is kept; 0: for ever", 0, 4e9},
    {"master.port_base", std::uint64_t{20000}, "first MASTER_PORT, where Slurm reserves none", 1024,
     65535},
    {"master.port_range", std::uint64_t{10000}, "how many ports from there may be used", 1, 64512},
    {"model.reader", HORA_LIBEXECDIR "/hora-read-model",
     "program that reads a model in the user's name on submission"},
    {"model.timeout", 10_s, "longest time that program may take"},
    {"requeue.max", std::uint64_t{100},
     "most restarts of a job at its checkpoints, after which it is left to its time limit", 0,
     65535},
    {"requeue.max_time", Seconds(30 * 86400.0),
     "how long a job may run in all its starts together and still be restarted at a checkpoint", 0,
     4e9},
    {"requeue.ahead", 120_s,
     "how long before its time limit a job with --hora-requeue is signalled to write its "
     "checkpoint",
     1, 65000},
    {"horad.port", std::uint64_t{6829}, "TCP port on which horad takes the jobs' reports; 0: none",
     0, 65535},
    {"horad.listen", "",
     "IPv4 or IPv6 address of its host on which horad takes them; empty: all of them. Jobs find it "
     "by horad.hosts"},
    {"horad.hosts", "",
     "hosts that jobs report to, with commas between; empty: those of Slurm's controllers"},
    {"horad.state", HORA_STATEDIR, "folder of the daemon's own files: lock, status.json"},
    {"horad.interval", 2_s, "how often the daemon looks at the cluster", 0.1, 3600},
    {"horad.metrics", "", "file of Prometheus' textfile collector that horad keeps; empty: none"},
    {"replan.pause", 600_s,
     "how long a pending job keeps a plan before horad may make a better one; 0: for ever", 0,
     366 * 86400.0},
    {"replan.gain", 0.1,
     "how much later than by a new plan a pending job must end for it; 0.1 is 10 %", 0, 100},
    {"elastic.policy", "hora",
     "how GPUs are dealt out to elastic jobs; hora-elastic(1) says what each does"},
    {"elastic.limits", domain::LimitKind::gpu_time,
     "what the time limit of an elastic job means: gpu-time (so much time on the GPUs of its "
     "plan: on fewer it is longer in proportion) or clock (so much time, whatever it has)"},
    {"elastic.cooldown", 120_s,
     "least time between two resizes of one job; GPUs that a running job grows into have been "
     "idle for as long",
     0, 86400},
    {"elastic.rescale", 15_s, "what a resize is thought to cost a job before any was measured", 0,
     3600},
    {"history.path", HORA_STATEDIR "/history.db",
     "file of plans, and of what was measured and resized"},
    {"history.keep", Seconds(180 * 86400.0),
     "how long that is kept, and how far back plans take it into account", 3600, 3660 * 86400.0},
    {"elastic.ready_timeout", 120_s,
     "how long a job is given to write its checkpoint before it is left to run on", 1, 86400},
    {"elastic.fallback", 30_s,
     "how long a resized job waits to start before it goes back to its old size", 0, 86400},
    {"elastic.reserve", true,
     "whether the nodes of a job are reserved for it while it is restarted at another size"},
    {"elastic.suspend_after", 1800_s,
     "how long a job with --hora-suspend runs before it may be suspended for a shorter one", 1,
     86400},
};

constexpr std::size_t setting_count = std::size(setting_table);

}  // namespace hora::read
