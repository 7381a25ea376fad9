// One page that shows what became of the jobs: who held which GPUs when, how long jobs took, how
// busy the GPUs were, in figures and in charts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libplanner/sim/result.hpp"

namespace hora::report {

struct PageRun {
    sim::Result result;               // its `policy` is the run's name on the page
    std::vector<std::string> labels;  // by job, as people call it; empty: its number
};

struct PageTable {
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};

struct Page {
    std::string title;
    std::vector<std::string> about;  // one sentence each: what was run, on what
    std::vector<PageRun> runs;       // the first one's chart of GPUs is shown first
    std::vector<PageTable> tables;   // below the charts
};

// HTML that needs nothing but itself: no network, no other file. `chart_library` is the text of
// Chart.js 3. Without a browser that runs it, the tables say the same.
std::string to_html(const Page& page, std::string_view chart_library);

}  // namespace hora::report
