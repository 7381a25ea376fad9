// Is a call that cannot be understood answered in one line that says what was meant?
#include "scripts/hora/command/command.hpp"

#include <gtest/gtest.h>

namespace hora::scripts {
namespace {

template <class Call>
std::string printed(Call call) {
    testing::internal::CaptureStderr();
    call();
    return testing::internal::GetCapturedStderr();
}

TEST(Command, PrintsARemarkOnOneLine) {
    const struct {
        const char* name;
        std::string text;
        std::string line;
    } cases[] = {
        {"as it is", "2 jobs left out", "2 jobs left out"},
        {"nothing", "", ""},
        {"a name that begins a line of its own", "/tmp/a\nhora: done: bad",
         "/tmp/a?hora: done: bad"},
        {"what moves a terminal's cursor", "\x1b[2J\x7f\xc2\x9b 1", "?[2J?? 1"},
        {"a letter beyond ASCII", "j\xc3\xbcrgen", "j\xc3\xbcrgen"},
        {"long", std::string(5000, 'x'), std::string(5000, 'x')},
    };
    for (const auto& each : cases) {
        EXPECT_EQ(printed([&] { print_remark(each.text); }), "hora: " + each.line + "\n")
            << each.name;
    }
}

TEST(Command, ReportsAnErrorAndItsExitCode) {
    const struct {
        Error error;
        Exit exit;
    } cases[] = {{{"a\nb", ErrorKind::wrong_use}, Exit::wrong_use},
                 {{"a\nb", ErrorKind::failed}, Exit::failed}};
    for (const auto& each : cases) {
        Exit exit = Exit::done;
        EXPECT_EQ(printed([&] { exit = report(each.error); }), "hora: a?b\n");
        EXPECT_EQ(exit, each.exit);
    }
}

// "hora plan --batch N", "hora config check FILE", "hora secret"
std::string answer_to(const std::vector<std::string>& arguments) {
    CLI::App app("", "hora");
    app.require_subcommand(1);
    CLI::App& plan = *app.add_subcommand("plan");
    int batch = 0;
    plan.add_option("--batch", batch)->required();
    CLI::App& config = *app.add_subcommand("config");
    config.require_subcommand(1);
    std::string file;
    config.add_subcommand("check")->add_option("FILE", file);
    app.add_subcommand("secret")->group("");
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    try {
        app.parse(reversed);
    } catch (const CLI::ParseError& error) {
        return printed([&] { EXPECT_EQ(report(app, error), Exit::wrong_use); });
    }
    return "parsed";
}

TEST(Command, SaysWhatOfACallIsWrong) {
    const struct {
        std::vector<std::string> arguments;
        std::string line;
        const char* help;
    } cases[] = {
        {{}, "no command given; say one of plan, config", "hora"},
        {{"config"}, "no command given; say one of check", "hora config"},
        {{"plam"}, "unknown command \"plam\"; did you mean \"plan\"?", "hora"},
        {{"a\nb"}, "unknown command \"a?b\"", "hora"},
        {{"plan", "--bach=8"}, "unknown option \"--bach\"; did you mean \"--batch\"?", "hora plan"},
        {{"plan", "--batch", "8", "9"}, "unexpected argument \"9\"", "hora plan"},
        {{"plan", "--batch"}, "--batch needs a value", "hora plan"},
        {{"plan", "--batch", "8", "--batch", "9"},
         "--batch is there more than once; give it once",
         "hora plan"},
        {{"plan"}, "--batch is required", "hora plan"},
        {{"--json", "config", "check", "x"},
         "\"--json\" stands before the command; options follow 'hora config check'",
         "hora config check"},
    };
    for (const auto& each : cases) {
        EXPECT_EQ(answer_to(each.arguments),
                  "hora: " + each.line + "\nhora: see '" + each.help + " --help'\n");
    }
    EXPECT_EQ(answer_to({"plan", "--batch", "8"}), "parsed");
    EXPECT_EQ(answer_to({"secret"}), "parsed");
}

TEST(Command, TakesANumberWhole) {
    const struct {
        const char* text;
        std::optional<double> number;
    } cases[] = {{"1", 1},
                 {"-2.5e3", -2500},
                 {"0", 0},
                 {"", std::nullopt},
                 {"1 ", std::nullopt},
                 {" 1", std::nullopt},
                 {"1x", std::nullopt},
                 {"+1", std::nullopt},
                 {"0x10", std::nullopt},
                 {"1e999", std::nullopt}};
    for (const auto& each : cases) {
        EXPECT_EQ(number_in(each.text), each.number) << each.text;
    }
}

TEST(Command, ChecksValues) {
    const struct {
        const char* name;
        Check check;
        const char* value;
        std::string problem;
    } cases[] = {
        {"between", number_between(0, 1), "0", ""},
        {"between", number_between(0, 1), "1", ""},
        {"between", number_between(0, 1), "1.001", "\"1.001\" is no number from 0 to 1"},
        {"between", number_between(0, 1), "nan", "\"nan\" is no number from 0 to 1"},
        {"between", number_between(0, 1), "a\nb", "\"a?b\" is no number from 0 to 1"},
        {"zero or", zero_or_between(2, 3), "0", ""},
        {"zero or", zero_or_between(2, 3), "3", ""},
        {"zero or", zero_or_between(2, 3), "1", "\"1\" is neither 0 nor a number from 2 to 3"},
        {"zero or", zero_or_between(2, 3), "", "\"\" is neither 0 nor a number from 2 to 3"},
        {"count", count_up_to(5), "1", ""},
        {"count", count_up_to(5), "5", ""},
        {"not empty", not_empty, "x", ""},
        {"not empty", not_empty, "", "is empty"},
        {"one of", one_of({"ring", "tree"}), "tree", ""},
        {"one of", one_of({"ring", "tree"}), "tre",
         "\"tre\" is none of ring, tree; did you mean \"tree\"?"},
    };
    for (const auto& each : cases) {
        EXPECT_EQ(each.check(each.value), each.problem) << each.name << " " << each.value;
    }
    for (const char* const decimal : {"010", "0010", "10"}) {
        std::string text = decimal;
        EXPECT_EQ(count_up_to(10)(text), "");
        EXPECT_EQ(text, "10") << decimal;
    }
    for (const char* const wrong : {"0", "6", "-1", "1.0", "", "99999999999999999999"}) {
        EXPECT_NE(count_up_to(5)(wrong), "") << wrong;
    }
}

}  // namespace
}  // namespace hora::scripts
