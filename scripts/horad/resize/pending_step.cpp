// What is next for a job that waits and gets another size?
#include "scripts/horad/resize/pending_step.hpp"

namespace hora::horad {
namespace {

// slurmctld took a part of the change and then no more, again and again.
ResizeStep give_back(const ResizeSight& sight) {
    const ResizeEntry& entry = sight.entry();
    if (entry.tries >= 2 * most_tries) {
        return sight.finish(Ending::refused,
                            "slurmctld took a part of the request, and does not take back that "
                            "either: " +
                                sight.waiting().refusal);
    }
    ResizeStep step = sight.wait();
    ++step.entry.tries;
    step.act = Act::change;
    step.change.shape = entry.was;
    step.ending = Ending::refused;
    step.remark = sight.waiting().refusal;
    return step;
}

}  // namespace

ResizeStep pending_step(const ResizeSight& sight) {
    const slurm::JobShape& now = sight.job().shape;
    const ResizeEntry& entry = sight.entry();
    if (!sight.is_pending()) {
        // A part of the change may be enough for slurmctld to start it.
        return sight.is_running() && sight.job().held_gpus() == entry.resize.to
                   ? sight.finish(Ending::pending, {})
                   : sight.finish(Ending::refused, "the job started meanwhile");
    }
    const bool is_as_wanted = asks_alike(now, entry.wanted);
    // GivenSizes sees to one that slurmctld has stopped.
    if (is_as_wanted && (entry.tries == 0 || sight.job().is_impossible)) {
        return sight.finish(Ending::pending, {});
    }
    if (!is_between(now, entry.was, entry.wanted)) {
        return sight.leave();
    }
    if (entry.tries >= most_tries) {
        return is_as_wanted ? give_back(sight)
                            : sight.finish(Ending::refused, sight.waiting().refusal);
    }
    // Also where it seems to be done: slurmctld may have taken only a part.
    ResizeStep step = sight.wait();
    ++step.entry.tries;
    if (entry.priority == 0) {
        step.entry.priority = sight.job().priority;
    }
    step.act = Act::change;
    step.change.shape = entry.wanted;
    step.ending = Ending::pending;
    return step;
}

}  // namespace hora::horad
