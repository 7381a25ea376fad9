// Is a batch of its range asked for, for the scripts that may have one, and nothing else taken?
#include "plugins/spank/variables/start_batch.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace hora::spank {
namespace {

TaskFacts facts(const char* batch = "64-1024") {
    TaskFacts facts;
    facts.options = {{"hora-batch", batch}, {"hora-elastic", ""}};
    facts.job = 17;
    facts.is_batch = true;
    facts.is_batch_script = true;
    return facts;
}

ComputeSettings settings() {
    ComputeSettings settings;
    settings.watcher = "/libexec/hora-watch-job";
    return settings;
}

TEST(StartBatch, is_asked_for_where_it_may_be_another_one) {
    EXPECT_EQ(batch_call(facts(), settings()),
              (std::vector<std::string>{"/libexec/hora-watch-job", "--job", "17", "--batch"}));
    EXPECT_FALSE(batch_call(facts("64"), settings())) << "no range";
    TaskFacts shell = facts();
    shell.is_batch_script = false;
    EXPECT_FALSE(batch_call(shell, settings())) << "a step, or a shell of salloc's";
    ComputeSettings without = settings();
    without.watcher.clear();
    EXPECT_FALSE(batch_call(facts(), without)) << "no program";
}

TEST(StartBatch, is_taken_within_the_range) {
    struct Case {
        const char* sentence;
        const char* output;
        std::optional<std::uint64_t> batch;
    };
    const Case cases[] = {
        {"a batch", "512\n", 512},
        {"the smallest", "64\n", 64},
        {"the largest", "1024\n", 1024},
        {"none", "\n", std::nullopt},
        {"nothing at all", "", std::nullopt},
        {"below the range", "63\n", std::nullopt},
        {"beyond it", "1025\n", std::nullopt},
        {"rubbish", "512x\n", std::nullopt},
        {"more digits than a number has", "99999999999999999999999999\n", std::nullopt},
    };
    for (const Case& test : cases) {
        const auto batch = batch_of({RunEnd::exited, 0, test.output, ""}, facts(), settings());
        ASSERT_TRUE(batch) << test.sentence;
        EXPECT_EQ(*batch, test.batch) << test.sentence;
    }
}

TEST(StartBatch, says_why_it_is_not_known) {
    struct Case {
        const char* sentence;
        RunResult result;
        const char* why;
    };
    const Case cases[] = {
        {"no program",
         {RunEnd::not_started, ENOENT, "", ""},
         "cannot start \"/libexec/hora-watch-job\": No such file or directory"},
        {"no answer",
         {RunEnd::took_too_long, 0, "512\n", ""},
         "\"/libexec/hora-watch-job\" took too long"},
        {"a refusal", {RunEnd::exited, 1, "512\n", "hora: no\x1b[2J\n"}, "no?[2J"},
    };
    for (const Case& test : cases) {
        const auto batch = batch_of(test.result, facts(), settings());
        ASSERT_FALSE(batch) << test.sentence;
        EXPECT_EQ(batch.error().message, test.why) << test.sentence;
    }
    const RunResult chatty{RunEnd::exited, 1, "", std::string(8000, 'x')};
    EXPECT_EQ(batch_of(chatty, facts(), settings()).error().message.size(), 200U);
}

}  // namespace
}  // namespace hora::spank
