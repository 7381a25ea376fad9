// Does each change of a job's GPUs stand where its time puts it, what is given up before it is
// taken?
#include "libplanner/report/html/gpu_changes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace hora::report {
namespace {

sim::JobResult job(std::vector<sim::Segment> segments, double ended) {
    sim::JobResult one;
    one.segments = std::move(segments);
    one.ended = Seconds(ended);
    return one;
}

struct Case {
    const char* sentence;
    std::vector<sim::JobResult> jobs;
    std::string changes;  // when, job, GPUs from then on; + where it takes
};

TEST(GpuChanges, StandByTheirTimes) {
    const std::vector<Case> cases = {
        {"no job", {}, ""},
        {"one", {job({{Seconds(1), 4}}, 3)}, "1 0:4+ 3 0:0 "},
        {"grown, shrunk and stopped",
         {job({{Seconds(1), 2}, {Seconds(2), 8}, {Seconds(3), 1}, {Seconds(4), 0}}, 5)},
         "1 0:2+ 2 0:8+ 3 0:1 4 0:0 5 0:0 "},
        {"one takes what the other gives up",
         {job({{Seconds(2), 4}}, 3), job({{Seconds(1), 4}}, 2)},
         "1 1:4+ 2 1:0 2 0:4+ 3 0:0 "},
        {"and what the other shrinks by",
         {job({{Seconds(2), 2}}, 3), job({{Seconds(1), 4}, {Seconds(2), 2}}, 3)},
         "1 1:4+ 2 1:2 2 0:2+ 3 0:0 3 1:0 "},
        {"a segment of no time is passed over",
         {job({{Seconds(1), 8}, {Seconds(1), 2}, {Seconds(3), 4}}, 3)},
         "1 0:2+ 3 0:0 "},
        {"and so is one that ends before it starts",
         {job({{Seconds(5), 8}, {Seconds(2), 1}}, 3)},
         "2 0:1+ 3 0:0 "},
        {"a job of no time takes nothing", {job({{Seconds(1), 8}}, 1)}, "1 0:0 "},
        {"a job without segments", {job({}, 2)}, "2 0:0 "},
    };
    for (const Case& row : cases) {
        std::string changes;
        for (const GpuChange& one : gpu_changes(row.jobs)) {
            changes += fmt::format("{} {}:{}{} ", one.when.count(), one.job, one.gpus,
                                   one.takes ? "+" : "");
        }
        EXPECT_EQ(changes, row.changes) << row.sentence;
    }
}

}  // namespace
}  // namespace hora::report
