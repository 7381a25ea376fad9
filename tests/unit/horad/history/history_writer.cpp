// Is what was measured written down once for each start, with what was predicted and lost?
#include "scripts/horad/history/history_writer.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <filesystem>
#include <fstream>

#include "tests/unit/request/cluster.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

// One job of 2 GPUs on n1, and a history that hears of it.
class ChronicleTest : public testing::Test {
  protected:
    ChronicleTest() {
        EXPECT_TRUE(settings_.set("history.path", folder_.file("history.db"),
                                  read::Origin::command_line, ""));
        history_ = std::make_unique<HistoryWriter>(settings_, log_, [this] {
            return HistoryWriter::Clock::time_point(std::chrono::seconds(steady_));
        });
        now_ = static_cast<std::int64_t>(std::time(nullptr)) + 1000;
        begin_ = now_;
        auto memory = std::make_shared<JobMemory>();
        memory->options.model = "resnet50";
        memory->options.batch = 64;
        memory->decision.submitted = 500;
        memory->decision.has_plan = true;
        memory->decision.mode = domain::Mode::sync;
        memory->decision.gpus = 2;
        memory->decision.nodes = 1;
        memory->decision.breakdown.compute = Seconds(0.3);
        memory->decision.breakdown.exchange = Seconds(0.1);
        memory->decision.uses.push_back({"titanx", FlopRate(1), domain::Bound::compute});
        job_.id = 7;
        job_.uid = 1000;
        job_.gpus = 2;
        job_.shape.nodes = 1;
        job_.where = "n1";
        job_.started = now_;
        job_.submitted = 900;  // a requeue changes it
        job_.state = slurm::JobState::running;
        job_.memory = memory;
    }

    void hear(std::uint64_t step, double seconds) {
        reports_.put({.job = 7,
                      .restarts = job_.restarts,
                      .kind = slurm::ReportKind::progress,
                      .step = step,
                      .epoch = 1,
                      .samples = step,
                      .step_seconds = Seconds(seconds),
                      .gpus = job_.gpus,
                      .nodes = job_.shape.nodes},
                     static_cast<double>(now_));
    }

    void hear(slurm::ReportKind kind, std::uint64_t step = 0) {
        reports_.put({.job = 7, .restarts = job_.restarts, .kind = kind, .step = step},
                     static_cast<double>(now_));
    }

    Observation seen() const {
        Observation seen;
        seen.now = now_;
        seen.cluster = std::make_shared<const domain::Snapshot>(request::small_cluster());
        seen.jobs.push_back(job_);
        return seen;
    }
    void look() { history_->record(seen(), reports_.all()); }

    void restart(std::uint32_t gpus, const std::string& where) {
        job_.restarts += 1;
        job_.gpus = gpus;
        job_.where = where;
        job_.started = now_;
    }

    Resized resized(std::uint32_t from, std::uint32_t to, double ready, double first_step) {
        Resized done;
        done.entry.resize.job = 7;
        done.entry.resize.restarts = 0;
        done.entry.resize.from = from;
        done.entry.resize.to = to;
        done.entry.resize.why = "idle GPUs";
        done.entry.uid = 1000;
        done.entry.submitted = 900;
        done.entry.asked = ready - 1;
        done.entry.ready = ready;
        done.entry.runs = ready + 2;
        done.ending = Ending::done;
        done.gpus = to;
        done.first_step = first_step;
        return done;
    }

    std::vector<history::Sample> samples() {
        auto database = history::Database::open(folder_.file("history.db"), history::Access::read);
        return database ? database->samples({}).value_or(std::vector<history::Sample>())
                        : std::vector<history::Sample>();
    }

    std::vector<history::Rescale> rescales() {
        auto database = history::Database::open(folder_.file("history.db"), history::Access::read);
        return database ? database->rescales({}).value_or(std::vector<history::Rescale>())
                        : std::vector<history::Rescale>();
    }

    const tests::ScratchFolder folder_;
    Log log_;
    read::Settings settings_;
    std::unique_ptr<HistoryWriter> history_;
    Reports reports_;
    ObservedJob job_;
    std::int64_t now_ = 0;
    std::int64_t steady_ = 1000;  // by a clock that nobody sets
    std::int64_t begin_ = 0;
};

TEST_F(ChronicleTest, WritesWhatWasPredictedMeasuredAndLost) {
    now_ += 12;
    hear(4, 0.5);
    look();
    ASSERT_EQ(samples().size(), 1U);
    const history::Sample row = samples().front();
    EXPECT_EQ(row.of, (history::Incarnation{7, 500, 0}));
    EXPECT_EQ(row.uid, 1000U);
    EXPECT_EQ(row.model, "resnet50");
    EXPECT_EQ(row.device, "titanx");
    EXPECT_EQ(row.gpus, 2U);
    EXPECT_EQ(row.where, "n1");
    EXPECT_EQ(row.batch, 64U);
    EXPECT_EQ(row.predicted_compute, Seconds(0.3));
    EXPECT_EQ(row.predicted_exchange, Seconds(0.1));
    EXPECT_EQ(row.step, Seconds(0.5));
    EXPECT_EQ(row.steps, 4U);
    EXPECT_EQ(row.lost, Seconds(10));
}

TEST_F(ChronicleTest, WritesAgainWhenMuchMoreIsKnownOrAMinuteHasPassed) {
    hear(4, 0.5);
    look();
    hear(7, 0.5);
    look();
    EXPECT_EQ(samples().front().steps, 4U) << "that is hardly more";
    hear(8, 0.5);
    look();
    EXPECT_EQ(samples().front().steps, 8U);
    steady_ += 61;
    hear(9, 0.5);
    look();
    EXPECT_EQ(samples().front().steps, 9U);
}

TEST_F(ChronicleTest, WritesTheLastWordOfAStart) {
    hear(100, 0.5);
    look();
    hear(101, 0.5);
    hear(slurm::ReportKind::ended);
    look();
    EXPECT_EQ(samples().front().steps, 101U);
}

TEST_F(ChronicleTest, WritesTheLastWordOfAJobThatIsGone) {
    hear(100, 0.5);
    look();
    hear(101, 0.5);
    job_.state = slurm::JobState::ended;
    job_.where.clear();
    look();
    EXPECT_EQ(samples().front().steps, 101U);
    EXPECT_EQ(samples().front().where, "n1");
}

TEST_F(ChronicleTest, EachSizeHasItsPredictionAndItsTime) {
    hear(100, 0.4);
    look();
    hear(slurm::ReportKind::checkpoint, 110);
    now_ += 10;
    restart(4, "n2");
    look();
    now_ += 5;
    hear(120, 0.25);
    look();
    ASSERT_EQ(samples().size(), 2U);
    const history::Sample after = samples().front().gpus == 4 ? samples()[0] : samples()[1];
    EXPECT_EQ(after.of, (history::Incarnation{7, 500, 1}));
    EXPECT_EQ(after.where, "n2");
    EXPECT_EQ(after.steps, 10U);
    EXPECT_GT(after.predicted_compute, Seconds(0));
    EXPECT_EQ(after.lost, Seconds(2.5));
}

TEST_F(ChronicleTest, ARescaleIsCompletedByWhatComesAfterIt) {
    hear(100, 0.5);
    look();
    hear(slurm::ReportKind::checkpoint, 102);
    look();
    const double ready = static_cast<double>(now_);
    now_ += 9;
    restart(4, "n2");
    hear(104, 0);
    look();
    history_->record(resized(2, 4, ready, static_cast<double>(now_)));
    ASSERT_EQ(rescales().size(), 1U);
    EXPECT_EQ(rescales().front().of, (history::Incarnation{7, 500, 0})) << "as its samples are";
    EXPECT_FALSE(rescales().front().step_after);
    now_ += 20;
    hear(140, 0.25);
    look();
    const history::Rescale row = rescales().front();
    EXPECT_EQ(row.step_before, Seconds(0.5));
    EXPECT_EQ(row.step_after, Seconds(0.25));
    // 9 s, but for two steps before and two after.
    ASSERT_TRUE(row.lost);
    EXPECT_DOUBLE_EQ(row.lost->count(), 7.5);
    hear(300, 0.1);
    look();
    EXPECT_EQ(rescales().front().step_after, Seconds(0.25)) << "its story is over";
    steady_ += 10000;
    const auto digest = history_->digest(now_);
    EXPECT_EQ(digest.rescales.of(1000, "resnet50"), Seconds(7.5));
}

TEST_F(ChronicleTest, ACostOfWhichAReportIsMissingIsNotKnown) {
    look();
    restart(4, "n2");
    hear(104, 0);
    look();
    Resized unheard = resized(2, 4, 0, 0);
    unheard.ending = Ending::other_size;
    history_->record(unheard);
    now_ += 20;
    hear(140, 0.25);
    look();
    const history::Rescale row = rescales().front();
    EXPECT_EQ(row.step_after, Seconds(0.25));
    EXPECT_FALSE(row.lost) << row.lost->count();
    steady_ += 10000;
    EXPECT_FALSE(history_->digest(now_).rescales.of(1000, "resnet50"));
}

TEST_F(ChronicleTest, ADamagedHistoryIsSetAsideAndBegunAnew) {
    now_ += 12;
    hear(4, 0.5);
    look();
    ASSERT_EQ(samples().size(), 1U);
    // As the daemon has it open.
    std::ofstream(folder_.file("history.db")) << std::string(20000, 'x');
    restart(4, "n2");
    now_ += 12;
    hear(40, 0.25);
    look();
    restart(2, "n1");
    now_ += 12;
    hear(400, 0.5);
    look();
    ASSERT_EQ(samples().size(), 1U);
    EXPECT_EQ(samples().front().of, (history::Incarnation{7, 500, 2}));
    int set_aside = 0;
    for (const auto& entry : std::filesystem::directory_iterator(
             std::filesystem::path(folder_.file("history.db")).parent_path())) {
        set_aside += entry.path().filename().string().starts_with("history.db.damaged-") ? 1 : 0;
    }
    EXPECT_EQ(set_aside, 1);
}

// The setting may name any file by mistake.
TEST_F(ChronicleTest, AFileThatWasNeverHorasIsLeftAsItIs) {
    namespace fs = std::filesystem;
    const std::string path = folder_.file("history.db");
    // What stands first in another program's database, whose id is not known.
    const std::string foreign = "SQLite format 3" + std::string(1, '\0') + std::string(4000, 'x');
    for (const std::string& text : {std::string(20000, 'x'), foreign, std::string("{\"torn")}) {
        std::ofstream(path, std::ios::trunc | std::ios::binary) << text;
        fs::permissions(path, fs::perms(0640));
        steady_ += 100;
        hear(4, 0.5);
        look();
        EXPECT_EQ(folder_.read("history.db"), text);
        EXPECT_EQ(fs::status(path).permissions(), fs::perms(0640));
        const auto files = std::distance(fs::directory_iterator(folder_.path()), {});
        EXPECT_EQ(files, 1) << "nothing is renamed or made";
    }
}

TEST_F(ChronicleTest, WhatIsDamagedBehindHorasHeaderIsSetAsideAtTheStart) {
    const std::string path = folder_.file("history.db");
    ASSERT_TRUE(history::Database::open(path, history::Access::write));
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).seekp(100)
        << std::string(3000, '\xff');
    now_ += 12;
    hear(4, 0.5);
    look();
    EXPECT_EQ(samples().size(), 1U);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 2);
}

TEST_F(ChronicleTest, EachRescaleOfAStartIsARowOfItsOwn) {
    job_.state = slurm::JobState::pending;
    look();
    const double asked = static_cast<double>(now_);
    Resized waited = resized(2, 1, 0, 0);
    waited.entry.runs = 0;
    waited.entry.was_pending = true;
    waited.ending = Ending::pending;
    waited.gpus = 0;
    for (const std::uint32_t to : {1U, 8U}) {
        waited.entry.resize.to = to;
        waited.entry.asked = asked + to;
        history_->record(waited);
    }
    job_.state = slurm::JobState::running;
    hear(100, 0.5);
    look();
    Resized unanswered = waited;
    unanswered.ending = Ending::no_checkpoint;
    unanswered.entry.asked = asked + 20;
    unanswered.gpus = 2;
    unanswered.remark = "no checkpoint in time; the job runs on";
    history_->record(unanswered);
    hear(slurm::ReportKind::checkpoint, 102);
    now_ += 40;
    restart(4, "n2");
    hear(104, 0);
    look();
    history_->record(resized(2, 4, asked + 35, static_cast<double>(now_)));
    now_ += 20;
    hear(140, 0.25);
    look();
    const std::vector<history::Rescale> rows = rescales();
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0].outcome, "done");
    EXPECT_EQ(rows[0].step_after, Seconds(0.25));
    EXPECT_EQ(rows[1].outcome, "no checkpoint");
    EXPECT_EQ(rows[1].remark, "no checkpoint in time; the job runs on");
    EXPECT_EQ(rows[2].to, 8U);
    EXPECT_EQ(rows[3].to, 1U);
    for (const history::Rescale& row : rows) {
        EXPECT_EQ(row.of, (history::Incarnation{7, 500, 0})) << "also of one that had not started";
        EXPECT_EQ(row.step_after.has_value(), row.outcome == "done");
    }
}

TEST_F(ChronicleTest, TellsWhatWasWishedAndWhatItHas) {
    struct Case {
        const char* name;
        bool was_pending;
        ResizeState state;
        bool asks_for_more;
        Ending ending;
        std::uint32_t gpus;
        std::uint32_t to;
    };
    const Case cases[] = {
        {"done", false, ResizeState::verifying, true, Ending::done, 4, 4},
        {"it got fewer", false, ResizeState::verifying, true, Ending::other_size, 3, 3},
        {"no answer", false, ResizeState::checkpoint_requested, true, Ending::no_checkpoint, 2, 2},
        {"held before its new size", false, ResizeState::updating_request, true, Ending::held, 0,
         2},
        {"held with its new size", false, ResizeState::waiting_to_start, true, Ending::held, 0, 4},
        {"impossible, and so was the old one", false, ResizeState::waiting_to_start, false,
         Ending::refused, 0, 2},
        {"over before it was asked", false, ResizeState::queued, true, Ending::ended, 0, 2},
        {"while it waited", true, ResizeState::updating_request, true, Ending::pending, 0, 4},
        {"refused while it waited", true, ResizeState::updating_request, true, Ending::refused, 0,
         2},
        {"started meanwhile", true, ResizeState::updating_request, true, Ending::refused, 2, 2},
        {"reverted", true, ResizeState::waiting_to_start, true, Ending::reverted, 0, 2},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Resized one = resized(2, 4, 10, 0);
        one.entry.was_pending = each.was_pending;
        one.entry.state = each.state;
        one.entry.was.tasks = 2;
        one.entry.wanted.tasks = each.asks_for_more ? 4 : 2;
        one.ending = each.ending;
        one.gpus = each.gpus;
        history_->record(one);
        ASSERT_EQ(rescales().size(), 1U);
        EXPECT_EQ(rescales().front().requested, 4U);
        EXPECT_EQ(rescales().front().to, each.to);
    }
}

TEST_F(ChronicleTest, WhatIsTakenBackLaterStaysOneRow) {
    Resized waited = resized(1, 2, 10, 0);
    waited.ending = Ending::pending;
    waited.gpus = 0;
    history_->record(waited);
    waited.ending = Ending::reverted;
    history_->record(waited);
    ASSERT_EQ(rescales().size(), 1U);
    EXPECT_EQ(rescales().front().outcome, "reverted");
}

TEST_F(ChronicleTest, WhatAnEarlierDaemonTimedIsKnown) {
    hear(100, 0.5);
    look();
    restart(4, "n2");
    hear(200, 0.25);
    look();
    HistoryWriter later(settings_, log_);
    const auto timed = later.timed_before(seen());
    ASSERT_EQ(timed.count(7), 1U);
    ASSERT_EQ(timed.at(7).size(), 2U);
    Reports reports;
    reports.remember(7, timed.at(7));
    ASSERT_EQ(reports.of(7)->timed.size(), 2U);
    job_.state = slurm::JobState::ended;
    EXPECT_TRUE(later.timed_before(seen()).empty()) << "it is over";
    job_.is_completing = true;
    EXPECT_EQ(later.timed_before(seen()).count(7), 1U) << "its status may requeue it";
    auto other = std::make_shared<JobMemory>(*job_.memory);
    other->decision.submitted = 501;
    job_.memory = other;
    EXPECT_TRUE(later.timed_before(seen()).empty()) << "another job of the same number";
}

TEST_F(ChronicleTest, EachStartOfARangeHasItsBatch) {
    auto memory = std::make_shared<JobMemory>(*job_.memory);
    memory->options.max_batch = 1024;
    job_.memory = memory;
    hear(100, 0.5);
    look();
    restart(2, "n1");
    job_.admin_comment = "hora-batch=256";
    hear(200, 0.75);
    look();
    job_.admin_comment = "hora-batch=128";  // for the next start
    hear(300, 0.75);
    look();
    HistoryWriter later(settings_, log_);
    const auto timed = later.timed_before(seen());
    ASSERT_EQ(timed.at(7).size(), 2U);
    EXPECT_EQ(timed.at(7)[0].batch + timed.at(7)[1].batch, 64U + 256U);
    memory->options.max_batch.reset();
    EXPECT_EQ(later.timed_before(seen()).at(7)[0].batch, 0U) << "a job with one batch";
}

TEST_F(ChronicleTest, ALaterDaemonTakesNothingFromARowThatStands) {
    now_ += 12;
    hear(4, 0.5);
    look();
    hear(slurm::ReportKind::checkpoint, 4);
    restart(4, "n2");
    now_ += 60;
    hear(204, 0.25);
    look();
    HistoryWriter later(settings_, log_);
    EXPECT_EQ(later.timed_before(seen()).at(7).size(), 2U);
    Reports anew;
    anew.put({.job = 7,
              .restarts = 1,
              .kind = slurm::ReportKind::progress,
              .step = 210,
              .epoch = 1,
              .samples = 210,
              .step_seconds = Seconds(0.2),
              .gpus = 4,
              .nodes = 1},
             static_cast<double>(now_));
    const auto before = samples();
    later.record(seen(), anew.all());
    const auto after = samples();
    ASSERT_EQ(after.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_TRUE(after[i].lost);
        EXPECT_EQ(after[i].steps, before[i].steps);
        EXPECT_EQ(after[i].lost, before[i].lost);
    }
}

TEST_F(ChronicleTest, NoStartUpIsToldOfAJobThatBeganBeforeTheDaemon) {
    job_.started = begin_ - 5000;
    hear(4, 0.5);
    look();
    ASSERT_EQ(samples().size(), 1U);
    EXPECT_FALSE(samples().front().lost);
}

TEST_F(ChronicleTest, PlansSoonKnowWhatWasMeasured) {
    EXPECT_TRUE(history_->digest(now_).measured.empty());
    hear(40, 0.6);
    look();
    steady_ += 1;
    EXPECT_TRUE(history_->digest(now_).measured.empty()) << "not at each write";
    steady_ += 29;
    // Whatever becomes of the clock.
    const auto digest = history_->digest(now_ - 100'000);
    ASSERT_EQ(digest.measured.size(), 1U);
    EXPECT_EQ(digest.measured.front().uid, 1000U);
    EXPECT_DOUBLE_EQ(digest.measured.front().ratio, 1.5);
}

TEST_F(ChronicleTest, IsWrittenAndForgottenAlsoWhereTheClockIsSet) {
    hear(40, 0.6);
    look();
    now_ -= 100'000;
    steady_ += 60;
    hear(50, 0.6);
    look();
    ASSERT_EQ(samples().size(), 1U);
    EXPECT_EQ(samples().front().steps, 50U) << "a minute has passed";
    const auto no_plans = [] { return std::vector<std::string>(); };
    history_->forget(now_, no_plans);
    steady_ += 600;
    history_->forget(now_ + 3650LL * 86400, no_plans);
    EXPECT_EQ(samples().size(), 1U) << "ten years have not";
}

}  // namespace
}  // namespace hora::horad
