// What should become of this job? A pure function of what was asked, what is known, and when.
#include "libplanner/request/planned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "libplanner/base/counted.hpp"
#include "libplanner/cost/correction.hpp"
#include "libplanner/cost/formats.hpp"
#include "libplanner/cost/late_rank.hpp"
#include "libplanner/cost/measured_table.hpp"
#include "libplanner/plan/choose.hpp"
#include "libplanner/plan/memory_remark.hpp"
#include "libplanner/read/slurm/hostlist.hpp"
#include "libplanner/request/scope/available_gpus.hpp"
#include "libplanner/request/scope/cluster_subset.hpp"
#include "libplanner/request/scope/narrowing.hpp"
#include "libplanner/request/scope/partition.hpp"

namespace hora::request {
namespace {

// Everything a plan of one job is made of.
struct Case {
    const Submission& submission;
    const domain::Partition& partition;
    const domain::Snapshot& snapshot;
    Scope scope;
    Limits limits;
    domain::Request request;
    cost::Corrections corrections;  // by what earlier runs measured
    cost::Overheads overheads;      // likewise
};

Expected<Case> prepare(const Submission& submission, const domain::Request& requested,
                       const domain::Partition& partition, const domain::Snapshot& snapshot,
                       std::int64_t now) {
    Limits limits = limits_of(owner_of(submission, partition, snapshot), partition, snapshot);
    lower_by_memory(limits, submission);
    constexpr Seconds for_ever(std::numeric_limits<double>::infinity());
    const Seconds lasts = submission.time_limit.value_or(limits.max_time.value_or(for_ever));
    auto scope = scope_of(submission, partition, snapshot, {.now = now, .lasts = lasts});
    if (!scope) {
        return unexpected(scope.error());
    }
    auto request = narrowed(requested, submission, *scope, limits, snapshot);
    if (!request) {
        return unexpected(request.error());
    }
    const std::string model = cost::model_key(requested.model);
    cost::Corrections corrections =
        cost::corrections_of(snapshot.measured, submission.uid, model, snapshot.cluster);
    request->cost.exchange_factor = cost::exchange_factor(corrections, snapshot.measured,
                                                          submission.uid, model, snapshot.cluster);
    return Case{submission,
                partition,
                snapshot,
                std::move(*scope),
                std::move(limits),
                std::move(*request),
                std::move(corrections),
                cost::overheads_of(snapshot.measured, submission.uid, model, snapshot.cluster)};
}

AvailableGpus gpus_for(const Case& job, bool as_if_idle) {
    return available_gpus(
        job.scope, job.submission, job.partition, job.snapshot,
        {.as_if_idle = as_if_idle,
         .max_gpus_of_node = job.limits.gpus_of_node.most.value_or(domain::unlimited_gpus),
         .max_cpus_of_node = job.limits.cpus_of_node.most.value_or(domain::unlimited_gpus)});
}

// The chooser sees no more than it may take: a submission pays for the GPUs of its plan's size, not
// for the cluster's. Only why nothing fits is said of the whole.
std::optional<domain::Plan> choose_from(const AvailableGpus& available, const Case& job,
                                        plan::SearchLimit& limit) {
    ClusterSubset subset = subset_of(job.snapshot.cluster, available);
    cost::apply(job.corrections, subset.cluster);
    cost::apply(job.overheads, subset.cluster);
    auto plan = plan::choose_within(limit, job.request, subset.cluster);
    if (!plan) {
        return std::nullopt;
    }
    if (plan->fits()) {
        to_whole(*plan, subset);
        return plan;
    }
    domain::Cluster whole = job.snapshot.cluster;
    cost::apply(job.corrections, whole);
    cost::apply(job.overheads, whole);
    for (std::size_t gpu = 0; gpu < available.size(); ++gpu) {
        whole.gpus[gpu].is_free = available[gpu] != 0;
    }
    return plan::choose_within(limit, job.request, whole);
}

// With what is free now, and with all of the partition where that differs or nothing fits now.
struct Plans {
    domain::Plan now;
    domain::Plan later;
};

// Empty where the search was over its limit.
std::optional<Plans> plan_on(const Case& job, plan::SearchLimit& limit) {
    AvailableGpus free = gpus_for(job, false);
    AvailableGpus all = gpus_for(job, true);
    const bool are_same = free == all;
    const std::size_t most_nodes = std::min(job.request.max_nodes, job.request.max_gpus);
    leave_surplus(free, job.snapshot, most_nodes);
    auto now = choose_from(free, job, limit);
    if (!now) {
        return std::nullopt;
    }
    if (are_same) {
        domain::Plan later = now->fits() ? domain::Plan() : *now;
        return Plans{std::move(*now), std::move(later)};
    }
    leave_surplus(all, job.snapshot, most_nodes);
    auto later = choose_from(all, job, limit);
    if (!later) {
        return std::nullopt;
    }
    return Plans{std::move(*now), std::move(*later)};
}

// Better to wait for GPUs that hold a share than to start now on some that may not.
void prefer_what_fits(Plans& plans, const domain::Cluster& cluster) {
    if (plan::is_beyond_memory(plans.now, cluster) && plans.later.fits() &&
        !plan::is_beyond_memory(plans.later, cluster)) {
        plans.now = domain::Plan();
    }
}

std::string types_in(const Shape& shape) {
    std::string names;
    for (const PlannedType& type : shape.types) {
        names += (names.empty() ? "" : " + ") + type.name;
    }
    return names;
}

// The plan with every GPU of the partition, if it is better than the one that can start now.
// Returns its GPUs; 0: it is not.
std::uint32_t mention_bigger(domain::Plan& plan, const domain::Plan& bigger, const Case& job) {
    if (!bigger.fits() || !(bigger.length() < plan.length())) {
        return 0;
    }
    const Shape shape =
        shape_of(bigger, job.submission, job.limits, job.partition, job.snapshot, true);
    const std::string where =
        fmt::format("{} x {} on {}", shape.gpus, types_in(shape), counted(shape.nodes, "node"));
    plan.rejected.insert(plan.rejected.begin(),
                         {.mode = bigger.mode,
                          .gpus = shape.gpus,
                          .where = where,
                          .seconds = bigger.length(),
                          .reason = "with every GPU of the partition: not free now"});
    return shape.gpus;
}

std::string duration_remark(const domain::Plan& plan, const Case& job) {
    const std::optional<Seconds> limit =
        job.submission.time_limit ? job.submission.time_limit : job.limits.max_time;
    if (!plan.seconds || !limit || !(*limit < *plan.seconds)) {
        return {};
    }
    return fmt::format("the time limit of {:.0f} min ends it before the predicted {:.0f} min",
                       limit->count() / 60, plan.seconds->count() / 60);
}

// srun and salloc start the tasks of their options, whatever the plan.
std::string client_remark(const Submission& submission, const domain::Request& requested,
                          const Shape& shape) {
    const bool left_more = shape.gpus < requested.max_gpus && !requested.is_max_by_site;
    if (!submission.has_client_tasks() || submission.gpus.is_named() ||
        (shape.gpus == shape.tasks && !left_more)) {
        return {};
    }
    return fmt::format("{} for {}: srun and salloc start as many tasks as -n says",
                       counted(shape.gpus, "GPU"), counted(shape.tasks, "task"));
}

void record(domain::Decision& decision, const domain::Plan& plan, const Shape& shape,
            const Case& job) {
    const domain::Snapshot& snapshot = job.snapshot;
    decision.has_plan = true;
    decision.mode = plan.mode;
    decision.gpus = shape.gpus;
    decision.nodes = shape.nodes;
    decision.where = read::fold_hostlist(shape.names);
    decision.seconds = plan.seconds;
    decision.step_seconds = plan.step_seconds;
    decision.breakdown = plan.breakdown;
    decision.exchange = plan.exchange;
    decision.lateness = cost::expected_lateness(plan, snapshot.measured, job.submission.uid,
                                                cost::model_key(job.request.model),
                                                snapshot.cluster, job.request.cost.exchange_factor);
    for (const domain::DeviceUse& use : plan.devices) {
        if (job.corrections[use.device] && !decision.correction) {
            decision.correction = job.corrections[use.device];
        }
        decision.uses.push_back(
            {snapshot.cluster.devices[use.device].name, use.attainable, use.bound, use.takes_tf32});
    }
}

bool says_memory(const Submission& submission) {
    return submission.memory_per_node || submission.memory_per_cpu || submission.memory_per_gpu;
}

// A script gets its CPUs from the plan.
Submission with_defaults(const Submission& original, const domain::Partition& partition) {
    Submission submission = original;
    if (!original.is_batch && !original.cpus_per_task && !original.cpus_per_gpu) {
        submission.cpus_per_gpu = partition.default_cpus_per_gpu;
    }
    if (!says_memory(original)) {
        submission.memory_per_gpu = partition.default_memory.per_gpu;
        submission.memory_per_cpu = partition.default_memory.per_cpu;
        submission.memory_per_node = partition.default_memory.per_node;
    }
    return submission;
}

}  // namespace

Planned plan_request(const Submission& original, const domain::Request& requested,
                     const domain::Snapshot& snapshot, const Moment& moment, WaitRule wait_rule,
                     plan::SearchLimit limit) {
    Planned planned;
    domain::Decision& decision = planned.decision;
    decision.snapshot = snapshot.written;
    decision.submitted = original.submitted;
    decision.partition = partition_of(original.partitions, snapshot);
    const domain::Partition* partition = find_partition(decision.partition, snapshot);
    if (partition == nullptr) {
        decision.remark = "the snapshot knows no partition of this job that is up";
        return planned;
    }
    const Submission submission = with_defaults(original, *partition);
    const auto job = prepare(submission, requested, *partition, snapshot, moment.now);
    if (!job) {
        decision.remark = job.error().message;
        return planned;
    }
    auto plans = plan_on(*job, limit);
    if (!plans) {
        decision.remark = "the search for a plan took longer than submit.budget";
        return planned;
    }
    prefer_what_fits(*plans, snapshot.cluster);
    decision.waits = !plans->now.fits() && plans->later.fits();
    if (plans->now.fits()) {
        decision.gpus_if_idle = mention_bigger(plans->now, plans->later, *job);
    }
    domain::Plan& plan = plans->now.fits() ? plans->now : plans->later;
    decision.rejected = plan.rejected;
    if (!plan.fits()) {
        decision.remark = "no plan fits in partition \"" + partition->name + "\"";
        planned.plan = std::move(plan);
        return planned;
    }
    Shape shape = shape_of(plan, submission, job->limits, *partition, snapshot, decision.waits);
    record(decision, plan, shape, *job);
    Placing placing = placing_of(plan, shape, submission, job->scope, snapshot, wait_rule);
    decision.placement = std::move(placing.placement);
    shape.cpus_per_task = placing.cpus_per_task.value_or(shape.cpus_per_task);
    planned.rewrite = rewrite_of(plan, shape, placing.rule, requested.batch, submission, job->scope,
                                 snapshot, moment.spell);
    decision.changes = changes_of(planned.rewrite, submission);
    for (const std::string& remark :
         {client_remark(submission, requested, shape), duration_remark(plan, *job),
          cost::format_remark(requested.workload, plan, snapshot.cluster),
          plan::memory_remark(plan, snapshot.cluster)}) {
        decision.remark += (decision.remark.empty() || remark.empty() ? "" : "; ") + remark;
    }
    planned.plan = std::move(plan);
    return planned;
}

}  // namespace hora::request
