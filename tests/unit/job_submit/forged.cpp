// What do a client's own words do to slurmctld's log, to a user's terminal and to the record?
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "libplanner/read/state/decision_token.hpp"
#include "plugins/job_submit/handle.hpp"
#include "tests/bench/submissions.hpp"
#include "tests/unit/job_submit/daemon_log.hpp"
#include "tests/unit/job_submit/job.hpp"
#include "tests/unit/job_submit/place.hpp"

namespace hora::submit {
namespace {

using Texts = std::vector<std::string>;

struct Outcome {
    std::string message;
    std::string comment;
};

Outcome submit(Place& place, Job& job, Texts entries) {
    job->script = daemon_string("#!/bin/sh\n");
    job.spank(entries);
    char* message = nullptr;
    handle(&place.site(), *job, 1000, &message);
    Outcome outcome;
    outcome.message = taken(message);
    outcome.comment = taken(job->admin_comment);
    return outcome;
}

Texts planned(Texts more = {}) {
    Texts entries{bench::option_prefix + "model=resnet50", bench::batch_option(256)};
    entries.insert(entries.end(), more.begin(), more.end());
    return entries;
}

bool is_line(const std::string& text) {
    return std::none_of(text.begin(), text.end(), [](char letter) {
        return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f;
    });
}

class Forged : public testing::Test {
  protected:
    Place place_{bench::snapshot_of(4)};
};

TEST_F(Forged, NoWordBeginsALineOfTheLog) {
    const std::string forged = "x\nslurmctld: fatal: x\r\x1b[2J\xc2\x9b" + std::string(9000, 'A');
    const Texts options[] = {planned(),
                             planned({bench::option_prefix + "gpus=5000"}),
                             planned({bench::option_prefix + forged + "=1"}),
                             planned({bench::option_prefix + "mode=" + forged}),
                             {bench::option_prefix + "model=" + std::string(400, 'm')}};
    char* job_desc_msg_t::*const places[] = {
        &job_desc_msg_t::name,          &job_desc_msg_t::features,  &job_desc_msg_t::req_nodes,
        &job_desc_msg_t::exc_nodes,     &job_desc_msg_t::partition, &job_desc_msg_t::reservation,
        &job_desc_msg_t::tres_per_node, &job_desc_msg_t::account};
    take_log();
    for (const Texts& entries : options) {
        for (char* job_desc_msg_t::*place : places) {
            Job job;
            (*job).*place = daemon_string(forged.c_str());
            const Outcome outcome = submit(place_, job, entries);
            EXPECT_LT(outcome.message.size(), 4200U);
            const auto lines = take_log();
            ASSERT_FALSE(lines.empty());
            for (const std::string& line : lines) {
                EXPECT_TRUE(is_line(line)) << line;
                EXPECT_EQ(line.find("\xc2\x9b"), std::string::npos) << line;
                EXPECT_LT(line.size(), 1100U);
            }
        }
    }
}

TEST_F(Forged, ATimeOfSubmissionIsTakenWithinMinutesOfNow) {
    const std::int64_t now = std::time(nullptr);
    const struct {
        const char* sentence;
        std::string said;
        bool is_taken;
    } cases[] = {
        {"now", std::to_string(now), true},
        {"a clock that is behind", std::to_string(now - 300), true},
        {"a clock that is ahead", std::to_string(now + 300), true},
        {"long ago", std::to_string(now - 3600), false},
        {"in an hour", std::to_string(now + 3600), false},
        {"the first second", "1", false},
        {"the last second", "4294967295", false},
        {"no number", "yesterday", false},
    };
    for (const auto& test : cases) {
        Job job;
        const auto decision =
            read::find_decision(submit(place_, job, planned({"HORA_SUBMIT=" + test.said})).comment);
        ASSERT_TRUE(decision && *decision) << test.sentence;
        EXPECT_EQ((*decision)->submitted, test.is_taken ? std::stoll(test.said) : 0)
            << test.sentence;
    }
}

}  // namespace
}  // namespace hora::submit
