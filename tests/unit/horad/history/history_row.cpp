// Does the history say of each resize and each start what has become of it?
#include "scripts/horad/history/history_row.hpp"

#include <gtest/gtest.h>

#include "scripts/horad/history/lost_time.hpp"
#include "tests/unit/horad/fake_slurm.hpp"

namespace hora::horad {
namespace {

Resized resized() {
    Resized one;
    one.entry.resize = {
        .job = 7, .restarts = 3, .from = 2, .to = 4, .sizes = {}, .why = "idle GPUs"};
    one.entry.uid = 1000;
    one.entry.was = shape_with(2);
    one.entry.wanted = shape_with(4);
    one.entry.state = ResizeState::verifying;
    one.entry.asked = 100.5;
    one.entry.ready = 110;
    one.entry.runs = 112;
    one.first_step = 113.5;
    one.ending = Ending::done;
    one.gpus = 4;
    return one;
}

TEST(HistoryRow, tells_of_a_resize_from_the_request_to_the_first_step) {
    const history::Rescale row = row_of(resized(), 50);
    EXPECT_EQ(row.of, (history::Incarnation{.job = 7, .submitted = 50, .restarts = 3}));
    EXPECT_EQ(row.uid, 1000U);
    EXPECT_EQ(row.from, 2U);
    EXPECT_EQ(row.requested, 4U);
    EXPECT_EQ(row.to, 4U);
    EXPECT_EQ(row.why, "idle GPUs");
    EXPECT_EQ(row.outcome, "done");
    EXPECT_EQ(row.asked, 100.5);
    EXPECT_EQ(row.ready, 110);
    EXPECT_EQ(row.started, 112);
    EXPECT_EQ(row.first_step, 113.5);
    EXPECT_EQ(row.lost, Seconds(3.5));
}

TEST(HistoryRow, leaves_open_what_did_not_come) {
    Resized one = resized();
    one.entry.ready = one.entry.runs = one.first_step = 0;
    history::Rescale row = row_of(one, 50);
    EXPECT_EQ(row.ready, std::nullopt);
    EXPECT_EQ(row.started, std::nullopt);
    EXPECT_EQ(row.first_step, std::nullopt);
    EXPECT_EQ(row.lost, std::nullopt);
    one.first_step = 113;
    EXPECT_EQ(row_of(one, 50).lost, std::nullopt) << "nobody knows since when";
    one.entry.ready = 114;
    EXPECT_EQ(row_of(one, 50).lost, std::nullopt) << "a clock was set back";
}

TEST(HistoryRow, tells_what_a_job_asks_for_that_does_not_run) {
    struct Case {
        const char* name;
        bool was_pending;
        ResizeState state;
        Ending ending;
        std::uint32_t wanted;  // by its entry
        std::uint32_t to;
    };
    const Case cases[] = {
        {"resized while it waited", true, ResizeState::updating_request, Ending::pending, 4, 4},
        {"refused while it waited", true, ResizeState::updating_request, Ending::refused, 4, 2},
        {"held before its size was changed", false, ResizeState::updating_request, Ending::held, 4,
         2},
        {"held after that", false, ResizeState::waiting_to_start, Ending::held, 4, 4},
        {"held after it went back", false, ResizeState::waiting_to_start, Ending::held, 2, 2},
        {"no checkpoint", false, ResizeState::checkpoint_requested, Ending::ended, 4, 2},
    };
    for (const Case& each : cases) {
        Resized one = resized();
        one.gpus = 0;
        one.entry.was_pending = each.was_pending;
        one.entry.state = each.state;
        one.entry.wanted = shape_with(each.wanted);
        one.ending = each.ending;
        EXPECT_EQ(row_of(one, 50).to, each.to) << each.name;
        one.gpus = 3;
        EXPECT_EQ(row_of(one, 50).to, 3U) << each.name << ", and it runs";
    }
}

struct Start {
    std::shared_ptr<JobMemory> memory = std::make_shared<JobMemory>();
    NotedStart noted;
    JobReports reports;

    Start() {
        memory->decision.submitted = 50;
        memory->decision.uses.resize(2);
        memory->decision.uses[0].type = "v100";
        memory->decision.uses[1].type = "k80";
        memory->options.model = "resnet50";
        memory->options.batch = 256;
        noted.restarts = 3;
        noted.uid = 1000;
        noted.started = 100;
        noted.size.gpus = 4;
        noted.size.nodes = 2;
        noted.memory = memory;
        reports.restarts = 3;
        reports.progress = slurm::Report{
            .job = 7, .restarts = 3, .step = 40, .step_seconds = Seconds(0.5), .gpus = 3};
        reports.first_step = 10;
    }
};

TEST(HistoryRow, tells_of_a_start_what_was_measured) {
    Start start;
    const history::Sample row = row_of(7, start.noted, start.reports, 200);
    EXPECT_EQ(row.of, (history::Incarnation{.job = 7, .submitted = 50, .restarts = 3}));
    EXPECT_EQ(row.uid, 1000U);
    EXPECT_EQ(row.model, "resnet50");
    EXPECT_EQ(row.device, "v100");
    EXPECT_EQ(row.gpus, 4U);
    EXPECT_EQ(row.nodes, 2U);
    EXPECT_EQ(row.batch, 256U);
    EXPECT_EQ(row.step, Seconds(0.5));
    EXPECT_EQ(row.steps, steps_of_start(start.reports));
    EXPECT_EQ(row.predicted_compute, Seconds(0));
    EXPECT_EQ(row.when, 200);
    start.noted.predicted = domain::Breakdown{
        .compute = Seconds(0.25), .exchange = Seconds(0.125), .overhead = Seconds(0)};
    EXPECT_EQ(row_of(7, start.noted, start.reports, 200).predicted_compute, Seconds(0.25));
    EXPECT_EQ(row_of(7, start.noted, start.reports, 200).predicted_exchange, Seconds(0.125));
}

TEST(HistoryRow, believes_that_a_step_waits_for_late_ranks_only_for_a_part_of_it) {
    const std::pair<std::optional<double>, std::optional<double>> cases[] = {
        {{}, {}}, {0.0, 0.0}, {0.25, 0.25}, {0.5, {}}, {1000.0, {}}};
    for (const auto& [said, written] : cases) {
        Start start;
        start.reports.progress->late = said ? std::optional(Seconds(*said)) : std::nullopt;
        EXPECT_EQ(row_of(7, start.noted, start.reports, 200).late,
                  written ? std::optional(Seconds(*written)) : std::nullopt)
            << said.value_or(-1);
    }
}

TEST(HistoryRow, names_no_path_of_a_users) {
    const std::pair<const char*, const char*> models[] = {
        {"/home/ann/secret/net.onnx", "net.onnx"},
        {"net.onnx", "net.onnx"},
        {"../net.onnx", "net.onnx"},
        {"/home/ann/secret/", ""},
    };
    for (const auto& [said, shown] : models) {
        Start start;
        start.memory->options.model = said;
        EXPECT_EQ(row_of(7, start.noted, start.reports, 200).model, shown) << said;
    }
}

TEST(HistoryRow, does_without_what_slurm_and_the_plan_do_not_say) {
    Start start;
    start.noted.size = {};
    start.memory->decision.uses.clear();
    start.memory->options.model.reset();
    start.memory->options.batch.reset();
    start.reports.first_step = 40;
    const history::Sample row = row_of(7, start.noted, start.reports, 200);
    EXPECT_EQ(row.gpus, 3U) << "as the program says";
    EXPECT_EQ(row.nodes, 1U);
    EXPECT_EQ(row.device, "");
    EXPECT_EQ(row.model, "");
    EXPECT_EQ(row.batch, 0U);
    EXPECT_GE(row.steps, 1U);
}

}  // namespace
}  // namespace hora::horad
