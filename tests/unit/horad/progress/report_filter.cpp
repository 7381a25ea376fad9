// Are reports taken of the job's owner and its present start alone, and where they may be true?
#include "scripts/horad/progress/report_filter.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string_view>

#include "tests/unit/horad/progress/some_report.hpp"

namespace hora::horad {
namespace {

TEST(ReportFilter, JudgesByWhatIsSeen) {
    struct Case {
        const char* name;
        std::uint32_t job;
        std::uint32_t restarts;
        uid_t uid;
        Verdict wanted;
    };
    const Case cases[] = {
        {"the owner's, of the present start", 7, 1, 1000, Verdict::taken},
        {"another user's", 7, 1, 1001, Verdict::later},
        {"root is another user too", 7, 1, 0, Verdict::later},
        {"of a start that is over", 7, 0, 1000, Verdict::refused},
        {"of a start that is not seen yet", 7, 2, 1000, Verdict::later},
        {"of a job that is not seen yet", 9, 0, 1000, Verdict::later},
    };
    ReportFilter filter;
    filter.see(with_job(7, 1000, 1, slurm::JobState::running));
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const Judged judged = filter.judge({progress(each.job, each.restarts, 5), each.uid}, 100);
        EXPECT_EQ(judged.verdict, each.wanted);
        EXPECT_EQ(judged.answer.has_value(), each.wanted == Verdict::taken);
    }
    EXPECT_EQ(filter.reports().count(), 1U);
    EXPECT_EQ(filter.refused(), 1U);
    filter.see(with_job(7, 1000, 1, slurm::JobState::pending));
    EXPECT_EQ(filter.judge({progress(7, 1, 6), 1000}, 100).verdict, Verdict::later);
    Observation cleaned_up = with_job(7, 1000, 1, slurm::JobState::ended);
    cleaned_up.jobs[0].is_completing = true;
    filter.see(cleaned_up);
    EXPECT_TRUE(filter.reports().of(7)) << "its status may requeue it";
    filter.see(with_job(7, 1000, 1, slurm::JobState::ended));
    EXPECT_FALSE(filter.reports().of(7));
}

// slurmctld, killed, may have taken the end of a start for the job's: its checkpoint shows it.
TEST(ReportFilter, KeepsWhatAJobReportedThatIsResized) {
    ReportFilter filter;
    filter.see(with_job(7, 1000, 1, slurm::JobState::running));
    ASSERT_EQ(filter.judge({progress(7, 1, 5), 1000}, 100).verdict, Verdict::taken);
    filter.see(with_job(7, 1000, 1, slurm::JobState::ended), {7});
    EXPECT_TRUE(filter.reports().of(7));
    EXPECT_EQ(filter.judge({progress(7, 1, 6), 1000}, 100).verdict, Verdict::later);
    filter.see(with_job(7, 1000, 1, slurm::JobState::ended), {8});
    EXPECT_FALSE(filter.reports().of(7));
}

// Where jobs are private not even their numbers are others' to know.
TEST(ReportFilter, AnotherUserLearnsNothingOfAJob) {
    constexpr uid_t other = 1001;
    for (const auto state : {slurm::JobState::running, slurm::JobState::pending}) {
        ReportFilter filter;
        filter.see(with_job(7, 1000, 1, state));
        for (const std::uint32_t restarts : {0U, 1U, 2U}) {
            const Judged none = filter.judge({progress(9, restarts, 5), other}, 100);
            const Judged others = filter.judge({progress(7, restarts, 5, 99), other}, 100);
            EXPECT_EQ(others.verdict, none.verdict) << restarts;
            ASSERT_FALSE(others.answer || none.answer) << restarts;
            EXPECT_EQ(others.answer.error().message, none.answer.error().message) << restarts;
        }
        EXPECT_EQ(filter.refused(), 0U);
        EXPECT_EQ(filter.judge_last({progress(7, 1, 5), other}, 100).verdict, Verdict::refused);
        EXPECT_EQ(filter.judge_last({progress(9, 1, 5), other}, 100).verdict, Verdict::refused);
        EXPECT_EQ(filter.refused(), 2U);
    }
}

TEST(ReportFilter, BelievesNoMoreThanMayBe) {
    struct Case {
        const char* name;
        std::uint64_t step;
        std::uint32_t gpus;
        std::uint32_t nodes;
        const char* problem;  // "": it is taken
    };
    const Case cases[] = {
        {"what it holds", 5, 2, 1, ""},
        {"not known to the sender", 5, 0, 0, ""},
        {"fewer than it holds", 5, 1, 1, ""},
        {"more GPUs", 5, 3, 1, "3 GPUs on 1 node, and the job holds 2 GPUs on 1 node"},
        {"very many", 5, 1'000'000, 1, "1000000 GPUs"},
        {"more nodes", 5, 2, 2, "on 2 nodes"},
        {"the last step", 100, 2, 1, ""},
        {"more than was stated", 1000, 2, 1, ""},
        {"more than anybody misstates", 1010, 2, 1,
         "step 1010, more than 10 times the 100 that the job was to do"},
        {"the largest step there is", std::uint64_t{1} << 53, 2, 1, "step 9007199254740992"},
    };
    Observation seen = with_job(7, 1000, 1, slurm::JobState::running);
    auto memory = std::make_shared<JobMemory>();
    memory->options.batch = 10;
    memory->options.samples = 95;
    memory->options.epochs = 10;
    seen.jobs.front().memory = memory;
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        ReportFilter filter;
        filter.see(seen);
        slurm::Report report = progress(7, 1, each.step, each.gpus);
        report.nodes = each.nodes;
        const Judged judged = filter.judge({report, 1000}, 100);
        const bool is_taken = std::string_view(each.problem).empty();
        EXPECT_EQ(judged.verdict, is_taken ? Verdict::taken : Verdict::refused);
        EXPECT_EQ(filter.refused(), is_taken ? 0U : 1U);
        if (is_taken) {
            EXPECT_EQ(filter.reports().of(7)->progress->gpus, 2U) << "as slurmctld says";
            EXPECT_EQ(filter.reports().of(7)->progress->nodes, 1U);
        } else {
            EXPECT_NE(judged.answer.error().message.find(each.problem), std::string::npos)
                << judged.answer.error().message;
            EXPECT_FALSE(filter.reports().of(7));
        }
    }
    ReportFilter filter;
    filter.see(seen);
    const slurm::Report beyond{
        .job = 7, .restarts = 1, .kind = slurm::ReportKind::checkpoint, .step = 1010};
    EXPECT_EQ(filter.judge({beyond, 1000}, 100).verdict, Verdict::refused);
    seen.jobs.front().memory = nullptr;  // a job whose work is not stated
    filter.see(seen);
    EXPECT_EQ(filter.judge({beyond, 1000}, 100).verdict, Verdict::taken);
}

TEST(ReportFilter, TimesStepsWithTheBatchOfTheStart) {
    ReportFilter filter;
    Observation seen = with_job(7, 1000, 1, slurm::JobState::running);
    auto memory = std::make_shared<JobMemory>();
    memory->options.batch = 64;
    memory->options.max_batch = 1024;
    memory->options.samples = 640;
    memory->options.epochs = 10;
    seen.jobs.front().memory = memory;
    seen.jobs.front().admin_comment = "hora-batch=512";
    filter.see(seen);
    seen.jobs.front().admin_comment = "hora-batch=128";  // for the next start
    filter.see(seen);
    // Larger batches need fewer steps than were stated with the smallest.
    EXPECT_EQ(filter.judge({progress(7, 1, 5), 1000}, 100).verdict, Verdict::taken);
    seen.jobs.front().restarts = 2;
    filter.see(seen);
    EXPECT_EQ(filter.judge({progress(7, 2, 6), 1000}, 110).verdict, Verdict::taken);
    seen.jobs.front().restarts = 3;
    seen.jobs.front().admin_comment = "hora-batch=2048";
    filter.see(seen);
    EXPECT_EQ(filter.judge({progress(7, 3, 7), 1000}, 120).verdict, Verdict::taken);
    const auto timed = filter.reports().of(7)->timed;
    ASSERT_EQ(timed.size(), 3U);
    EXPECT_EQ(timed[0].batch, 512U);
    EXPECT_EQ(timed[1].batch, 128U);
    EXPECT_EQ(timed[2].batch, 64U) << "the node takes no batch beyond the range either";
}

TEST(ReportFilter, TakesNoGpusFromAJobWithout) {
    ReportFilter filter;
    Observation seen = with_job(7, 1000, 1, slurm::JobState::running);
    seen.jobs.front().gpus = 0;
    filter.see(seen);
    EXPECT_EQ(filter.judge({progress(7, 1, 5), 1000}, 100).verdict, Verdict::taken);
    EXPECT_EQ(filter.reports().of(7)->progress->gpus, 0U);
    EXPECT_TRUE(filter.reports().of(7)->timed.empty());
}

// Its owner may take nodes of a running job away, and the program beside it does not hear of that.
TEST(ReportFilter, AllowsForWhatAStartHasHeld) {
    ReportFilter filter;
    Observation seen = with_job(7, 1000, 1, slurm::JobState::running);
    filter.see(seen);
    seen.jobs.front().gpus = 1;
    filter.see(seen);
    EXPECT_EQ(filter.judge({progress(7, 1, 5, 2), 1000}, 100).verdict, Verdict::taken);
    EXPECT_EQ(filter.reports().of(7)->progress->gpus, 1U);
    seen.jobs.front().restarts = 2;
    filter.see(seen);
    EXPECT_EQ(filter.judge({progress(7, 2, 6, 2), 1000}, 100).verdict, Verdict::refused);
}

TEST(ReportFilter, KnowsWhichReportIsTheFirstOfAStart) {
    struct Case {
        const char* name;
        slurm::SignedReport given;
        bool is_first;
    };
    const slurm::Report request{.job = 7, .kind = slurm::ReportKind::resize, .gpus = 4};
    const Case cases[] = {
        {"of the start that runs", {progress(7, 1, 5), 1000}, true},
        {"another user's", {progress(7, 1, 5), 1001}, false},
        {"of a start that is over", {progress(7, 0, 5), 1000}, false},
        {"of a start that is not seen yet", {progress(7, 2, 5), 1000}, false},
        {"of a job that is not seen", {progress(9, 0, 5), 1000}, false},
        {"a request is none of the job's", {request, 1000}, false},
    };
    ReportFilter filter;
    filter.remember(7, {{.gpus = 2, .nodes = 1, .step = Seconds(1), .steps = 10}});
    filter.see(with_job(7, 1000, 1, slurm::JobState::running));
    for (const Case& each : cases) {
        EXPECT_EQ(filter.is_first(each.given), each.is_first) << each.name;
    }
    filter.judge({progress(7, 1, 5), 1000}, 100);
    EXPECT_FALSE(filter.is_first({progress(7, 1, 6), 1000})) << "heard";
    filter.see(with_job(7, 1000, 2, slurm::JobState::running));
    EXPECT_TRUE(filter.is_first({progress(7, 2, 6), 1000})) << "a new start";
    filter.see(with_job(7, 1000, 2, slurm::JobState::pending));
    EXPECT_FALSE(filter.is_first({progress(7, 2, 6), 1000})) << "does not run";
}

// Else a job that reports what is not believed would be heard whatever its owner's rate.
TEST(ReportFilter, CountsARefusedReportAsTheFirst) {
    ReportFilter filter;
    const auto start = [](std::uint32_t restarts) {
        Observation seen = with_job(7, 1000, restarts, slurm::JobState::running);
        seen.jobs.front().gpus = 1;
        return seen;
    };
    filter.see(start(1));
    const slurm::SignedReport untrue{progress(7, 1, 5, 2), 1000};
    ASSERT_TRUE(filter.is_first(untrue));
    ASSERT_EQ(filter.judge(untrue, 100).verdict, Verdict::refused);
    EXPECT_FALSE(filter.is_first(untrue));
    filter.see(start(1));
    EXPECT_FALSE(filter.is_first(untrue)) << "of the same start";
    EXPECT_FALSE(filter.reports().of(7));
    filter.see(start(2));
    EXPECT_TRUE(filter.is_first({progress(7, 2, 5), 1000})) << "a new start";
}

}  // namespace
}  // namespace hora::horad
