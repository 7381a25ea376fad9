// What is next for a job that was requeued to be resized, until it runs again?
#include "scripts/horad/resize/restart_step.hpp"

#include <algorithm>
#include <utility>

#include "plugins/slurm/jobs/restart_time.hpp"
#include "scripts/horad/resize/next_limit.hpp"

namespace hora::horad {
namespace {

// slurmctld is told to look each second at first, later less often: its own cycles do the rest.
constexpr Seconds often_woken(10);
constexpr Seconds seldom(5);
// Slurm lets a requeued job begin when its old credential has expired (AuthInfo=cred_expire, 120
// seconds if not said); what is further away is its owner's wish.
constexpr std::int64_t longest_of_slurms = 600;

ResizeStep runs(const ResizeSight& sight) {
    ResizeStep step = sight.go_to(ResizeState::running);
    step.entry.runs = sight.scene().now.wall;
    return step;
}

void want(ResizeStep& step, const slurm::JobShape& shape) {
    step.entry.wanted_before = std::exchange(step.entry.wanted, shape);
    step.act = Act::change;
    step.change.shape = shape;
}

// slurmctld stopped it, since it can never run at its new size: its old one is known to be good.
ResizeStep go_back(const ResizeSight& sight) {
    if (sight.entry().tries >= most_tries) {
        return sight.finish(Ending::refused, "Slurm finds that the job can never run");
    }
    ResizeStep step = sight.wait();
    ++step.entry.tries;
    step.change = sight.raise(step.entry);
    want(step, step.entry.was);
    step.change.is_of_impossible = true;
    return step;
}

// Slurm's own comes from its clock at the requeue, so it is known by either's distance.
bool is_slurms_own_begin(const ResizeEntry& entry, const slurm::JobView& job) {
    return entry.begins == 0 ? job.begins - job.updated < longest_of_slurms ||
                                   job.begins - job.submitted < longest_of_slurms
                             : job.begins == entry.waits_until;
}

ResizeStep before_begin(const ResizeSight& sight) {
    const slurm::JobView& job = sight.job();
    const ResizeEntry& entry = sight.entry();
    sight.waiting().eligible.reset();
    const bool is_ours = job.begins == entry.begins;
    if (is_ours && job.begins <= job.updated + slurm::memory_of_nodes) {
        return sight.wait();
    }
    if ((!is_ours && !is_slurms_own_begin(entry, job)) || entry.tries >= most_tries) {
        return sight.finish(Ending::changed, "its owner lets it begin at another time");
    }
    if (!sight.has_settled()) {
        return sight.wait();
    }
    ResizeStep step = sight.wait();
    ++step.entry.tries;
    step.entry.waits_until = job.begins;
    step.entry.begins = slurm::next_begin(job.updated, sight.waiting().latest);
    step.act = Act::change;
    step.change.begins = step.entry.begins;
    return step;
}

// What it had is known to start, whatever the new size waits for.
ResizeStep return_to_old_size(const ResizeSight& sight) {
    const slurm::JobView& job = sight.job();
    ResizeStep step = sight.wait();
    const std::string& reason = sight.waiting().waits_for;
    step.entry.returned_for = reason.empty() ? job.waits_for : reason;
    want(step, step.entry.was);
    sight.waiting().eligible.reset();
    return step;
}

// Others have taken what it had.
ResizeStep fall_back(const ResizeSight& sight) {
    ResizeStep step = sight.wait();
    step.entry.has_fallen_back = true;
    const Resize& resize = sight.entry().resize;
    const auto smaller =
        sight.scene().shaper.fallback(sight.job(), resize, std::max(resize.from, 1U));
    if (smaller && !(*smaller == sight.job().shape)) {
        want(step, *smaller);
    }
    return step;
}

ResizeStep after_begin(const ResizeSight& sight) {
    const Seconds now = sight.scene().now.steady;
    Waiting& waiting = sight.waiting();
    if (!waiting.eligible) {
        waiting.eligible = now;
    }
    // Each change takes the reason away until Slurm looks at the job again.
    if (sight.job().waits_for != "None") {
        waiting.waits_for = sight.job().waits_for;
    }
    const Seconds eligible = now - *waiting.eligible;
    if (eligible > sight.scene().limits.fallback) {
        if (sight.entry().returned_for.empty()) {
            return return_to_old_size(sight);
        }
        if (!sight.entry().has_fallen_back) {
            return fall_back(sight);
        }
    }
    const Seconds pause = eligible < often_woken ? Seconds(1) : seldom;
    if (waiting.woken && now - *waiting.woken < pause) {
        return sight.wait();
    }
    waiting.woken = now;
    ResizeStep step = sight.wait();
    step.act = Act::change;  // of nothing: it wakes the scheduler
    return step;
}

}  // namespace

ResizeStep sizing_step(const ResizeSight& sight) {
    const slurm::JobView& job = sight.job();
    const std::uint32_t tries = sight.entry().tries;
    if (!sight.is_pending()) {
        return runs(sight);
    }
    if (job.is_held) {
        return sight.finish(Ending::held, "the job is held");
    }
    if (sight.is_changed()) {
        return sight.leave();
    }
    ResizeStep step = sight.go_to(ResizeState::releasing);
    if (tries >= 2 * most_tries) {
        return step;  // not even its priority: it waits as it is
    }
    if (const auto question = sight.ask_for_own()) {
        ResizeStep asking = sight.wait();
        ++asking.entry.tries;
        asking.act = Act::change;
        asking.change = *question;
        return asking;
    }
    step.change = sight.raise(step.entry);
    step.act = Act::change;
    if (tries < most_tries && !(step.entry.wanted == job.shape)) {
        step.change.shape = step.entry.wanted;
    } else {
        step.entry.wanted = job.shape;
    }
    // Its size matters more, should Slurm not have both.
    if (is_limit_due(sight.entry(), job) && tries + 1 < most_tries) {
        step.change.time_limit = step.entry.next_limit;
    }
    ++step.entry.tries;
    return step;
}

ResizeStep releasing_step(const ResizeSight& sight) {
    const slurm::JobView& job = sight.job();
    if (!sight.is_pending()) {
        return runs(sight);
    }
    if (job.is_held) {
        return sight.finish(Ending::held, "the job is held");
    }
    if (sight.is_changed()) {
        return sight.leave();
    }
    if (sight.has_waited_enough()) {
        return sight.finish(Ending::other_size, "it has waited too long for GPUs");
    }
    if (job.is_impossible) {
        return go_back(sight);
    }
    if (std::exchange(sight.waiting().has_raised, false) && job.was_held) {
        // The hold came between our look and our change.
        ResizeStep step = sight.wait();
        step.act = Act::hold;
        step.holds_by_user = job.is_held_by_user;
        step.ending = Ending::held;
        step.remark = "the job is held";
        return step;
    }
    if (job.is_completing) {
        return sight.wait();
    }
    // Only slurmctld's clock decides when it may begin, and either clock may be set meanwhile.
    return job.begins > job.updated ? before_begin(sight) : after_begin(sight);
}

}  // namespace hora::horad
