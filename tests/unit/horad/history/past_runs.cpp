// Is it known since when an elastic job runs and what it has had, over all its starts?
#include "scripts/horad/history/past_runs.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>

#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

Observation with_job(std::int64_t now, std::int64_t started, std::uint32_t restarts,
                     std::uint32_t gpus) {
    auto memory = std::make_shared<JobMemory>();
    memory->decision.submitted = 50;
    memory->options.is_elastic = true;
    ObservedJob job;
    job.id = 7;
    job.uid = 1000;
    job.restarts = restarts;
    job.gpus = gpus;
    job.started = started;
    job.state = slurm::JobState::running;
    job.memory = memory;
    Observation seen;
    seen.now = now;
    seen.jobs.push_back(job);
    return seen;
}

TEST(PastRuns, KnowsTheFirstStartAfterARestartOfBoth) {
    const tests::ScratchFolder folder;
    {
        JournalFile journal(folder.path());
        PastRuns past_runs(journal);
        ASSERT_TRUE(past_runs.load());
        past_runs.see(with_job(110, 100, 0, 2));
        past_runs.see(with_job(120, 100, 0, 2));
        ASSERT_TRUE(past_runs.keep(120));
    }
    JournalFile journal(folder.path());
    PastRuns past_runs(journal);
    ASSERT_TRUE(past_runs.load());
    const Observation later = with_job(150, 140, 1, 4);
    past_runs.see(later);
    const JobPast* const past = past_runs.find(later.jobs[0]);
    ASSERT_NE(past, nullptr);
    EXPECT_EQ(past->first_started, 100);
    EXPECT_EQ(past->last_started, 140);
    EXPECT_EQ(past->restarts - past->first_restarts, 1U);
    EXPECT_DOUBLE_EQ(past->attained, 20 * 2 + 10 * 4);
}

TEST(PastRuns, AnotherJobOfTheSameNumberIsAnotherJob) {
    const tests::ScratchFolder folder;
    JournalFile journal(folder.path());
    PastRuns past_runs(journal);
    past_runs.see(with_job(110, 100, 0, 2));
    Observation other = with_job(500, 490, 0, 2);
    other.jobs[0].uid = 1001;
    EXPECT_EQ(past_runs.find(other.jobs[0]), nullptr);
    past_runs.see(other);
    ASSERT_NE(past_runs.find(other.jobs[0]), nullptr);
    EXPECT_EQ(past_runs.find(other.jobs[0])->first_started, 490);
}

// As they wrote it: in one line, its keys in the order of the alphabet.
TEST(PastRuns, ReadsWhatEarlierDaemonsWrote) {
    const tests::ScratchFolder folder;
    std::ofstream(folder.file("jobs.json"))
        << R"({"jobs":[{"attained":240.5,"first_restarts":1,"first_started":100,"job":7,)"
        << R"("last_started":140,"restarts":2,"seen":200,"submitted":50,"uid":1000}],"version":1})"
        << "\n";
    JournalFile journal(folder.path());
    PastRuns past_runs(journal);
    const auto loaded = past_runs.load();
    ASSERT_TRUE(loaded) << loaded.error().message;
    const Observation seen = with_job(210, 140, 2, 4);
    const JobPast* const past = past_runs.find(seen.jobs[0]);
    ASSERT_NE(past, nullptr);
    EXPECT_EQ(*past, (JobPast{.uid = 1000,
                              .submitted = 50,
                              .first_started = 100,
                              .last_started = 140,
                              .first_restarts = 1,
                              .restarts = 2,
                              .attained = 240.5,
                              .seen = 200}));
}

TEST(PastRuns, AFileOfAnotherShapeIsSaidAndForgotten) {
    const tests::ScratchFolder folder;
    for (const char* const text : {"", "{", "[]", "{\"version\": 1}",
                                   "{\"version\":1,\"jobs\":[1]}", "{\"version\":2,\"jobs\":[]}"}) {
        std::ofstream(folder.file("jobs.json")) << text;
        JournalFile journal(folder.path());
        PastRuns past_runs(journal);
        EXPECT_FALSE(past_runs.load()) << text;
        past_runs.see(with_job(110, 100, 0, 2));
        EXPECT_TRUE(past_runs.keep(110));
    }
}

// Of which nothing is to be counted twice, and nothing of the time between.
TEST(PastRuns, CountsWhatAJobHasHad) {
    struct Look {
        std::int64_t now;
        std::int64_t started;
        std::uint32_t gpus;
        double attained;  // in all
    };
    const Look looks[] = {
        {100, 90, 2, 20},  {100, 90, 2, 20},  {95, 90, 2, 20},   {105, 90, 2, 30},
        {120, 115, 4, 50}, {130, 130, 1, 50}, {131, 130, 1, 51},
    };
    const tests::ScratchFolder folder;
    JournalFile journal(folder.path());
    PastRuns past_runs(journal);
    std::uint32_t restarts = 0;
    std::int64_t started = 90;
    for (const Look& look : looks) {
        restarts += look.started == started ? 0 : 1;
        started = look.started;
        const Observation seen = with_job(look.now, look.started, restarts, look.gpus);
        past_runs.see(seen);
        ASSERT_NE(past_runs.find(seen.jobs[0]), nullptr);
        EXPECT_DOUBLE_EQ(past_runs.find(seen.jobs[0])->attained, look.attained) << look.now;
    }
}

TEST(PastRuns, KnowsAJobWhileItWaitsAndForgetsOneThatIsOver) {
    const tests::ScratchFolder folder;
    JournalFile journal(folder.path());
    PastRuns past_runs(journal);
    Observation seen = with_job(110, 100, 0, 2);
    past_runs.see(seen);
    seen.jobs[0].state = slurm::JobState::pending;
    seen.jobs[0].restarts = 1;
    past_runs.see(seen);
    EXPECT_NE(past_runs.find(seen.jobs[0]), nullptr);
    seen.jobs[0].state = slurm::JobState::ended;
    seen.jobs[0].is_completing = true;
    past_runs.see(seen);
    EXPECT_NE(past_runs.find(seen.jobs[0]), nullptr) << "its status may requeue it";
    seen.jobs[0].is_completing = false;
    past_runs.see(seen);
    EXPECT_EQ(past_runs.find(seen.jobs[0]), nullptr);
}

TEST(PastRuns, AreOfElasticJobsThatRun) {
    const tests::ScratchFolder folder;
    JournalFile journal(folder.path());
    PastRuns past_runs(journal);
    Observation seen = with_job(110, 100, 0, 2);
    seen.jobs[0].state = slurm::JobState::pending;
    past_runs.see(seen);
    EXPECT_EQ(past_runs.find(seen.jobs[0]), nullptr) << "it has not run";
    seen = with_job(110, 100, 0, 2);
    auto rigid = std::make_shared<JobMemory>(*seen.jobs[0].memory);
    rigid->options.is_elastic = false;
    seen.jobs[0].memory = rigid;
    past_runs.see(seen);
    EXPECT_EQ(past_runs.find(seen.jobs[0]), nullptr) << "it is not elastic";
    seen.jobs[0].memory = nullptr;
    past_runs.see(seen);
    EXPECT_EQ(past_runs.find(seen.jobs[0]), nullptr) << "nothing is known of it";
}

TEST(PastRuns, AreWrittenWhereThereIsNewsAndEveryMinute) {
    const tests::ScratchFolder folder;
    const auto kept = [&] {
        JournalFile journal(folder.path());
        PastRuns later(journal);
        EXPECT_TRUE(later.load());
        const Observation seen = with_job(1000, 100, 9, 2);
        const JobPast* const past = later.find(seen.jobs[0]);
        return past == nullptr ? -1 : past->attained;
    };
    JournalFile journal(folder.path());
    PastRuns past_runs(journal);
    past_runs.see(with_job(110, 100, 0, 2));
    ASSERT_TRUE(past_runs.keep(110));
    EXPECT_EQ(kept(), 20);
    past_runs.see(with_job(169, 100, 0, 2));
    ASSERT_TRUE(past_runs.keep(169));
    EXPECT_EQ(kept(), 20) << "not yet";
    ASSERT_TRUE(past_runs.keep(170));
    EXPECT_EQ(kept(), 138) << "a minute";
    past_runs.see(with_job(171, 171, 1, 4));
    ASSERT_TRUE(past_runs.keep(171));
    EXPECT_EQ(kept(), 138) << "of a start that has had nothing yet";
    past_runs.see(with_job(172, 171, 1, 4));
    ASSERT_TRUE(past_runs.keep(100));
    EXPECT_EQ(kept(), 142) << "a clock was set back";
    past_runs.see({.now = 173, .jobs = {}, .cluster = nullptr});
    ASSERT_TRUE(past_runs.keep(101));
    EXPECT_EQ(kept(), -1) << "it is gone";
}

}  // namespace
}  // namespace hora::horad
