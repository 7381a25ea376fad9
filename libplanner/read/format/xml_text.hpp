// What is in a small XML text, and in which line? Parsed by pugixml.
#pragma once

#include <cstddef>
#include <pugixml.hpp>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::read {

class XmlText {
  public:
    static constexpr std::size_t most_bytes = std::size_t{4} << 20;
    static constexpr std::size_t most_depth = 64;

    // One outermost element, and elements at most `most_depth` deep. On failure: the line and what
    // is wrong there, "line 3: is no XML: ...", or that it is too large.
    static Expected<XmlText> parse(std::string_view text);

    // The outermost element; valid as long as this object.
    pugi::xml_node root() const { return document_.document_element(); }
    // From 1.
    std::size_t line_of(const pugi::xml_node& element) const;

  private:
    std::size_t line_at(std::ptrdiff_t offset) const;

    pugi::xml_document document_;
    std::vector<std::ptrdiff_t> line_ends_;  // ascending
};

}  // namespace hora::read
