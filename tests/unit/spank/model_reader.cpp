#include "plugins/spank/model_reader.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace hora::spank {
namespace {

constexpr const char* reader = "/libexec/hora-read-model";

struct Case {
    const char* sentence;
    RunResult result;
    ModelVerdict verdict;
    std::string message;
};

const Case cases[] = {
    {"a workload", {RunEnd::exited, 0, "2.fp32.m1.1.1\n", ""}, ModelVerdict::good, ""},
    {"a wrong model is the user's to mend",
     {RunEnd::exited, 2, "", "hora: unknown model \"x\"\nmore\n"},
     ModelVerdict::refused,
     "unknown model \"x\""},
    {"no escape sequence reaches the terminal",
     {RunEnd::exited, 2, "", "bad \x1b[2J\n"},
     ModelVerdict::refused,
     "bad ?[2J"},
    {"a missing helper is not the user's fault",
     {RunEnd::not_started, ENOENT, "", ""},
     ModelVerdict::no_reader,
     "cannot start \"/libexec/hora-read-model\": No such file or directory"},
    {"nor is a crash",
     {RunEnd::ended_by_signal, 11, "", ""},
     ModelVerdict::no_reader,
     "\"/libexec/hora-read-model\" was ended by signal 11"},
    {"nor is a slow one",
     {RunEnd::took_too_long, 0, "", ""},
     ModelVerdict::no_reader,
     "\"/libexec/hora-read-model\" took too long"},
    {"nor is a talkative one",
     {RunEnd::printed_too_much, 0, "", ""},
     ModelVerdict::no_reader,
     "\"/libexec/hora-read-model\" printed too much"},
    {"nor is an unknown exit code",
     {RunEnd::exited, 127, "", "x"},
     ModelVerdict::no_reader,
     "\"/libexec/hora-read-model\" failed with exit code 127"},
    {"a refusal without a reason is none",
     {RunEnd::exited, 2, "", ""},
     ModelVerdict::no_reader,
     "\"/libexec/hora-read-model\" failed with exit code 2"},
};

TEST(ModelReader, TellsTheUsersMistakeFromHoras) {
    for (const Case& test : cases) {
        const ModelAnswer answer = judge(reader, test.result);
        EXPECT_EQ(answer.verdict, test.verdict) << test.sentence;
        EXPECT_EQ(answer.message, test.message) << test.sentence;
    }
}

TEST(ModelReader, HandsOnTheFirstRemarkOfHoras) {
    const struct {
        const char* sentence;
        const char* errors;
        const char* remark;
    } rows[] = {
        {"none", "", ""},
        {"one", "hora: it is counted as one sample\n", "it is counted as one sample"},
        {"the first of two", "hora: one\nhora: two\n", "one"},
        {"without its end", "hora: one", "one"},
        {"what a library or a container says is no remark", "INFO: starting\nhora: one\n", "one"},
        {"and nothing else is", "INFO: starting\n\nhora", ""},
        {"no escape sequence reaches the terminal", "hora: \x1b[2J\n", "?[2J"},
    };
    for (const auto& row : rows) {
        const ModelAnswer answer =
            judge(reader, {RunEnd::exited, 0, "2.fp32.m1.1.1\n", row.errors});
        EXPECT_EQ(answer.verdict, ModelVerdict::good) << row.sentence;
        EXPECT_EQ(answer.remark, row.remark) << row.sentence;
        EXPECT_EQ(answer.message, "") << row.sentence;
    }
    std::string line("hora: ");
    line.resize(8000, 'x');
    const std::string cut = judge(reader, {RunEnd::exited, 0, "2.fp32.m1.1.1\n", line}).remark;
    EXPECT_EQ(cut.size(), 515U) << "a long one is cut";
    EXPECT_TRUE(cut.ends_with("x..."));
}

TEST(ModelReader, TakesNoTextThatTheControllerWouldRefuse) {
    const ModelAnswer answer = judge(reader, {RunEnd::exited, 0, "hello\n", ""});
    EXPECT_EQ(answer.verdict, ModelVerdict::no_reader);
    EXPECT_TRUE(answer.workload.empty());
}

TEST(ModelReader, KeepsAModelFromPassingAsAnOption) {
    const std::vector<std::string> words{reader, "--dtype", "bf16", "--", "--help"};
    EXPECT_EQ(reader_call(reader, "--help", "bf16"), words);
}

}  // namespace
}  // namespace hora::spank
