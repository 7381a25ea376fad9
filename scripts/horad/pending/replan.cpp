// Would a job that waits end sooner by a new plan, and what would have to change for it?
#include "scripts/horad/pending/replan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "libplanner/plan/request.hpp"
#include "libplanner/report/duration.hpp"
#include "libplanner/request/planned.hpp"
#include "libplanner/request/stated_options.hpp"
#include "plugins/slurm/tres.hpp"
#include "scripts/horad/pending/own_request.hpp"
#include "scripts/horad/pending/rollback.hpp"

namespace hora::horad {
namespace {

using domain::Mode;

// Why a job with this plan keeps it for ever; empty: it need not.
std::string obstacle(const slurm::Job& job, const domain::Decision& decision) {
    if (!decision.has_applied_plan()) {
        return "Hora did not write its request";
    }
    if (!job.is_batch || job.is_array || job.is_het) {
        return "it is no batch job by itself";
    }
    if (job.restarts > 0) {
        return "it has run already";
    }
    if (decision.mode == Mode::balanced) {
        return "its script knows the shares of its GPUs";
    }
    return decision.uses.size() > 1 ? "it is to have several types of GPU at once" : "";
}

// A script has its mode and its rate from its submission on, and works with no other.
void keep_mode(domain::Request& wanted, const domain::Decision& decision,
               const domain::JobOptions& options) {
    const bool finds_out =
        options.is_elastic && (decision.mode == Mode::independent || decision.mode == Mode::sync);
    if (!finds_out) {
        wanted.mode = decision.mode;
    }
    wanted.keep_sample_rate(decision.exchange.sample_rate);
    wanted.accepts_balanced = false;
    wanted.accepts_async = wanted.accepts_async && !finds_out;
}

Outlook outlook_of(const domain::Decision& decision) {
    return {.can_run = decision.has_plan,
            .waits = decision.waits,
            .length = decision.seconds.value_or(decision.step_seconds)};
}

std::string type_in(const std::string& tres) {
    const auto list = slurm::parse_tres(tres);
    const auto count = list ? slurm::count_gpus(*list) : slurm::GpuCount();
    return count.typed.empty() ? std::string() : count.typed.front().type;
}

std::string words_of(const domain::Decision& decision) {
    const std::string type = decision.uses.empty() ? "GPU" : decision.uses.front().type;
    return fmt::format(
        "{} x {} on {}{}", decision.gpus, type, decision.where,
        decision.seconds ? ", " + report::duration(*decision.seconds) : std::string());
}

// All of the shape, since slurmctld wants it in one call; and both constraints, for what the last
// plan said of them may hold no more.
slurm::JobChange change_of(const request::Rewrite& rewrite, const request::Submission& own,
                           const slurm::Job& job) {
    slurm::JobChange change;
    slurm::JobShape shape;
    shape.nodes = rewrite.min_nodes.value_or(job.shape.nodes);
    shape.tasks = rewrite.num_tasks.value_or(job.shape.tasks);
    shape.tasks_per_node = rewrite.ntasks_per_node.value_or(job.shape.tasks_per_node);
    shape.cpus = rewrite.min_cpus.value_or(0);
    shape.cpus_per_task = rewrite.cpus_per_task.value_or(0);
    shape.tres_per_node = rewrite.tres_per_node.value_or(job.shape.tres_per_node);
    shape.tres_per_socket = rewrite.tres_per_socket.value_or(std::string());
    shape.sockets_per_node = rewrite.sockets_per_node.value_or(0);
    shape.cores_per_socket = rewrite.cores_per_socket.value_or(0);
    change.shape = std::move(shape);
    if (const std::string features = rewrite.features.value_or(own.features);
        features != job.features) {
        change.features = features;
    }
    if (const std::string prefer = rewrite.prefer.value_or(own.prefer); prefer != job.prefer) {
        change.prefer = prefer;
    }
    return change;
}

// The record of the new plan; what the script was told by the first one stays.
domain::Decision record_of(domain::Decision fresh, const domain::Decision& old,
                           const std::string& why, std::int64_t now) {
    fresh.operating = old.operating;
    fresh.options = old.options;
    fresh.submitted = old.submitted;
    fresh.snapshot = now;
    const auto is_of = [](const char* field) {
        return [field](const domain::FieldChange& change) { return change.field == field; };
    };
    std::erase_if(fresh.changes, is_of("environment"));
    const bool has_cpus =
        std::any_of(fresh.changes.begin(), fresh.changes.end(), is_of("cpus_per_task"));
    for (const domain::FieldChange& change : old.changes) {
        if (is_of("environment")(change) || (!has_cpus && is_of("cpus_per_task")(change))) {
            fresh.changes.push_back(change);
        }
    }
    fresh.placement.relaxed = fresh.placement.is_enforced ? 0 : old.placement.relaxed;
    fresh.replanned = {
        .when = now, .times = old.replanned.times + 1, .from = words_of(old), .why = why};
    return fresh;
}

std::string in_words(double ratio) {
    constexpr double enough = 100;
    return ratio > enough ? "more than 100" : fmt::format("{:.2g}", ratio);
}

Seconds expected_wait(const slurm::Job& job, std::int64_t now) {
    return Seconds(job.started > now ? static_cast<double>(job.started - now) : 0.0);
}

}  // namespace

std::string why_change(const Outlook& own, Seconds wait, const Outlook& other, double gain) {
    if (!other.can_run) {
        return {};
    }
    if (!own.can_run) {
        return "no usable nodes can give what it waits for";
    }
    // Which of two queues is the shorter one nobody knows.
    if (other.waits || !(other.length > Seconds(0))) {
        return {};
    }
    const Seconds ends = own.length + (own.waits ? wait : Seconds(0));
    if (!(ends > other.length * (1 + gain))) {
        return {};
    }
    const bool is_by_wait = own.waits && !(own.length > other.length * (1 + gain));
    return is_by_wait ? fmt::format("it was expected to wait for {}, and these GPUs are free",
                                    report::duration(wait))
                      : fmt::format("the job ends {} times as soon as with the plan before",
                                    in_words(ends / other.length));
}

Expected<std::optional<NewPlan>> plan_anew(const slurm::Job& job, const domain::Decision& decision,
                                           const domain::JobOptions& options,
                                           const ReplanScene& scene) {
    if (const std::string why = obstacle(job, decision); !why.empty()) {
        return failure(why);
    }
    const auto own = own_request(job, decision);
    if (!own) {
        return unexpected(own.error());
    }
    const auto workload = request::workload_of(*own, options);
    if (!workload || !*workload) {
        return failure("its model is a file, which only its owner's submission read");
    }
    domain::Request wanted = plan::request_of(options, **workload, scene.settings);
    keep_mode(wanted, decision, options);
    const request::Moment moment{.now = scene.now, .spell = slurm::gpu_spelling(scene.version)};
    request::WaitRule wait_rule{.wait = scene.settings.get<Seconds>("placement.wait")};
    if (options.wait) {
        wait_rule = {.wait = *options.wait, .is_owners = true};
    }
    if (decision.placement.relaxed != 0) {
        wait_rule = {.wait = Seconds(0)};
    }
    domain::Request same = wanted;
    same.sizes = {};
    const domain::Decision standing =
        request::plan_request(standing_request(job, *own), same, scene.snapshot, moment, wait_rule)
            .decision;
    request::Planned best = request::plan_request(*own, wanted, scene.snapshot, moment, wait_rule);
    const std::string why =
        why_change(outlook_of(standing), expected_wait(job, scene.now), outlook_of(best.decision),
                   scene.settings.get<double>("replan.gain"));
    // An elastic job that waits is given fewer GPUs where that helps: only GPUs that are free
    // count.
    const bool is_for_now = !options.is_elastic || !best.decision.waits;
    slurm::JobChange change = change_of(best.rewrite, *own, job);
    change.seen = slurm::seen_request(job);
    if (why.empty() || !is_for_now ||
        type_in(change.shape->tres_per_node) != type_in(job.shape.tres_per_node)) {
        return std::nullopt;
    }
    return NewPlan{.change = change,
                   .decision = record_of(best.decision, decision, why, scene.now)};
}

PendingChange change_of(std::uint64_t number, const slurm::Job& job, const NewPlan& plan,
                        std::int64_t now) {
    PendingRequest given = request_of(job);
    given.shape = *plan.change.shape;
    given.features = plan.change.features.value_or(given.features);
    given.prefer = plan.change.prefer.value_or(given.prefer);
    return {.number = number,
            .job = job.id,
            .uid = job.uid,
            .submitted = job.submitted,
            .restarts = job.restarts,
            .before = request_of(job),
            .given = std::move(given),
            .priority = job.priority,
            .admin_comment = job.admin_comment,
            .resize = std::nullopt,
            .asked = static_cast<double>(now)};
}

}  // namespace hora::horad
