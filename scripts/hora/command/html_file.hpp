// How does a page get into a file, with the chart library inside it?
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/report/html/html_page.hpp"

namespace hora::scripts {

// Whole or not at all; "-" is standard output. Fails where the chart library that configure found
// is not installed.
Expected<void> write_html(const report::Page& page, const std::string& path);
// Likewise what is made of the library's text.
Expected<void> write_html(const std::function<Expected<std::string>(std::string_view)>& page,
                          const std::string& path);

}  // namespace hora::scripts
