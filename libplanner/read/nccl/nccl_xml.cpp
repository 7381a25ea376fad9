// Would NCCL understand a file that is to be its NCCL_TOPO_FILE?
#include "libplanner/read/nccl/nccl_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>

#include "libplanner/read/pci_address.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/xml_tags.hpp"

namespace hora::read {
namespace {

constexpr std::size_t most_problems = 64;
constexpr std::size_t most_text = std::size_t{4} << 20;

// A tag that is open.
struct Open {
    std::string_view name;
    std::size_t line = 0;
    std::size_t children = 0;
    bool is_bridge = false;
    std::optional<domain::PciAddress> address;
};

class Checker {
  public:
    explicit Checker(std::string_view text) : text_(text), tags_(text) {}

    std::vector<NcclXmlProblem> check();

  private:
    void check_characters();
    void check_tags();
    void open(const XmlTag& tag);
    void close();
    void check_place(const XmlTag& tag);
    void check_limits(const XmlTag& tag);
    void check_system(const XmlTag& tag);
    void check_cpu(const XmlTag& tag);
    void check_pci(const XmlTag& tag);
    void require(const XmlTag& tag, std::string_view attribute);
    void report(std::size_t line, std::string what) {
        if (problems_.size() < most_problems) {
            problems_.push_back({line, std::move(what)});
        }
    }

    std::string_view text_;
    XmlTags tags_;
    std::vector<Open> way_;
    std::size_t nodes_ = 0;
    std::map<std::string, std::size_t, std::less<>> lines_of_;  // by bus id, and by numaid
    std::vector<NcclXmlProblem> problems_;
};

bool has(const XmlTag& tag, std::string_view attribute) {
    return std::any_of(tag.attributes.begin(), tag.attributes.end(),
                       [&](const auto& one) { return one.first == attribute; });
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                      : std::nullopt;
}

void Checker::require(const XmlTag& tag, std::string_view attribute) {
    if (tag.value(attribute).empty()) {
        report(tag.line, fmt::format("<{}> has no {}", tag.name, attribute));
    }
}

void Checker::check_characters() {
    std::size_t line = 1;
    bool is_told = false;
    for (std::size_t i = 0; i < text_.size(); ++i) {
        line += text_[i] == '\n' ? 1 : 0;
        is_told = is_told && text_[i] != '\n';
        if (text_[i] == '\t' && !is_told) {
            is_told = true;
            report(line, "has a TAB, which NCCL cannot read; use blanks");
        }
        const std::string_view rest = text_.substr(i, 4);
        if (rest.starts_with("<?") || (rest.starts_with("<!") && rest != "<!--")) {
            report(line, "has a prolog or declaration, which NCCL cannot read; leave it out");
        }
    }
}

void Checker::check_limits(const XmlTag& tag) {
    if (++nodes_ == most_nccl_nodes + 1) {
        report(tag.line, fmt::format("more than {} tags", most_nccl_nodes));
    }
    if (tag.attributes.size() > most_nccl_attributes) {
        report(tag.line,
               fmt::format("<{}> has more than {} attributes", tag.name, most_nccl_attributes));
    }
    for (const auto& [key, value] : tag.attributes) {
        if (value.size() > longest_nccl_value) {
            report(tag.line, fmt::format("the value of {} is longer than {} characters", key,
                                         longest_nccl_value));
        }
    }
    if (!way_.empty() && ++way_.back().children == most_nccl_children + 1) {
        report(tag.line,
               fmt::format("<{}> has more than {} children", way_.back().name, most_nccl_children));
    }
}

void Checker::check_place(const XmlTag& tag) {
    const std::string_view around = way_.empty() ? "" : way_.back().name;
    if (tag.name == "gpu" || tag.name == "nic" || tag.name == "net") {
        report(tag.line, fmt::format("has a <{}>; NCCL writes these itself, and a stale one counts "
                                     "for more than what it finds",
                                     tag.name));
        return;
    }
    const std::string_view wanted = tag.name == "system"                      ? ""
                                    : tag.name == "cpu"                       ? "system"
                                    : tag.name == "pci" && around != "system" ? around
                                                                              : "cpu";
    if (tag.name != "system" && tag.name != "cpu" && tag.name != "pci") {
        report(tag.line, fmt::format("NCCL knows no tag <{}>", tag.name));
    } else if (around != wanted || (tag.name == "pci" && around != "cpu" && around != "pci")) {
        report(tag.line, fmt::format("<{}> stands {}", tag.name,
                                     around.empty() ? "outside of everything"
                                                    : fmt::format("in <{}>", around)));
    }
}

void Checker::check_system(const XmlTag& tag) {
    if (tag.value("version") != "1") {
        report(tag.line, "<system> has no version=\"1\"");
    }
}

void Checker::check_cpu(const XmlTag& tag) {
    require(tag, "numaid");
    require(tag, "arch");
    const std::string_view node = tag.value("numaid");
    if (!node.empty()) {
        if (!whole_number(node)) {
            report(tag.line, fmt::format("numaid={} is no number", quoted(node)));
        }
        const auto [before, is_new] = lines_of_.emplace(node, tag.line);
        if (!is_new) {
            report(tag.line,
                   fmt::format("numaid={} stands in line {} too", quoted(node), before->second));
        }
    }
    const auto knows = [](const auto& names, std::string_view name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    const std::string_view arch = tag.value("arch");
    if (!arch.empty() && !knows(nccl_architectures, arch)) {
        report(tag.line, fmt::format("NCCL knows no arch={}", quoted(arch)));
    }
    const std::string_view vendor = tag.value("vendor");
    if (has(tag, "vendor") && !knows(nccl_vendors, vendor)) {
        report(tag.line, fmt::format("NCCL knows no vendor={}", quoted(vendor)));
    }
    if (vendor == "GenuineIntel") {
        require(tag, "familyid");
        require(tag, "modelid");
    }
    for (const std::string_view key : {"familyid", "modelid"}) {
        if (!tag.value(key).empty() && !whole_number(tag.value(key))) {
            report(tag.line, fmt::format("{}={} is no number", key, quoted(tag.value(key))));
        }
    }
    if (tag.value("affinity").find_first_not_of("0123456789abcdefABCDEF,") != std::string::npos) {
        report(tag.line, fmt::format("affinity={} is no mask of hexadecimal digits",
                                     quoted(tag.value("affinity"))));
    }
}

void Checker::check_pci(const XmlTag& tag) {
    for (const std::string_view key : {"busid", "class", "link_speed", "link_width"}) {
        require(tag, key);
    }
    const std::string_view busid = tag.value("busid");
    const auto address = parse_pci_address(busid);
    if (!busid.empty() && (!address || format_pci_address(*address) != busid)) {
        report(tag.line,
               fmt::format("busid={} is not of the form \"0000:34:00.0\"", quoted(busid)));
    } else if (address) {
        const auto [before, is_new] = lines_of_.emplace(busid, tag.line);
        if (!is_new) {
            report(tag.line,
                   fmt::format("busid={} stands in line {} too", quoted(busid), before->second));
        }
        way_.back().address = address;
    }
    const std::string_view device_class = tag.value("class");
    const bool is_bridge = device_class.starts_with("0x0604");
    way_.back().is_bridge = is_bridge;
    if (!device_class.empty() && !is_bridge && !device_class.starts_with("0x03") &&
        !device_class.starts_with("0x02") && device_class != "0x068000") {
        report(tag.line,
               fmt::format("class={} is no bridge, GPU, NIC or NVSwitch", quoted(device_class)));
    }
    if (way_.size() > 1 && way_[way_.size() - 2].name == "pci" &&
        !way_[way_.size() - 2].is_bridge) {
        report(tag.line, "<pci> stands in one that is no bridge");
    }
    const std::string_view speed = tag.value("link_speed");
    if (!speed.empty() && std::none_of(nccl_link_speeds.begin(), nccl_link_speeds.end(),
                                       [&](const auto& one) { return one.second == speed; })) {
        report(tag.line, fmt::format("link_speed={} counts as generation 3; write it like {}",
                                     quoted(speed), quoted(nccl_link_speeds[3].second)));
    }
    const std::string_view width = tag.value("link_width");
    if (!width.empty() && whole_number(width).value_or(0) < 1) {
        report(tag.line, fmt::format("link_width={} is no number of lanes", quoted(width)));
    }
}

void Checker::open(const XmlTag& tag) {
    check_place(tag);
    check_limits(tag);
    way_.push_back({.name = tag.name, .line = tag.line, .address = std::nullopt});
    if (tag.name == "system") {
        check_system(tag);
    } else if (tag.name == "cpu") {
        check_cpu(tag);
    } else if (tag.name == "pci") {
        check_pci(tag);
    }
}

// At the end of a link there is device 0: a bridge that is another device and has one device below
// is a root port or the downstream port of a switch. NCCL climbs two bridges at a time, for it
// finds both ports of a switch, so with such ones it counts too many switches.
void Checker::close() {
    const Open& closed = way_.back();
    if (closed.is_bridge && closed.children == 1 && closed.address && closed.address->device != 0) {
        report(closed.line, fmt::format("{} only leads down to one device; only the upstream ports "
                                        "of switches belong here",
                                        format_pci_address(*closed.address)));
    }
    way_.pop_back();
}

void Checker::check_tags() {
    for (;;) {
        const auto next = tags_.next();
        if (!next) {
            std::string_view what = next.error().message;  // "line 3: ..."
            std::size_t line = 0;
            if (what.starts_with("line ")) {
                const char* const end = what.data() + what.size();
                std::from_chars(what.data() + 5, end, line);
                what.remove_prefix(std::min(what.find(": ") + 2, what.size()));
            }
            report(line, std::string(what));
            return;
        }
        if (!*next) {
            return;
        }
        if ((*next)->opens) {
            open(**next);
        }
        if ((*next)->closes) {
            close();
        }
    }
}

std::vector<NcclXmlProblem> Checker::check() {
    if (text_.size() > most_text) {
        return {{1, fmt::format("is larger than {} bytes", most_text)}};
    }
    check_characters();
    check_tags();
    std::stable_sort(problems_.begin(), problems_.end(),
                     [](const auto& a, const auto& b) { return a.line < b.line; });
    return std::move(problems_);
}

}  // namespace

std::vector<NcclXmlProblem> nccl_xml_problems(std::string_view text) {
    return Checker(text).check();
}

}  // namespace hora::read
