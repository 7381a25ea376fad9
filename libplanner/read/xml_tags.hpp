// Which tags does a small XML text have, one after the other?
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::read {

struct XmlTag {
    std::string_view name;
    bool opens = false;   // <a> and <a/>
    bool closes = false;  // </a> and <a/>
    std::size_t line = 0;
    std::vector<std::pair<std::string_view, std::string>> attributes;  // values with & resolved

    // Empty where it is not there.
    std::string_view value(std::string_view key) const;
};

// Prolog, comments and text between tags are passed over; tags nest, at most `most_depth` deep, and
// there is one outermost. Names stay valid as long as the text. Reads each character once.
class XmlTags {
  public:
    explicit XmlTags(std::string_view text) : text_(text) {}

    // The next tag; empty at the end. On failure: the line and what is wrong there.
    Expected<std::optional<XmlTag>> next();

    static constexpr std::size_t most_depth = 64;
    static constexpr std::size_t most_attributes = 64;

  private:
    Expected<bool> skip_to_tag();
    Expected<void> skip_past(std::string_view end, std::string_view what);
    Expected<void> take_attributes(XmlTag& tag);
    Expected<void> nest(const XmlTag& tag);
    void advance(std::size_t count);
    void skip_blanks();
    std::string_view take_name();
    tl::unexpected<Error> problem(std::string_view what) const;

    std::string_view text_;
    std::size_t line_ = 1;
    std::vector<std::string_view> open_;
    bool has_ended_ = false;
};

}  // namespace hora::read
