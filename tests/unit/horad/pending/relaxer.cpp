// Does horad ask for the jobs whose locality constraint is to be dropped, and for no others?
#include "scripts/horad/pending/relaxer.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace hora::horad {
namespace {

constexpr std::int64_t now = 100'000;

struct Case {
    const char* name;
    void (*change)(ObservedJob& job, JobMemory& memory);
    bool is_overdue;
};

const Case cases[] = {
    {"it has waited for as long as it may", [](auto&, auto&) {}, true},
    {"a second less", [](auto& job, auto&) { job.eligible = now - 299; }, false},
    {"submitted later than it could begin", [](auto& job, auto&) { job.submitted = now - 299; },
     false},
    {"it is still to begin", [](auto& job, auto&) { job.eligible = now + 1; }, false},
    {"it cannot begin", [](auto& job, auto&) { job.eligible = 0; }, false},
    {"it is held",
     [](auto& job, auto&) {
         job.hold = slurm::Hold::user;
         job.priority = 0;
     },
     false},
    {"it runs", [](auto& job, auto&) { job.state = slurm::JobState::running; }, false},
    {"it is not held to sockets", [](auto& job, auto&) { job.shape.tres_per_socket.clear(); },
     false},
    {"its owner holds it to them",
     [](auto&, auto& memory) { memory.decision.placement.is_enforced = false; }, false},
    {"Hora only advised", [](auto&, auto& memory) { memory.decision.operating = "advise"; }, false},
    {"it may not be held back at all",
     [](auto& job, auto& memory) {
         memory.decision.placement.wait = Seconds(0);
         job.eligible = now;
         job.submitted = now;
     },
     true},
    {"its plan is new", [](auto&, auto& memory) { memory.decision.replanned.when = now - 299; },
     false},
    {"its new plan has held it back for as long as it may",
     [](auto&, auto& memory) { memory.decision.replanned.when = now - 300; }, true},
};

TEST(Relaxer, looks_for_jobs_that_were_held_back_for_long_enough) {
    for (const Case& each : cases) {
        ObservedJob job;
        job.state = slurm::JobState::pending;
        job.priority = 1;
        job.eligible = now - 300;
        job.submitted = now - 300;
        job.shape.tres_per_socket = "gres:gpu:2";
        const auto memory = std::make_shared<JobMemory>();
        memory->decision.operating = "act";
        memory->decision.placement.is_enforced = true;
        memory->decision.placement.wait = Seconds(300);
        job.memory = memory;
        each.change(job, *memory);
        EXPECT_EQ(is_overdue(job, now), each.is_overdue) << each.name;
    }
    ObservedJob unknown;
    unknown.state = slurm::JobState::pending;
    unknown.shape.tres_per_socket = "gres:gpu:2";
    EXPECT_FALSE(is_overdue(unknown, now));
}

}  // namespace
}  // namespace hora::horad
