#include "plugins/slurm/report/report_message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "libplanner/domain/progress.hpp"

namespace hora::slurm {
namespace {

using testing::HasSubstr;

Report progress() {
    return {.job = 12,
            .restarts = 3,
            .kind = ReportKind::progress,
            .step = 500,
            .epoch = 2,
            .samples = 64000,
            .step_seconds = Seconds(0.125),
            .gpus = 4,
            .nodes = 2};
}

TEST(ReportMessage, IsPlainNumbers) {
    EXPECT_EQ(to_text(progress()), "1 12 3 progress 500 2 64000 125000000 4 2");
    Report noisy = progress();
    noisy.noise_scale = 2000;
    EXPECT_EQ(to_text(noisy), "1 12 3 progress 500 2 64000 125000000 4 2 2000");
    noisy.late = Seconds(0.0125);
    EXPECT_EQ(to_text(noisy), "1 12 3 progress 500 2 64000 125000000 4 2 2000 12500000");
    noisy.noise_scale = 0;
    EXPECT_EQ(to_text(noisy), "1 12 3 progress 500 2 64000 125000000 4 2 0 12500000");
    EXPECT_EQ(to_text({.job = 12, .restarts = 3, .kind = ReportKind::checkpoint, .step = 500}),
              "1 12 3 checkpoint 500");
    EXPECT_EQ(to_text({.job = 12, .restarts = 0, .kind = ReportKind::ended}), "1 12 0 ended");
}

TEST(ReportMessage, WritesATimeThatIsNoneAsNotKnown) {
    Report report = progress();
    for (const double seconds : {-1.0, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
        report.step_seconds = Seconds(seconds);
        const auto read = read_report(to_text(report));
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->step_seconds.count(), 0) << seconds;
    }
}

struct Refused {
    const char* sentence;
    std::string text;
    const char* problem;
};

const Refused refused[] = {
    {"nothing is no report", "", "is no report"},
    {"a word is no report", "hello", "is no report"},
    {"an unknown kind is no report", "1 12 0 requeued", "is no report"},
    {"a later version is not guessed at", "2 12 0 ended", "version"},
    {"job 0 is none", "1 0 0 ended", "job"},
    {"NO_VAL is no job", "1 4294967294 0 ended", "job"},
    {"a sign is refused", "1 -12 0 ended", "job"},
    {"a resize says how many GPUs", "1 12 7 resize", "is no report"},
    {"a resize to a million GPUs and one is refused", "1 12 7 resize 1000001", "GPUs"},
    {"restarts beyond 16 bits are refused", "1 12 65536 ended", "restarts"},
    {"a word too many is refused", "1 12 0 ended 5", "is no report"},
    {"a word too few is refused", "1 12 0 checkpoint", "is no report"},
    {"two spaces leave an empty number", "1 12 0 checkpoint ", "step"},
    {"a fraction is no step", "1 12 0 checkpoint 1.5", "step"},
    {"steps beyond 2^53 are refused", "1 12 0 checkpoint 9007199254740993", "step"},
    {"a number that overflows is refused", "1 12 0 checkpoint 99999999999999999999999", "step"},
    {"a time that is no number is refused", "1 12 0 progress 5 1 64 nan 4 2", "nanoseconds"},
    {"a step of months is refused", "1 12 0 progress 5 1 64 4294964294436692 4 2", "nanoseconds"},
    {"a million GPUs and one are refused", "1 12 0 progress 5 1 64 1 1000001 2", "GPUs"},
    {"a noise scale of nothing is not said", "1 12 0 progress 5 1 64 1 4 2 0", "noise scale"},
    {"an empty noise scale is none", "1 12 0 progress 5 1 64 1 4 2 ", "noise scale"},
    {"a noise scale beyond all batches is refused", "1 12 0 progress 5 1 64 1 4 2 1000000000001",
     "noise scale"},
    {"a fraction of a noise scale is refused", "1 12 0 progress 5 1 64 1 4 2 1.5", "noise scale"},
    {"late ranks cost no negative time", "1 12 0 progress 5 1 64 1 4 2 7 -8", "late ranks"},
    {"nor none that is said so", "1 12 0 progress 5 1 64 1 4 2 0 ", "late ranks"},
    {"nor months of a step", "1 12 0 progress 5 1 64 1 4 2 0 4294964294436692", "late ranks"},
    {"nothing follows them", "1 12 0 progress 5 1 64 1 4 2 7 8 9", "is no report"},
    {"a checkpoint has no noise scale", "1 12 0 checkpoint 5 7", "is no report"},
    {"a second line is refused", "1 12 0 ended\n", "is no report"},
    {"a zero byte is refused", std::string("1 12 0 ended\0", 13), "is no report"},
    {"a long text is refused unread", std::string(100000, '1'), "longer than"},
};

TEST(ReportMessage, RefusesWhatIsNone) {
    for (const Refused& row : refused) {
        const auto read = read_report(row.text);
        ASSERT_FALSE(read) << row.sentence;
        EXPECT_THAT(read.error().message, HasSubstr(row.problem)) << row.sentence;
        EXPECT_LT(read.error().message.size(), 200u) << row.sentence;
    }
}

RC_GTEST_PROP(ReportMessage, ComesBackAsItWas, ()) {
    const auto below = [](std::uint64_t most) {
        return *rc::gen::inRange<std::uint64_t>(0, most + 1);
    };
    constexpr std::uint64_t largest = std::uint64_t{1} << 53;
    constexpr std::uint64_t longest = 1'000'000'000'000'000;  // of a step, in nanoseconds
    Report report{
        .job = static_cast<std::uint32_t>(1 + below(0xfffffffc)),
        .restarts = static_cast<std::uint32_t>(below(0xffff)),
        .kind = *rc::gen::element(ReportKind::progress, ReportKind::checkpoint, ReportKind::ended,
                                  ReportKind::resize, ReportKind::force)};
    if (asks_for_gpus(report.kind)) {
        report.gpus = static_cast<std::uint32_t>(below(1'000'000));
    } else if (report.kind != ReportKind::ended) {
        report.step = below(largest);
    }
    if (report.kind == ReportKind::progress) {
        report.epoch = below(largest);
        report.samples = below(largest);
        report.step_seconds = Seconds(static_cast<double>(below(longest)) / 1e9);
        report.gpus = static_cast<std::uint32_t>(below(1'000'000));
        report.nodes = static_cast<std::uint32_t>(below(1'000'000));
        report.noise_scale = below(domain::largest_noise_scale);
        if (*rc::gen::arbitrary<bool>()) {
            report.late = Seconds(static_cast<double>(below(longest)) / 1e9);
        }
    }
    const std::string text = to_text(report);
    RC_ASSERT(text.size() <= longest_report);
    const auto read = read_report(text);
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == report);
}

RC_GTEST_PROP(ReportMessage, NeverAcceptsANumberOutOfBounds, ()) {
    const auto words = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("1", "12", "0", "progress", "ended", "checkpoint", "force",
                                      "-1", "65535", "65536", "4294967295", "1e9", ""));
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : " ") + word;
    }
    if (const auto read = read_report(text)) {
        RC_ASSERT(read->job >= 1u);
        RC_ASSERT(read->restarts <= 0xffffu);
        RC_ASSERT(to_text(*read) == text);
    }
}

TEST(ReportAnswer, SaysOkOrWhyNot) {
    EXPECT_EQ(answer_text({}), "ok");
    EXPECT_TRUE(read_answer("ok"));
    const std::string refusal = answer_text(failure("job 12 is not yours"));
    EXPECT_EQ(refusal, "refused job 12 is not yours");
    ASSERT_FALSE(read_answer(refusal));
    EXPECT_EQ(read_answer(refusal).error().message, "job 12 is not yours");
}

TEST(ReportAnswer, StaysOneShortLine) {
    EXPECT_EQ(answer_text(failure("two\nlines")), "refused two?lines");
    EXPECT_EQ(answer_text(failure("\xc2\x9b\x32J")), "refused ?2J");
    EXPECT_EQ(answer_text(failure(std::string(1000, 'x'))).size(), longest_answer);
    EXPECT_FALSE(read_answer("okay"));
    EXPECT_FALSE(read_answer(""));
    EXPECT_LT(read_answer(std::string(100000, 'x')).error().message.size(), 200u);
}

}  // namespace
}  // namespace hora::slurm
