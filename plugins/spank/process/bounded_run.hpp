// What does a program print, within bounds of time and length?
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hora::spank {

struct RunBounds {
    std::chrono::milliseconds time{10'000};
    std::size_t output = 8192;  // of stdout, and of stderr
};

enum class RunEnd {
    exited,
    not_started,
    ended_by_signal,
    took_too_long,
    printed_too_much,
    status_unknown,  // another part of the process has waited for it
};

struct RunResult {
    RunEnd end = RunEnd::not_started;
    int code = 0;  // exit status, signal, or errno where it was not started
    std::string output;
    std::string errors;
};

// Runs words[0] (a path) with the caller's rights and environment, and without input. Has always
// ended the program when it returns.
RunResult run_bounded(const std::vector<std::string>& words, RunBounds bounds);

// Of one that did not do what it should, in words for a person.
std::string trouble_of(const std::string& program, const RunResult& result);

// The first line of what it said, without the prefix of Hora's programs, and as it may be printed.
std::string first_line(std::string_view text);

}  // namespace hora::spank
