#include "contrib/trainer/settings.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>
#include <vector>

namespace hora::trainer {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;
using Environment = std::vector<std::pair<const char*, const char*>>;

Expected<Settings> read(const Environment& environment, Words words) {
    for (const char* const name : {"HORA_BATCH", "HORA_BATCH_MIN", "HORA_SHARE", "HORA_PROGRESS",
                                   "HORA_CHECKPOINT_DIR", "SLURM_RESTART_COUNT"}) {
        unsetenv(name);
    }
    for (const auto& [name, value] : environment) {
        setenv(name, value, 1);
    }
    words.insert(words.begin(), "train");
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    return read_settings(static_cast<int>(arguments.size()), arguments.data(),
                         {.name = "train", .description = "Trains.", .data = "a file"});
}

TEST(Settings, AreThoseOfTheOptionsThenOfTheEnvironment) {
    struct Case {
        const char* name;
        Environment environment;
        Words words;
        std::uint64_t batch;
        std::optional<std::uint64_t> smallest;
        std::optional<std::uint64_t> share;
    };
    const Case cases[] = {
        {"neither", {}, {}, 64, {}, {}},
        {"empty variables say nothing",
         {{"HORA_BATCH", ""}, {"HORA_BATCH_MIN", ""}, {"HORA_SHARE", ""}},
         {},
         64,
         {},
         {}},
        {"the environment",
         {{"HORA_BATCH", "128"}, {"HORA_BATCH_MIN", "32"}, {"HORA_SHARE", "0"}},
         {},
         128,
         32,
         0},
        {"an option is stronger",
         {{"HORA_BATCH", "128"}, {"HORA_BATCH_MIN", "32"}},
         {"--batch", "16", "--smallest-batch=8"},
         16,
         8,
         {}},
        {"a batch that may not change", {{"HORA_BATCH_MIN", "64"}}, {}, 64, 64, {}},
        {"the largest there are",
         {{"HORA_BATCH", "1000000000"}, {"HORA_SHARE", "1000000000"}},
         {},
         1'000'000'000,
         {},
         1'000'000'000},
    };
    for (const Case& c : cases) {
        const auto settings = read(c.environment, c.words);
        ASSERT_TRUE(settings) << c.name << ": " << settings.error().message;
        EXPECT_EQ(settings->batch, c.batch) << c.name;
        EXPECT_EQ(settings->smallest_batch, c.smallest) << c.name;
        EXPECT_EQ(settings->share, c.share) << c.name;
    }
}

TEST(Settings, CountRestartsFromZero) {
    EXPECT_EQ(read({}, {})->restart_count, "0");
    EXPECT_EQ(read({{"SLURM_RESTART_COUNT", ""}}, {})->restart_count, "0");
    EXPECT_EQ(read({{"SLURM_RESTART_COUNT", "3"}}, {})->restart_count, "3");
}

TEST(Settings, RefuseWhatCannotBe) {
    struct Case {
        const char* name;
        Environment environment;
        Words words;
        const char* expected;
    };
    const Case cases[] = {
        {"no batch", {{"HORA_BATCH", "0"}}, {}, "HORA_BATCH is 0; a batch has at least one"},
        {"no smallest batch", {{"HORA_BATCH_MIN", "0"}}, {}, "HORA_BATCH_MIN is 0"},
        {"a batch above the largest", {{"HORA_BATCH", "1000000001"}}, {}, "up to 1000000000"},
        {"a batch beyond any number", {{"HORA_BATCH", "99999999999999999999"}}, {}, "HORA_BATCH="},
        {"a negative share", {{"HORA_SHARE", "-1"}}, {}, "HORA_SHARE=\"-1\" is not a whole"},
        {"a blank", {{"HORA_SHARE", " 1"}}, {}, "HORA_SHARE=\" 1\" is not a whole"},
        {"words", {{"HORA_BATCH", "64x"}}, {}, "HORA_BATCH=\"64x\" is not a whole"},
        {"a batch below the smallest",
         {{"HORA_BATCH", "16"}, {"HORA_BATCH_MIN", "32"}},
         {},
         "the smallest batch is 32 and the batch 16"},
        {"an option of no batch", {}, {"--batch", "0"}, "--batch"},
        {"a negative batch", {}, {"--batch=-1"}, "--batch"},
        {"a batch that wraps around", {}, {"--batch=18446744073709551680"}, "--batch"},
        {"no epoch", {}, {"--epochs=0"}, "--epochs"},
        {"no step between reports", {}, {"--report-steps=0"}, "--report-steps"},
        {"no rate", {}, {"--rate=0"}, "--rate"},
        {"an endless rate", {}, {"--rate=inf"}, "--rate"},
        {"a rate that is no number", {}, {"--rate=nan"}, "--rate"},
        {"nor is it with a sign", {}, {"--rate=-NaN"}, "--rate"},
        {"a wait that is no number", {}, {"--ready-wait=nan"}, "--ready-wait"},
        {"a wait of a day", {}, {"--ready-wait=86400"}, "--ready-wait"},
        {"an unknown option", {}, {"--bach=3"}, "--bach"},
    };
    for (const Case& c : cases) {
        const auto settings = read(c.environment, c.words);
        ASSERT_FALSE(settings) << c.name;
        EXPECT_THAT(settings.error().message, HasSubstr(c.expected)) << c.name;
        EXPECT_EQ(settings.error().kind, ErrorKind::wrong_use) << c.name;
    }
}

TEST(Settings, ShowHelpWithTheValuesThatHold) {
    const auto settings = read({{"HORA_BATCH", "96"}}, {"--help"});
    ASSERT_TRUE(settings);
    EXPECT_THAT(settings->help, HasSubstr("Trains."));
    EXPECT_THAT(settings->help, HasSubstr("--batch UINT:UINT in [1 - 1000000000]=96"));
}

TEST(Settings, SayThatTheirHelpCannotBeWritten) {
    const auto settings = read({}, {"--help"});
    ASSERT_TRUE(settings);
    const auto print_to = [&](const char* file) {
        dup2(open(file, O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
        std::exit(print_help(*settings));
    };
    EXPECT_EXIT(print_to("/dev/full"), testing::ExitedWithCode(1),
                "^train: cannot write the output: No space left on device\n$");
    EXPECT_EXIT(print_to("/dev/null"), testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace hora::trainer
