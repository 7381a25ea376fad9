// Which lines, at most three, does a user get on submit?
#pragma once

#include <string>

#include "libplanner/domain/decision.hpp"

namespace hora::report {

// What was chosen and the predicted time; without a plan, why there is none.
std::string summary_of(const domain::Decision& decision);

// Of a decision with a plan: its summary; the runner-up and why not; what to watch out for. In
// "advise" the last line is what to type instead.
std::string notice_of(const domain::Decision& decision, const std::string& summary);

// The same decision on one line, for the log; `job_name` as it is to be shown, in quotes.
std::string log_line(const domain::Decision& decision, const std::string& job_name,
                     const std::string& summary);

}  // namespace hora::report
