// Is this text an hwloc XML file that this hwloc can be trusted with?
#include "libplanner/read/machine/hwloc_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>

#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

constexpr std::string_view write_one = "write one with 'lstopo --of xml FILE'";

constexpr std::string_view spaces = " \t\r\n";

std::string_view without_spaces_before(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(spaces), text.size()));
}

// The value of name="..." in a tag, with all the spaces and either quotes that XML allows.
std::string_view attribute(std::string_view tag, std::string_view name) {
    for (std::size_t at = 0; (at = tag.find(name, at)) != std::string_view::npos; ++at) {
        std::string_view rest = without_spaces_before(tag.substr(at + name.size()));
        if (at == 0 || spaces.find(tag[at - 1]) == std::string_view::npos ||
            !rest.starts_with('=')) {
            continue;
        }
        rest = without_spaces_before(rest.substr(1));
        if (rest.starts_with('"') || rest.starts_with('\'')) {
            const std::size_t end = rest.find(rest.front(), 1);
            return end == std::string_view::npos ? "" : rest.substr(1, end - 1);
        }
    }
    return "";
}

Expected<void> check_version(std::string_view tag) {
    const std::string_view version = attribute(tag, "version");
    if (version.empty() || version == "1.0" || version.starts_with("2.")) {
        return {};
    }
    if (version.starts_with("3.")) {
        return wrong_use(
            fmt::format("was written by hwloc {}, and this is hwloc 2; write it anew with "
                        "'lstopo --of xml --export-xml-flags v2 FILE'",
                        quoted(version)));
    }
    return wrong_use(fmt::format("is an hwloc XML file of the unknown version {}; {}",
                                 quoted(version), write_one));
}

// Objects whose number is only a name. Firmware gives sockets and cores any, on POWER and ARM
// 4294967295 where it has none, and hwloc 1 numbered devices by their place on the bus.
constexpr std::string_view named_objects[] = {"Package", "Socket", "Die",    "Core",
                                              "Group",   "Bridge", "PCIDev", "OSDev"};

// Numbers that hwloc would make bitmaps of.
bool has_large_index(std::string_view tag) {
    const std::string_view type = attribute(tag, "type");
    const bool is_in_bitmaps = std::find(std::begin(named_objects), std::end(named_objects),
                                         type) == std::end(named_objects);
    const std::string_view index = attribute(tag, "os_index");
    constexpr std::uint64_t most = 1 << 16;
    std::uint64_t value = 0;
    const auto [stop, problem] = std::from_chars(index.data(), index.data() + index.size(), value);
    return is_in_bitmaps && !index.empty() && (problem != std::errc() || value >= most);
}

// hwloc makes bitmaps of these objects' numbers, and takes none for 4294967295, which is half a
// gigabyte each. It knows types by how they begin, in any case: NUMANode and Node, PU.
bool lacks_index(std::string_view tag) {
    const std::string_view type = attribute(tag, "type");
    const bool is_numbered = type.starts_with('N') || type.starts_with('n') ||
                             type.starts_with("PU") || type.starts_with("Pu") ||
                             type.starts_with("pU") || type.starts_with("pu");
    return is_numbered && attribute(tag, "os_index").empty();
}

}  // namespace

Expected<void> check_hwloc_xml(std::string_view xml) {
    if (xml.empty()) {
        return wrong_use(fmt::format("is empty; {}", write_one));
    }
    if (xml.find('\0') != std::string_view::npos) {
        return wrong_use(fmt::format("is no hwloc XML; {}", write_one));
    }
    const std::size_t start = xml.find("<topology");
    if (start == std::string_view::npos) {
        return wrong_use(fmt::format("is no hwloc XML; {}", write_one));
    }
    constexpr int most_levels = 128;
    constexpr std::size_t most_tags = 1 << 19;
    int level = 0;
    std::size_t tags = 0;
    for (std::size_t at = start; (at = xml.find('<', at)) != std::string_view::npos; ++at) {
        const std::size_t end = xml.find('>', at);
        if (end == std::string_view::npos) {
            return wrong_use(fmt::format("breaks off in the middle; {}", write_one));
        }
        const std::string_view tag = xml.substr(at, end - at);
        if (at == start) {
            if (auto good = check_version(tag); !good) {
                return good;
            }
        }
        const bool is_alone = tag.ends_with("/") || tag.starts_with("<!") || tag.starts_with("<?");
        level += tag.starts_with("</") ? -1 : is_alone ? 0 : 1;
        if (level > most_levels || ++tags > most_tags) {
            return wrong_use("is nested too deep or has too many parts for one machine");
        }
        if (has_large_index(tag)) {
            return wrong_use(fmt::format("has an object with the number {}, which none can have",
                                         quoted(attribute(tag, "os_index"))));
        }
        if (lacks_index(tag)) {
            return wrong_use(fmt::format("has an object {} without os_index; {}",
                                         quoted(attribute(tag, "type")), write_one));
        }
        at = end;
    }
    return level == 0 ? Expected<void>()
                      : wrong_use(fmt::format("breaks off in the middle; {}", write_one));
}

}  // namespace hora::read
