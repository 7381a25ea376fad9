// What a picture holds, read back as XML.
#pragma once

#include <gtest/gtest.h>

#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/report/svg/svg_canvas.hpp"

namespace hora::report {

class Drawn {
  public:
    explicit Drawn(const SvgCanvas& canvas) {
        const std::string text = canvas.document(600, 400, "title", "description");
        const pugi::xml_parse_result result = document_.load_buffer(text.data(), text.size());
        EXPECT_TRUE(result) << result.description() << "\n" << text;
    }

    pugi::xml_node root() const { return document_.child("svg"); }
    // Of the groups of that name, in the order in which they are drawn.
    std::vector<pugi::xml_node> groups(std::string_view name) const {
        std::vector<pugi::xml_node> found;
        for (const pugi::xml_node& group : root().children("g")) {
            if (group.attribute("class").value() == name) {
                found.push_back(group);
            }
        }
        return found;
    }
    std::vector<std::string> titles(std::string_view name) const {
        std::vector<std::string> titles;
        for (const pugi::xml_node& group : groups(name)) {
            titles.emplace_back(group.child_value("title"));
        }
        return titles;
    }
    // Of a group, or of all that is in none.
    static std::vector<std::string> texts(const pugi::xml_node& group) {
        std::vector<std::string> texts;
        for (const pugi::xml_node& text : group.children("text")) {
            texts.emplace_back(text.child_value());
        }
        return texts;
    }

  private:
    pugi::xml_document document_;
};

}  // namespace hora::report
