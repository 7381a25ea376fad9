// What do all pages have in common: the frame, tables, and text that others wrote?
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hora::report {

// For use as text or within an attribute's double quotes.
std::string escaped_html(std::string_view text);

// The first cell of a row names it.
std::string html_table(std::string_view caption, const std::vector<std::string>& titles,
                       const std::vector<std::vector<std::string>>& rows);

// A page that needs nothing but itself: no network, no other file. `body` is HTML, `data` the JSON
// that the script finds in the element "data"; `chart_library` is the text of Chart.js 3.
std::string framed(std::string_view title, std::string_view body, std::string_view data,
                   std::string_view chart_library, std::string_view script);

}  // namespace hora::report
