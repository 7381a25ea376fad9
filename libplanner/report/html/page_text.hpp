// The parts of pages that are the same each time: page.css, page.js and timeline.js, compiled in.
#pragma once

#include <string_view>

namespace hora::report {

extern const std::string_view page_style;
extern const std::string_view page_script;
extern const std::string_view timeline_script;

}  // namespace hora::report
