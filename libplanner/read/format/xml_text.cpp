// What is in a small XML text, and in which line? Parsed by pugixml.
#include "libplanner/read/format/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace hora::read {
namespace {

// pugixml itself takes any number of them.
bool has_more_than_one(const pugi::xml_node& document) {
    return document.first_child() != document.last_child();
}

// The first element that is too deep; none: an empty one.
pugi::xml_node too_deep(const pugi::xml_document& document) {
    struct Walker : pugi::xml_tree_walker {
        bool for_each(pugi::xml_node& element) override {
            constexpr int outermost = 2;  // pugixml counts what is in it from 0
            const bool is_too_deep = depth() + outermost > static_cast<int>(XmlText::most_depth);
            found = is_too_deep ? element : found;
            return found.empty();
        }
        pugi::xml_node found;
    };
    Walker walker;
    document.document_element().traverse(walker);
    return walker.found;
}

}  // namespace

Expected<XmlText> XmlText::parse(std::string_view text) {
    if (text.size() > most_bytes) {
        return wrong_use(fmt::format("is larger than {} bytes", most_bytes));
    }
    XmlText xml;
    // Where the text ends is still in its last line.
    const std::string_view lines = text.substr(0, text.find_last_not_of('\n') + 1);
    for (std::size_t at = 0; (at = lines.find('\n', at)) != lines.npos; ++at) {
        xml.line_ends_.push_back(static_cast<std::ptrdiff_t>(at));
    }
    const auto problem = [&](std::size_t line, std::string_view what) {
        return wrong_use(fmt::format("line {}: is no XML: {}", line, what));
    };
    const auto parsed = xml.document_.load_buffer(text.data(), text.size(), pugi::parse_default,
                                                  pugi::encoding_utf8);
    if (!parsed) {
        return problem(xml.line_at(parsed.offset), parsed.description());
    }
    if (has_more_than_one(xml.document_)) {
        return problem(xml.line_of(xml.document_.last_child()),
                       "there is something behind the outermost element");
    }
    if (const auto element = too_deep(xml.document_)) {
        return problem(xml.line_of(element),
                       fmt::format("elements nest more than {} deep", most_depth));
    }
    return xml;
}

std::size_t XmlText::line_of(const pugi::xml_node& element) const {
    return line_at(element.offset_debug());
}

std::size_t XmlText::line_at(std::ptrdiff_t offset) const {
    const auto place = std::lower_bound(line_ends_.begin(), line_ends_.end(), offset);
    return 1 + static_cast<std::size_t>(place - line_ends_.begin());
}

}  // namespace hora::read
