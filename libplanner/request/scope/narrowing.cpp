// What is left to plan once the user's own words and the limits are respected?
#include "libplanner/request/scope/narrowing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "libplanner/base/counted.hpp"
#include "libplanner/plan/whole_nodes.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/request/scope/cpu_need.hpp"

namespace hora::request {
namespace {

constexpr const char* too_many = "more GPUs than any cluster has";

void fix_total(domain::Request& request, std::uint32_t gpus) {
    request.min_gpus = gpus;
    request.max_gpus = gpus;
    request.is_max_by_site = false;
}

Expected<void> narrow_by_gpus(domain::Request& request, const Submission& submission) {
    const GpuRequest& gpus = submission.gpus;
    if (gpus.is_per_socket || (gpus.per_task && !submission.tasks)) {
        return failure("GPUs by task or socket are left as they are");
    }
    if (gpus.has_several_types) {
        return failure("GPUs of several types are left as they are");
    }
    if (gpus.per_task) {
        const std::uint64_t total = std::uint64_t{*gpus.per_task} * *submission.tasks;
        if (total >= domain::unlimited_gpus) {
            return failure(too_many);
        }
        fix_total(request, static_cast<std::uint32_t>(total));
    } else if (gpus.per_job) {
        fix_total(request, *gpus.per_job);
    }
    if (gpus.per_node) {
        request.gpus_per_node = gpus.per_node;
    }
    return {};
}

void narrow_by_tasks(domain::Request& request, const Submission& submission) {
    const GpuRequest& gpus = submission.gpus;
    if (gpus.per_task || gpus.per_job) {
        return;
    }
    if (submission.tasks_per_node && !gpus.per_node && !submission.is_launcher() &&
        !submission.has_client_tasks()) {
        request.gpus_per_node = submission.tasks_per_node;
    }
    if (submission.is_launcher() && submission.tasks) {
        request.min_nodes = std::max(request.min_nodes, *submission.tasks);
        request.max_nodes = std::min(request.max_nodes, *submission.tasks);
        return;
    }
    if (submission.has_client_tasks() && request.min_gpus > *submission.tasks) {
        return;
    }
    if (submission.tasks && !(gpus.per_node && submission.has_fixed_nodes())) {
        fix_total(request, *submission.tasks);
    }
}

void narrow_by_nodes(domain::Request& request, const Submission& submission, const Scope& scope) {
    request.min_nodes = std::max(request.min_nodes, submission.min_nodes.value_or(1));
    request.max_nodes =
        std::min(request.max_nodes, submission.max_nodes.value_or(domain::unlimited_nodes));
    if (submission.is_on_one_node()) {
        request.max_nodes = request.min_nodes;
    }
    if (!submission.is_batch && submission.tasks) {
        request.max_nodes = std::min(request.max_nodes, std::max(1U, *submission.tasks));
    }
    if (scope.is_fixed_to_nodes) {
        request.min_nodes = static_cast<std::uint32_t>(scope.nodes.size());
        request.max_nodes = request.min_nodes;
    }
}

// --exclusive takes every GPU of a node, so a plan may not count on fewer.
Expected<void> narrow_to_whole_nodes(domain::Request& request, const Submission& submission,
                                     const Scope& scope, const domain::Cluster& cluster) {
    if (!submission.is_exclusive || request.gpus_per_node) {
        return {};
    }
    request.gpus_per_node = plan::gpus_of_each_node(cluster, scope.nodes);
    return request.gpus_per_node ? Expected<void>()
                                 : failure("--exclusive over nodes with unequal numbers of GPUs");
}

// Where the user said nothing, the message says what can be said.
std::string_view whose_maximum(const domain::Request& request) {
    return request.is_max_by_site
               ? ", the most without --hora-gpus (plan.max_gpus); give --hora-gpus=MIN-MAX"
               : "";
}

// --hora-sizes=nodes.
Expected<void> narrow_to_size_of_node(domain::Request& request, const Scope& scope,
                                      const domain::Cluster& cluster) {
    if (request.sizes.kind != domain::SizeRule::Kind::nodes) {
        return {};
    }
    const auto whole = plan::gpus_of_each_node(cluster, scope.nodes);
    if (!whole) {
        return failure(
            "--hora-sizes=nodes over nodes with unequal numbers of GPUs (-C can choose among "
            "them)");
    }
    if (request.gpus_per_node.value_or(*whole) != *whole) {
        return failure(
            fmt::format("--hora-sizes=nodes: a node has {}, {} of each are asked "
                        "for",
                        counted(*whole, "GPU"), *request.gpus_per_node));
    }
    if (*whole > request.max_gpus) {
        return failure(fmt::format("--hora-sizes=nodes: a node has {}, {} may be used{}",
                                   counted(*whole, "GPU"), request.max_gpus,
                                   whose_maximum(request)));
    }
    request.gpus_per_node = whole;
    return {};
}

// The planner would only say that nothing fits.
Expected<void> check_sizes(const domain::Request& request) {
    const std::uint32_t whole = request.gpus_per_node.value_or(1);
    return request.sizes.kind == domain::SizeRule::Kind::any ||
                   !request.sizes.sizes(request.min_gpus, request.max_gpus, whole).empty()
               ? Expected<void>()
               : failure(fmt::format("--hora-sizes={} allows no number of GPUs from {} to {}{}",
                                     text_of(request.sizes), request.min_gpus, request.max_gpus,
                                     whose_maximum(request)));
}

std::string too_little(const Limit& limit, std::uint64_t needed, const char* what) {
    return fmt::format("{} leaves {} {}, the job needs at least {}", limit.set_by, *limit.most,
                       what, needed);
}

std::uint64_t least_cpus(const domain::Request& request, const CpuNeed& need) {
    return std::max(need.of_job.value_or(request.min_nodes * need.of_node),
                    need.with(request.min_gpus));
}

// Returns the most GPUs that the limit of CPUs leaves.
Expected<std::uint32_t> keep_within_cpus(domain::Request& request, const Limit& limit,
                                         const CpuNeed& need) {
    if (!limit.most) {
        return domain::unlimited_gpus;
    }
    if (const std::uint64_t least = least_cpus(request, need); least > *limit.most) {
        return failure(too_little(limit, least, "CPUs"));
    }
    if (need.of_node > 0 && !need.of_job) {
        const auto nodes = static_cast<std::uint32_t>(*limit.most / need.of_node);
        request.max_nodes = std::min(request.max_nodes, nodes);
    }
    return need.most_gpus(*limit.most);
}

Expected<void> keep_within(domain::Request& request, const Limits& limits,
                           const Submission& submission) {
    if (submission.qos.size() > longest_qos) {
        return failure(fmt::format("QOS {} is longer than {} letters", read::quoted(submission.qos),
                                   longest_qos));
    }
    if (limits.nodes.most) {
        if (*limits.nodes.most < request.min_nodes) {
            return failure(too_little(limits.nodes, request.min_nodes, "nodes"));
        }
        request.max_nodes = std::min(request.max_nodes, *limits.nodes.most);
    }
    const auto by_cpus = keep_within_cpus(request, limits.cpus, cpu_need(submission));
    if (!by_cpus) {
        return unexpected(by_cpus.error());
    }
    if (limits.gpus.most && *limits.gpus.most < request.min_gpus) {
        return failure(too_little(limits.gpus, request.min_gpus, "GPUs"));
    }
    const std::uint32_t most = std::min(limits.gpus.most.value_or(request.max_gpus), *by_cpus);
    request.is_max_by_site = request.is_max_by_site && request.max_gpus <= most;
    request.max_gpus = std::min(request.max_gpus, most);
    return {};
}

}  // namespace

Expected<domain::Request> narrowed(const domain::Request& requested, const Submission& submission,
                                   const Scope& scope, const Limits& limits,
                                   const domain::Snapshot& snapshot) {
    domain::Request request = requested;
    request.layout = domain::Layout::uniform;
    if (auto done = narrow_by_gpus(request, submission); !done) {
        return unexpected(done.error());
    }
    narrow_by_tasks(request, submission);
    narrow_by_nodes(request, submission, scope);
    if (auto done = narrow_to_whole_nodes(request, submission, scope, snapshot.cluster); !done) {
        return unexpected(done.error());
    }
    if (auto done = narrow_to_size_of_node(request, scope, snapshot.cluster); !done) {
        return unexpected(done.error());
    }
    // What the user fixed outweighs the range of --hora-gpus and the site's shipped maximum.
    const std::uint64_t least =
        std::uint64_t{request.min_nodes} * request.gpus_per_node.value_or(1);
    if (least > domain::unlimited_gpus) {
        return failure(too_many);
    }
    request.min_gpus = std::max(request.min_gpus, static_cast<std::uint32_t>(least));
    request.is_max_by_site = request.is_max_by_site && request.max_gpus >= request.min_gpus;
    request.max_gpus = std::max(request.max_gpus, request.min_gpus);
    if (auto done =
            keep_within(request, limits, submission).and_then([&] { return check_sizes(request); });
        !done) {
        return unexpected(done.error());
    }
    return request;
}

}  // namespace hora::request
