// What is seen of a job that is being resized, beside what was written down of it?
#include "scripts/horad/resize_sight.hpp"

#include <utility>

namespace hora::horad {

using slurm::JobStage;

bool asks_alike(const slurm::JobShape& a, const slurm::JobShape& b) {
    return a.tasks == b.tasks && a.tasks_per_node == b.tasks_per_node &&
           a.tres_per_node == b.tres_per_node && a.tres_per_socket == b.tres_per_socket;
}

bool is_between(const slurm::JobShape& now, const slurm::JobShape& a, const slurm::JobShape& b) {
    slurm::JobShape other = now;
    other.tasks_per_node =
        now.tasks_per_node == a.tasks_per_node ? b.tasks_per_node : a.tasks_per_node;
    const bool is_of_both =
        now.tasks_per_node == a.tasks_per_node || now.tasks_per_node == b.tasks_per_node;
    return is_of_both && (asks_alike(now, a) || asks_alike(now, b) || asks_alike(other, a) ||
                          asks_alike(other, b));
}

// Numbers of jobs are used again; a later start of the same job has another submit time.
bool ResizeSight::is_alive() const {
    return scene_.job && job().uid == entry_.uid && job().stage != JobStage::ended &&
           job().restarts >= entry_.resize.restarts &&
           (has_restarted() || job().submitted == entry_.submitted);
}

bool ResizeSight::has_settled() const {
    return scene_.controller.has_settled(scene_.slurm.started(), job().updated, scene_.now.steady);
}

// A hold has already taken the place of the priority that it was given.
bool ResizeSight::has_our_priority() const {
    return !entry_.was_pending && entry_.priority != 0 && job().priority == slurm::top_priority;
}

slurm::JobChange ResizeSight::own_priority() const {
    slurm::JobChange change;
    if (scene_.slurm.computes_priorities()) {
        change.forgets_priority = true;
    } else {
        change.priority = entry_.priority;
    }
    return change;
}

ResizeStep ResizeSight::wait() const {
    ResizeStep step;
    step.entry = entry_;
    return step;
}

ResizeStep ResizeSight::go_to(ResizeState state) const {
    ResizeStep step = wait();
    step.then = state;
    return step;
}

ResizeStep ResizeSight::finish(Ending ending, std::string remark) const {
    ResizeStep step = wait();
    step.ending = ending;
    step.remark = std::move(remark);
    if (is_alive() && has_our_priority()) {
        step.act = Act::change;
        step.change = own_priority();
    }
    return step;
}

}  // namespace hora::horad
