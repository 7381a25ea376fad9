// One look at a resize of job 7 from 2 to 4 GPUs, and what is to be done next.
#pragma once

#include <optional>

#include "scripts/horad/resize/begin_resize.hpp"
#include "scripts/horad/resize/resize_step.hpp"
#include "tests/unit/horad/fake_slurm.hpp"

namespace hora::horad {

class OneStep {
  public:
    OneStep() {
        const Resize resize{.job = 7, .from = 2, .to = 4, .sizes = {}, .why = "a test"};
        entry = first_entry(resize, slurm.job(), shape_with(4), moment());
    }

    Moment moment() const { return {.wall = slurm.now, .steady = Seconds(slurm.now)}; }

    // In this state since now.
    void enter(ResizeState state) {
        entry.state = state;
        waiting = Waiting();
        waiting.since = Seconds(slurm.now);
    }

    // Requeued for its resize, and cleaned up.
    void requeue() {
        slurm.requeue();
        slurm.advance(1);
        entry.restarts = 1;
        entry.priority = FakeSlurm::own_priority;
        entry.ready = slurm.now;
        entry.rest_of_request = slurm.job().rest_of_request;
        enter(ResizeState::updating_request);
    }

    // Likewise, with its new size, at the head of the queue.
    void resize() {
        requeue();
        entry.raised = slurm.highest + 1;
        slurm.job().priority = entry.raised;
        slurm.job().shape = shape_with(4);
        slurm.job().asked_gpus = 4;
        enter(ResizeState::waiting_to_start);
    }

    // It runs again.
    void run() {
        resize();
        slurm.job().state = slurm::JobState::running;
        slurm.job().gpus = 4;
        slurm.started_at = slurm.now;
        enter(ResizeState::verifying);
    }

    ResizeStep step() {
        const auto job = slurm.look_at(7).value();
        slurm.is_away = is_away_meanwhile;
        ResizeStep next = next_step(entry, waiting,
                                    {.job = job,
                                     .slurm = slurm,
                                     .listener = listener,
                                     .shaper = shaper,
                                     .controller = controller,
                                     .limits = limits,
                                     .now = moment(),
                                     .are_nodes_reserved = are_nodes_reserved});
        slurm.is_away = false;
        return next;
    }

    FakeSlurm slurm;
    FakeListener listener{slurm};
    FakeShaper shaper;
    ControllerAge controller;
    ResizeLimits limits;
    ResizeEntry entry;
    Waiting waiting;
    bool is_away_meanwhile = false;  // after the look
    bool are_nodes_reserved = false;
};

}  // namespace hora::horad
