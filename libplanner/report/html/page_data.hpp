// Which numbers do a page's charts draw?
#pragma once

#include <string>

#include "libplanner/report/html/html_page.hpp"
#include "libplanner/report/html/use_over_time.hpp"

namespace hora::report {

// One JSON object.
std::string page_data(const Page& page);

std::string label_of(const PageRun& run, std::size_t job);
// 0 of no jobs.
Seconds first_submission(const sim::Result& result);

}  // namespace hora::report
