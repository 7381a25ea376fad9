// How are a job's GPUs requested from Slurm without a plan, by a user's own means?
#include "libplanner/request/rewrite/plain_request.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "libplanner/domain/mode_names.hpp"
#include "libplanner/read/slurm/hostlist.hpp"

namespace hora::request {
namespace {

struct PlainShape {
    std::uint32_t gpus = 1;
    std::uint32_t tasks = 1;
    std::uint32_t nodes = 0;  // 0: as many as Slurm needs, with a GPU for each task
};

std::uint32_t least_gpus(const domain::JobOptions& options) {
    constexpr domain::GpuRange any{1, 1 << 16};
    const auto [min, max] = options.gpus.value_or(any);
    const bool are_known = options.sizes.kind == domain::SizeRule::Kind::powers ||
                           options.sizes.kind == domain::SizeRule::Kind::listed;
    const auto sizes = are_known ? options.sizes.sizes(min, max, 1) : std::vector<std::uint32_t>();
    return sizes.empty() ? min : sizes.front();
}

std::uint32_t rounded_up(std::uint32_t gpus, std::uint32_t part) {
    return fitted((std::uint64_t{gpus} + part - 1) / part * part);
}

// -w names nodes that the job has at the least.
std::uint32_t least_nodes(const Submission& submission) {
    const auto named = read::expand_hostlist(submission.required_nodes);
    const auto count = named ? static_cast<std::uint32_t>(named->size()) : 0;
    return std::max(submission.min_nodes.value_or(1), count);
}

std::uint32_t fixed_nodes(const Submission& submission) {
    const bool is_fixed = submission.min_nodes && submission.min_nodes == submission.max_nodes;
    return is_fixed ? *submission.min_nodes : 0;
}

// srun and salloc start as many tasks as they say, whatever the plugin would have.
PlainShape shape_of_client(const Submission& submission, std::uint32_t least) {
    PlainShape shape;
    shape.tasks = submission.tasks.value_or(1);
    shape.gpus = std::max(least, shape.tasks);
    shape.nodes = least_nodes(submission);
    const bool are_even = shape.gpus % shape.nodes == 0;
    if (shape.gpus == shape.tasks && (!are_even || fixed_nodes(submission) == 0)) {
        shape.nodes = shape.gpus == 1 ? 1 : 0;
    } else {
        shape.gpus = rounded_up(shape.gpus, shape.nodes);
    }
    return shape;
}

PlainShape shape_of_launcher(const Submission& submission, std::uint32_t least) {
    PlainShape shape;
    shape.nodes = submission.tasks.value_or(least_nodes(submission));
    shape.gpus = rounded_up(least, shape.nodes);
    shape.tasks = shape.nodes;
    return shape;
}

PlainShape shape_of_script(const Submission& submission, std::uint32_t least) {
    if (submission.is_launcher()) {
        return shape_of_launcher(submission, least);
    }
    PlainShape shape;
    shape.gpus = submission.tasks.value_or(std::max(least, least_nodes(submission)));
    shape.nodes = fixed_nodes(submission);
    if (const auto& per_node = submission.tasks_per_node; per_node && !submission.tasks) {
        shape.nodes = std::max(least_nodes(submission), rounded_up(least, *per_node) / *per_node);
        shape.gpus = fitted(std::uint64_t{shape.nodes} * *per_node);
    }
    shape.tasks = shape.gpus;
    if (shape.gpus == 1) {
        shape.nodes = 1;
    } else if (shape.nodes > 0 && shape.gpus % shape.nodes != 0) {
        shape.nodes = 0;
    }
    return shape;
}

void ask_for_gpus(Rewrite& rewrite, const PlainShape& shape, const Submission& submission,
                  const SpellGpus& spell) {
    if (shape.nodes == 0) {
        rewrite.tres_per_task = spell({}, 1);
        return;
    }
    rewrite.min_nodes = shape.nodes;
    rewrite.max_nodes = shape.nodes;
    std::string tres = spell({}, std::max(1U, shape.gpus / shape.nodes));
    if (!submission.other_tres_per_node.empty()) {
        tres += "," + submission.other_tres_per_node;
    }
    rewrite.tres_per_node = tres;
}

void ask_for_tasks(Rewrite& rewrite, const PlainShape& shape, const Submission& submission) {
    rewrite.num_tasks = shape.tasks;
    const std::uint32_t gpus_of_task = shape.gpus / shape.tasks;
    if (gpus_of_task > 1 && !submission.cpus_per_task && !submission.cpus_per_gpu) {
        rewrite.cpus_per_task = gpus_of_task;
    }
    const std::uint32_t cpus = rewrite.cpus_per_task.value_or(1);
    rewrite.min_cpus = fitted(std::uint64_t{shape.tasks} * submission.cpus_per_task.value_or(cpus));
    if (shape.nodes > 0) {
        rewrite.ntasks_per_node = shape.tasks / shape.nodes;
    }
    rewrite.unset = clients_view();
}

// A program that reads what a plan says finds it here as well.
void tell(Rewrite& rewrite, const PlainShape& shape, const domain::JobOptions& options) {
    const bool is_async = options.mode == domain::Mode::async;
    const domain::Mode mode = shape.gpus == 1 ? domain::Mode::independent
                              : is_async      ? domain::Mode::async
                                              : domain::Mode::sync;
    if (options.batch) {
        rewrite.tell = {{"HORA_MODE", std::string(domain::name_of(mode))},
                        {"HORA_BATCH", std::to_string(*options.batch)}};
    }
}

}  // namespace

bool leaves_gpus_open(const Submission& submission, const domain::JobOptions& options) {
    return !submission.gpus.is_named() && (options.wants_plan() || options.gpus) && !options.is_off;
}

PlainRequest plain_request(const Submission& submission, const domain::JobOptions& options,
                           const SpellGpus& spell) {
    const std::uint32_t least = least_gpus(options);
    const PlainShape shape = submission.is_batch ? shape_of_script(submission, least)
                                                 : shape_of_client(submission, least);
    PlainRequest request{.gpus = shape.gpus, .rewrite = {}};
    ask_for_gpus(request.rewrite, shape, submission, spell);
    tell(request.rewrite, shape, options);
    if (submission.is_batch) {
        ask_for_tasks(request.rewrite, shape, submission);
        request.rewrite.set = request.rewrite.tell;
        tell_launch(request.rewrite, submission);
    } else if (shape.gpus > shape.tasks) {
        ask_for_cpus_of_client(request.rewrite, shape.gpus, submission);
    }
    return request;
}

}  // namespace hora::request
