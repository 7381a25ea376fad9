// What is the user told on submit? At most three lines.
#pragma once

#include <string>

#include "libplanner/domain/decision.hpp"

namespace hora::submit {

// What was chosen and the predicted time; the runner-up and why not; what to watch out for. In
// "advise" the last line is what to type instead. Empty where there is nothing to say.
std::string notice_of(const domain::Decision& decision);

// The same decision on one line, for the log.
std::string log_line(const domain::Decision& decision, const std::string& job_name);

}  // namespace hora::submit
