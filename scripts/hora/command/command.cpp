// What every `hora` command shares: where it puts data, how it fails.
#include "scripts/hora/command/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <utility>

#include "libplanner/base/lower_case.hpp"
#include "libplanner/base/nearest.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/whole_number.hpp"

namespace hora::scripts {
namespace {

// The subcommand that was meant, as far as it was understood.
const CLI::App& innermost(const CLI::App& app) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    return chosen.empty() ? app : innermost(*chosen.front());
}

// What stands before the command itself: "--json" of "hora --json models".
std::string stray_before(const CLI::App& command) {
    for (const CLI::App* one = command.get_parent(); one != nullptr; one = one->get_parent()) {
        const std::vector<std::string> stray = one->remaining();
        if (!stray.empty()) {
            return stray.front();
        }
    }
    return {};
}

// "hora config check"
std::string path_of(const CLI::App& app) {
    const CLI::App* const parent = app.get_parent();
    return parent == nullptr ? app.get_name() : path_of(*parent) + " " + app.get_name();
}

std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* const option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

std::vector<std::string> command_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::App* const one :
         command.get_subcommands([](const CLI::App*) { return true; })) {
        if (!one->get_group().empty()) {
            names.push_back(one->get_name());
        }
    }
    return names;
}

std::string unknown_name(std::string_view what, std::string_view name,
                         const std::vector<std::string>& known) {
    return fmt::format(
        "unknown {} {}{}", what, read::quoted(name),
        did_you_mean(name, std::vector<std::string_view>(known.begin(), known.end())));
}

// What was typed and is not known; empty where nothing is.
std::string stray_problem(const CLI::App& command) {
    const std::vector<std::string> stray = command.remaining();
    const auto is_option = [](const std::string& text) { return text.starts_with("--"); };
    const auto word = std::find_if_not(stray.begin(), stray.end(), is_option);
    const std::vector<std::string> commands = command_names(command);
    if (word != stray.end() && !commands.empty()) {
        return unknown_name("command", *word, commands);
    }
    const auto option = std::find_if(stray.begin(), stray.end(), is_option);
    if (option != stray.end()) {
        return unknown_name("option", option->substr(0, option->find('=')), option_names(command));
    }
    return word == stray.end() ? std::string()
                               : fmt::format("unexpected argument {}", read::quoted(*word));
}

// CLI11 starts its sentences with a capital, after the option's name if there is one.
std::string lowered(std::string text) {
    const std::size_t colon = text.starts_with('-') ? text.find(": ") : std::string::npos;
    char& first = text[colon == std::string::npos ? 0 : colon + 2];
    first = lower_case(first);
    return text;
}

// "--cluster: At Most 1 required but received 2", "--model: 1 required NAME missing"
std::string mismatch(std::string_view text) {
    const bool is_surplus = text.find("received") != std::string_view::npos;
    return fmt::format("{} {}", text.substr(0, text.find(':')),
                       is_surplus ? "is there more than once; give it once" : "needs a value");
}

std::string problem_of(const CLI::App& command, const CLI::ParseError& error) {
    const int code = error.get_exit_code();
    const bool is_lacking = code == static_cast<int>(CLI::ExitCodes::RequiredError);
    if (is_lacking || code == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
        if (std::string problem = stray_problem(command); !problem.empty()) {
            return problem;
        }
    }
    const std::string before = stray_before(command);
    if (code == static_cast<int>(CLI::ExitCodes::ExtrasError) && !before.empty()) {
        return fmt::format("{} stands before the command; options follow '{}'",
                           read::quoted(before), path_of(command));
    }
    if (code == static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) {
        return mismatch(error.what());
    }
    const std::vector<std::string> commands = command_names(command);
    return is_lacking && !commands.empty()
               ? fmt::format("no command given; say one of {}", fmt::join(commands, ", "))
               : lowered(error.what());
}

}  // namespace

std::optional<double> number_in(const std::string& text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, value);
    return problem == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

void print_data(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_remark(std::string_view text) {
    fmt::print(stderr, "hora: {}\n", read::printable(text, text.size()));
}

Exit report(const Error& error) {
    print_remark(error.message);
    return error.kind == ErrorKind::wrong_use ? Exit::wrong_use : Exit::failed;
}

Exit print(const Expected<std::string>& text) {
    if (!text) {
        return report(text.error());
    }
    print_data(*text);
    return Exit::done;
}

Exit report(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& command = innermost(app);
    print_remark(problem_of(command, error));
    print_remark(fmt::format("see '{} --help'", path_of(command)));
    return Exit::wrong_use;
}

Check number_between(double least, double most) {
    return [least, most](const std::string& text) -> std::string {
        const auto value = number_in(text);
        return value && *value >= least && *value <= most
                   ? std::string()
                   : fmt::format("{} is no number from {} to {}", read::quoted(text), least, most);
    };
}

Check zero_or_between(double least, double most) {
    return [least, most](const std::string& text) -> std::string {
        const auto value = number_in(text);
        return value && (*value == 0 || (*value >= least && *value <= most))
                   ? std::string()
                   : fmt::format("{} is neither 0 nor a number from {} to {}", read::quoted(text),
                                 least, most);
    };
}

CLI::Validator count_up_to(std::uint64_t most) {
    const auto rewrite = [most](std::string& text) {
        const auto count = read::parse_whole_number(text, {.min = 1, .max = most});
        if (!count) {
            return count.error().message;
        }
        text = std::to_string(*count);
        return std::string();
    };
    return {rewrite, ""};
}

std::string not_empty(const std::string& value) {
    return value.empty() ? "is empty" : "";
}

std::string file_beside_stdout(const std::string& value) {
    return value == "-" ? "\"-\" is no file name here, since standard output has the figures; say "
                          "/dev/stdout to have both there, or ./- for a file of that name"
                        : not_empty(value);
}

Check one_of(std::vector<std::string_view> known) {
    return [known = std::move(known)](const std::string& text) {
        return std::find(known.begin(), known.end(), text) != known.end()
                   ? std::string()
                   : fmt::format("{} is none of {}{}", read::quoted(text), fmt::join(known, ", "),
                                 did_you_mean(text, known));
    };
}

}  // namespace hora::scripts
