// What do all pages have in common: the frame, tables, and text that others wrote?
#include "libplanner/report/html/page_frame.hpp"

#include <fmt/format.h>

#include "libplanner/report/html/page_text.hpp"
#include "libplanner/report/text/characters.hpp"

namespace hora::report {
namespace {

std::string row(std::string_view tag, const std::vector<std::string>& cells) {
    std::string text = "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
        // The first cell names its row.
        constexpr std::size_t longest_figure = 24;
        const std::string_view name =
            i == 0 && tag == "td" ? "th scope=\"row\""
            : tag == "td" && characters_of(cells[i]).size() > longest_figure
                ? "td class=\"sentence\""
                : tag;
        text += fmt::format("<{}>{}</{}>", name, escaped_html(cells[i]), name.substr(0, 2));
    }
    return text + "</tr>\n";
}

}  // namespace

std::string escaped_html(std::string_view text) {
    return xml_of(characters_of(text));
}

std::string html_table(std::string_view caption, const std::vector<std::string>& titles,
                       const std::vector<std::vector<std::string>>& rows) {
    std::string text = fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">\n<table>\n"
        "<caption>{0}</caption>\n<thead>\n",
        escaped_html(caption));
    text += row("th scope=\"col\"", titles) + "</thead>\n<tbody>\n";
    for (const auto& cells : rows) {
        text += row("td", cells);
    }
    return text + "</tbody>\n</table>\n</div>\n";
}

std::string framed(std::string_view title, std::string_view body, std::string_view data,
                   std::string_view chart_library, std::string_view script) {
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
        "'unsafe-inline'; style-src 'unsafe-inline'\">\n"
        "<title>{}</title>\n<style>\n",
        escaped_html(title));
    html += page_style;
    html += "</style>\n</head>\n<body>\n<main>\n";
    html += body;
    html += "</main>\n<script type=\"application/json\" id=\"data\">";
    // "</script>" in a name must not end the element.
    for (const char character : data) {
        if (character == '<') {
            html += "\\u003c";
        } else {
            html += character;
        }
    }
    html += "</script>\n<script>\n";
    html += chart_library;
    html += "\n</script>\n<script>\n";
    html += script;
    html += "</script>\n</body>\n</html>\n";
    return html;
}

}  // namespace hora::report
