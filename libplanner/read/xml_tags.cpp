// Which tags does a small XML text have, one after the other?
#include "libplanner/read/xml_tags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view name_ends = " \t\r\n=/<>\"'";

std::string resolved(std::string_view value) {
    constexpr std::array<std::pair<std::string_view, char>, 5> entities = {
        {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}}};
    std::string text;
    while (!value.empty()) {
        const auto entity = std::find_if(entities.begin(), entities.end(), [&](const auto& one) {
            return value.starts_with(one.first);
        });
        text += entity == entities.end() ? value.front() : entity->second;
        value.remove_prefix(entity == entities.end() ? 1 : entity->first.size());
    }
    return text;
}

}  // namespace

std::string_view XmlTag::value(std::string_view key) const {
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const auto& one) { return one.first == key; });
    return found == attributes.end() ? std::string_view() : std::string_view(found->second);
}

tl::unexpected<Error> XmlTags::problem(std::string_view what) const {
    return wrong_use(fmt::format("line {}: {}", line_, what));
}

void XmlTags::advance(std::size_t count) {
    const std::string_view passed = text_.substr(0, count);
    line_ += static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n'));
    text_.remove_prefix(passed.size());
}

void XmlTags::skip_blanks() {
    advance(std::min(text_.find_first_not_of(blanks), text_.size()));
}

std::string_view XmlTags::take_name() {
    const std::string_view name = text_.substr(0, text_.find_first_of(name_ends));
    advance(name.size());
    return name;
}

Expected<void> XmlTags::skip_past(std::string_view end, std::string_view what) {
    const std::size_t at = text_.find(end);
    if (at == text_.npos) {
        return problem(fmt::format("a {} has no end", what));
    }
    advance(at + end.size());
    return {};
}

// True at a tag's '<', false at the end of the text.
Expected<bool> XmlTags::skip_to_tag() {
    for (;;) {
        const std::size_t at = text_.find('<');
        if (at == text_.npos) {
            return false;
        }
        advance(at);
        Expected<void> skipped;
        if (text_.starts_with("<!--")) {
            skipped = skip_past("-->", "comment");
        } else if (text_.starts_with("<?")) {
            skipped = skip_past("?>", "prolog");
        } else if (text_.starts_with("<!")) {
            skipped = skip_past(">", "declaration");
        } else {
            return true;
        }
        if (!skipped) {
            return unexpected(skipped.error());
        }
    }
}

Expected<void> XmlTags::take_attributes(XmlTag& tag) {
    for (skip_blanks(); !text_.empty() && text_.front() != '>' && text_.front() != '/';
         skip_blanks()) {
        const std::string_view key = take_name();
        skip_blanks();
        if (text_.empty()) {
            break;  // the caller says that the tag has no end
        }
        if (key.empty() || !text_.starts_with('=')) {
            return problem(
                fmt::format("tag {} has something that is no attribute", quoted(tag.name)));
        }
        advance(1);
        skip_blanks();
        const char mark = text_.empty() ? '\0' : text_.front();
        const std::size_t end =
            mark == '"' || mark == '\'' ? text_.find(mark, 1) : std::string_view::npos;
        if (end == text_.npos) {
            return problem(fmt::format("attribute {} has no value in quotes", quoted(key)));
        }
        if (tag.attributes.size() == most_attributes) {
            return problem(fmt::format("tag {} has more than {} attributes", quoted(tag.name),
                                       most_attributes));
        }
        tag.attributes.emplace_back(key, resolved(text_.substr(1, end - 1)));
        advance(end + 1);
    }
    return {};
}

Expected<void> XmlTags::nest(const XmlTag& tag) {
    if (tag.opens) {
        if (open_.empty() && has_ended_) {
            return problem("there is something behind the outermost tag");
        }
        if (open_.size() == most_depth) {
            return problem(fmt::format("tags nest more than {} deep", most_depth));
        }
        open_.push_back(tag.name);
    }
    if (tag.closes) {
        if (open_.empty() || open_.back() != tag.name) {
            return problem(fmt::format("tag {} ends where {} is open", quoted(tag.name),
                                       open_.empty() ? "none" : quoted(open_.back())));
        }
        open_.pop_back();
        has_ended_ = open_.empty();
    }
    return {};
}

Expected<std::optional<XmlTag>> XmlTags::next() {
    const auto is_there = skip_to_tag();
    if (!is_there) {
        return unexpected(is_there.error());
    }
    if (!*is_there) {
        return open_.empty() && has_ended_
                   ? Expected<std::optional<XmlTag>>(std::nullopt)
                   : problem(open_.empty()
                                 ? std::string("there is no tag")
                                 : fmt::format("tag {} is never closed", quoted(open_.back())));
    }
    advance(1);
    XmlTag tag;
    tag.line = line_;
    tag.opens = !text_.starts_with('/');
    tag.closes = !tag.opens;
    advance(tag.opens ? 0 : 1);
    tag.name = take_name();
    if (tag.name.empty()) {
        return problem("a tag has no name");
    }
    if (auto taken = take_attributes(tag); !taken) {
        return unexpected(taken.error());
    }
    if (tag.opens && text_.starts_with('/')) {
        tag.closes = true;
        advance(1);
    }
    if (!text_.starts_with('>')) {
        return problem(fmt::format("tag {} has no end", quoted(tag.name)));
    }
    advance(1);
    if (auto nested = nest(tag); !nested) {
        return unexpected(nested.error());
    }
    return tag;
}

}  // namespace hora::read
