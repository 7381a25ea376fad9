// The parts of a page that are the same each time: page.css and page.js, compiled in.
#pragma once

#include <string_view>

namespace hora::report {

extern const std::string_view page_style;
extern const std::string_view page_script;

}  // namespace hora::report
