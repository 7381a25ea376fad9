// How are the figures of one simulation written?
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "libplanner/sim/result.hpp"

namespace hora::report {

void add_figures(nlohmann::ordered_json& object, const sim::Summary& summary);

// How many jobs their time limits ended; a mean of several sets need not be whole.
std::string cut_off_text(const sim::Summary& summary);
// How many jobs each run's time limits ended, a line of its own; empty where no job has a limit.
struct LimitedRun {
    std::string name;
    sim::Summary summary;
};
std::string limit_line(std::span<const LimitedRun> runs);

// Lines of a table, without their ends.
std::string figures_header(std::string_view first);
std::string figures_row(std::string_view name, const sim::Summary& summary);

}  // namespace hora::report
