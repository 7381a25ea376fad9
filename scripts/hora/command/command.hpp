// What every `hora` command shares: where it puts data, how it fails.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::scripts {

// 0 done, 1 failed, 2 usage error, 3 nothing fits.
enum class Exit { done = 0, failed = 1, wrong_use = 2, nothing_fits = 3 };

// Data goes to stdout, remarks to stderr.
void print_data(std::string_view text);
// "hora: TEXT" on one line: control characters, of a file's name or what somebody else wrote,
// become '?'.
void print_remark(std::string_view text);
// Prints "hora: <message>" and returns the exit code that goes with the error.
Exit report(const Error& error);
// Data, or why there are none; returns the exit code.
Exit print(const Expected<std::string>& text);
// What a call that cannot be parsed says, with the nearest known name and the help to look at.
Exit report(const CLI::App& app, const CLI::ParseError& error);

// Empty where the whole of it is not one number.
std::optional<double> number_in(const std::string& text);

// For an option's check(): each gives an empty text for a good value, else what is wrong with it.
using Check = std::function<std::string(const std::string&)>;
Check number_between(double least, double most);
Check zero_or_between(double least, double most);
// For transform(): CLI11 would take "010" for 8.
CLI::Validator count_up_to(std::uint64_t most);
constexpr std::uint64_t most_count = std::uint64_t{1} << 53;  // any JSON reader has it
std::string not_empty(const std::string& value);
// Of a file that is written beside what goes to standard output: neither empty nor -.
std::string file_beside_stdout(const std::string& value);
Check one_of(std::vector<std::string_view> known);

// What a command's callback leaves behind for main().
struct Outcome {
    Exit exit = Exit::done;
};

// Each command adds its subcommand, options and callback; app and outcome outlive the parse.

}  // namespace hora::scripts
