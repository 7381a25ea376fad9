// Which waiting jobs have been held back for long enough?
#include "scripts/hora/jobs/relaxing.hpp"

#include <gtest/gtest.h>
#include <slurm/slurm_errno.h>

#include "libplanner/read/state/decision_token.hpp"
#include "libplanner/report/jobs/decision_token.hpp"
#include "tests/unit/enforced_placement.hpp"

namespace hora::scripts {
namespace {

constexpr std::int64_t now = 100'000;

slurm::Job job_of(std::int64_t eligible, std::int64_t replanned) {
    domain::Decision decision = tests::enforced_placement();
    if (replanned != 0) {
        decision.replanned = {.when = replanned, .times = 1, .from = "2 x k80 on n1", .why = ""};
    }
    slurm::Job job;
    job.target = "7";
    job.admin_comment = report::to_token(decision);
    job.priority = 1;
    job.eligible = eligible;
    job.shape.tres_per_socket = "gres:gpu:2";
    return job;
}

PlanAccess tokens() {
    return {.find = [](const std::string& comment) { return read::find_decision(comment); },
            .keep = [](const domain::Decision& decision) { return report::to_token(decision); }};
}

TEST(Relaxing, leaves_a_job_alone_whose_plan_is_not_found) {
    slurm::Job job = job_of(now - 900, 0);
    job.admin_comment = "hora={";
    EXPECT_TRUE(relax_due({job}, tokens(), now, true).empty());
    EXPECT_FALSE(constraint_of(job, tokens()));
    job.shape.tres_per_socket.clear();
    EXPECT_TRUE(constraint_of(job, tokens())) << "it is of no interest";
}

TEST(Relaxing, is_due_when_the_plan_has_held_a_job_back_for_long_enough) {
    struct Case {
        const char* name;
        std::int64_t eligible;   // 0: it cannot run
        std::int64_t replanned;  // 0: never
        bool is_due;
    };
    const Case cases[] = {
        {"long enough", now - 300, 0, true},
        {"not yet", now - 299, 0, false},
        {"it cannot run", 0, 0, false},
        {"it is still to begin", now + 10, 0, false},
        {"a new plan a moment ago", now - 900, now - 1, false},
        {"a new plan long enough ago", now - 900, now - 300, true},
        {"a new plan while it was held", now - 299, now - 900, false},
        {"a new plan before the clock was set back", now - 300, now + 900, true},
    };
    for (const Case& row : cases) {
        const auto relaxed = relax_due({job_of(row.eligible, row.replanned)}, tokens(), now, true);
        EXPECT_EQ(relaxed.size(), row.is_due ? 1U : 0U) << row.name;
    }
    EXPECT_EQ(relax_due({job_of(now - 900, now - 400)}, tokens(), now, true).front().waited,
              Seconds(400));
}

TEST(Relaxing, says_who_may_where_somebody_may_not) {
    for (const int error : {ESLURM_USER_ID_MISSING, ESLURM_ACCESS_DENIED}) {
        EXPECT_EQ(slurm::why_unchanged(error), "only its owner or an operator may");
    }
    EXPECT_EQ(slurm::why_unchanged(ESLURM_INVALID_JOB_ID), "Invalid job id specified");
}

}  // namespace
}  // namespace hora::scripts
