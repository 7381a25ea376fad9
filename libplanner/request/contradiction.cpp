// Do Hora's options and the rest of the request contradict each other?
#include "libplanner/request/contradiction.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>

#include "libplanner/request/rewrite/rewrite.hpp"

namespace hora::request {
namespace {

constexpr std::uint64_t no_bound = std::numeric_limits<std::uint64_t>::max();

// How many GPUs the request without Hora's options allows, and by which words.
struct Said {
    std::uint64_t least = 1;
    std::uint64_t most = no_bound;
    std::string words;
};

Said exactly(std::uint64_t gpus, std::string words) {
    return {.least = gpus, .most = gpus, .words = std::move(words)};
}

// The number of nodes is said by -N, and by -w at the least.
Said on_each_node(std::uint64_t each, const Submission& submission, std::string words) {
    const bool is_open = !submission.required_nodes.empty();
    const std::uint64_t nodes = submission.min_nodes.value_or(1);
    Said said{.least = each * nodes, .most = no_bound, .words = std::move(words)};
    if (submission.max_nodes && !is_open) {
        said.most = each * *submission.max_nodes;
    }
    if (submission.min_nodes && *submission.min_nodes > 1) {
        said.words += fmt::format(" -N{}", *submission.min_nodes);
    }
    return said;
}

std::optional<Said> said_by_gpus(const Submission& submission) {
    const GpuRequest& gpus = submission.gpus;
    if (gpus.is_none) {
        return exactly(0, "a request for no GPUs");
    }
    if (gpus.is_per_socket || (gpus.per_task && !submission.tasks)) {
        return std::nullopt;
    }
    if (gpus.per_task) {
        return exactly(std::uint64_t{*gpus.per_task} * *submission.tasks,
                       fmt::format("--gpus-per-task={} -n{}", *gpus.per_task, *submission.tasks));
    }
    if (gpus.per_job) {
        return exactly(*gpus.per_job, fmt::format("--gpus={}", *gpus.per_job));
    }
    Said said =
        on_each_node(*gpus.per_node, submission, fmt::format("--gres=gpu:{}", *gpus.per_node));
    if (submission.is_on_one_node()) {
        said.most = *gpus.per_node;
        said.words += " (one node without -N)";
    }
    return said;
}

// A task drives a GPU, unless the request names GPUs.
std::optional<Said> said_by_tasks(const Submission& submission) {
    if (submission.tasks && !submission.has_client_tasks() && !submission.is_launcher()) {
        return exactly(*submission.tasks, fmt::format("-n{}", *submission.tasks));
    }
    if (submission.tasks_per_node && *submission.tasks_per_node > 1) {
        return on_each_node(*submission.tasks_per_node, submission,
                            fmt::format("--ntasks-per-node={}", *submission.tasks_per_node));
    }
    if (submission.min_nodes) {
        return Said{.least = *submission.min_nodes,
                    .most = no_bound,
                    .words = fmt::format("-N{}", *submission.min_nodes)};
    }
    return std::nullopt;
}

std::string text_of(domain::GpuRange range) {
    return range.min == range.max ? std::to_string(range.min)
                                  : fmt::format("{}-{}", range.min, range.max);
}

Expected<void> contradict(const std::string& one, const std::string& other) {
    return wrong_use(
        fmt::format("{} contradicts {}: leave one of them out, or make them agree", one, other));
}

std::string gpus_by_task(const GpuRequest& gpus) {
    return gpus.per_task ? fmt::format("--gpus-per-task={}", *gpus.per_task)
                         : "a request for GPUs by the socket or task";
}

// As many tasks as nodes are one a node, wherever Slurm accepts that.
bool has_task_on_each_node(const Submission& submission) {
    const std::uint32_t tasks = *submission.tasks;
    return submission.is_batch ? tasks >= submission.min_nodes.value_or(1) &&
                                     tasks <= submission.max_nodes.value_or(tasks)
                               : submission.has_client_tasks();
}

std::string tasks_and_nodes(const Submission& submission) {
    return submission.min_nodes ? fmt::format("-n{} -N{}", *submission.tasks, *submission.min_nodes)
                                : fmt::format("-n{}", *submission.tasks);
}

// What says that the tasks are not one a node; "" where nothing does.
std::string against_one_task(const Submission& submission) {
    const GpuRequest& gpus = submission.gpus;
    if (submission.tasks_per_node && *submission.tasks_per_node > 1) {
        return fmt::format("--ntasks-per-node={}", *submission.tasks_per_node);
    }
    if (gpus.per_task || gpus.is_per_socket) {
        return gpus_by_task(gpus);
    }
    return submission.tasks && !has_task_on_each_node(submission) ? tasks_and_nodes(submission)
                                                                  : "";
}

bool has_several_gpus(const Submission& submission, const domain::JobOptions& options) {
    const GpuRequest& gpus = submission.gpus;
    return gpus.is_named() ? gpus.per_node.value_or(gpus.per_job.value_or(1)) > 1
                           : !options.gpus || options.gpus->max > 1;
}

Expected<void> check_launch(const Submission& submission, const domain::JobOptions& options) {
    if (options.launch == domain::Launch::node) {
        const std::string said = against_one_task(submission);
        return said.empty() ? Expected<void>() : contradict(said, "--hora-launch=node");
    }
    return options.launch == domain::Launch::task && submission.is_launcher() &&
                   has_several_gpus(submission, options)
               ? contradict("--ntasks-per-node=1", "--hora-launch=task")
               : Expected<void>();
}

Expected<void> check_gpus(const Submission& submission, const domain::JobOptions& options) {
    const auto said =
        submission.gpus.is_named() ? said_by_gpus(submission) : said_by_tasks(submission);
    if (!said) {
        return {};
    }
    if (options.gpus && (said->least > options.gpus->max || said->most < options.gpus->min)) {
        return contradict(said->words, "--hora-gpus=" + text_of(*options.gpus));
    }
    const domain::SizeRule& sizes = options.sizes;
    const bool depends_on_nodes = sizes.kind == domain::SizeRule::Kind::nodes;
    if (said->least == said->most && said->least > 0 && !depends_on_nodes &&
        !sizes.allows(fitted(said->least), 1)) {
        return contradict(said->words, "--hora-sizes=" + domain::text_of(sizes));
    }
    return {};
}

}  // namespace

Expected<void> check_contradictions(const Submission& submission,
                                    const domain::JobOptions& options) {
    return check_launch(submission, options).and_then([&] {
        return check_gpus(submission, options);
    });
}

}  // namespace hora::request
