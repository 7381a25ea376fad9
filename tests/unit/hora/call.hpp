// What does one call of a command print, and with which status does it end?
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scripts/hora/command/command.hpp"

namespace hora::tests {

struct Answer {
    scripts::Exit exit = scripts::Exit::done;
    std::string data;
    std::string remarks;
};

// `add`: add_NAME_command(). The first word is the command's name.
inline Answer call(void (*add)(CLI::App&, scripts::Outcome&), std::vector<std::string> words) {
    scripts::Outcome outcome;
    CLI::App app("", "hora");
    add(app, outcome);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    const std::string remarks = testing::internal::GetCapturedStderr();
    return {outcome.exit, testing::internal::GetCapturedStdout(), remarks};
}

}  // namespace hora::tests
