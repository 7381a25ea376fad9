// Would NCCL understand a file that is to be its NCCL_TOPO_FILE?
#include "libplanner/read/nccl/nccl_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>

#include "libplanner/read/format/xml_text.hpp"
#include "libplanner/read/pci_address.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

constexpr std::size_t most_problems = 64;

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
    explicit Checker(std::string_view text) : text_(text) {}

    std::vector<NcclXmlProblem> check();

  private:
    void check_characters();
    void check_tags();
    void check_tag(const pugi::xml_node& tag);
    void check_end();
    std::size_t line_of(const pugi::xml_node& tag) const { return xml_->line_of(tag); }
    void check_place(const pugi::xml_node& tag);
    void check_limits(const pugi::xml_node& tag);
    void check_system(const pugi::xml_node& tag);
    void check_cpu(const pugi::xml_node& tag);
    void check_pci(const pugi::xml_node& tag);
    void require(const pugi::xml_node& tag, const char* attribute);
    void report(std::size_t line, std::string what) {
        if (problems_.size() < most_problems) {
            problems_.push_back({line, std::move(what)});
        }
    }

    std::string_view text_;
    std::optional<XmlText> xml_;
    std::vector<Open> way_;
    std::size_t nodes_ = 0;
    std::map<std::string, std::size_t, std::less<>> lines_of_;  // by bus id, and by numaid
    std::vector<NcclXmlProblem> problems_;
};

std::string_view name_of(const pugi::xml_node& tag) {
    return tag.name();
}

// Empty where it is not there.
std::string_view value(const pugi::xml_node& tag, const char* attribute) {
    return tag.attribute(attribute).value();
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                      : std::nullopt;
}

void Checker::require(const pugi::xml_node& tag, const char* attribute) {
    if (value(tag, attribute).empty()) {
        report(line_of(tag), fmt::format("<{}> has no {}", name_of(tag), attribute));
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

void Checker::check_limits(const pugi::xml_node& tag) {
    if (++nodes_ == most_nccl_nodes + 1) {
        report(line_of(tag), fmt::format("more than {} tags", most_nccl_nodes));
    }
    std::size_t attributes = 0;
    for (const pugi::xml_attribute& one : tag.attributes()) {
        ++attributes;
        if (std::string_view(one.value()).size() > longest_nccl_value) {
            report(line_of(tag), fmt::format("the value of {} is longer than {} characters",
                                             one.name(), longest_nccl_value));
        }
    }
    if (attributes > most_nccl_attributes) {
        report(line_of(tag),
               fmt::format("<{}> has more than {} attributes", name_of(tag), most_nccl_attributes));
    }
    if (!way_.empty() && ++way_.back().children == most_nccl_children + 1) {
        report(line_of(tag),
               fmt::format("<{}> has more than {} children", way_.back().name, most_nccl_children));
    }
}

void Checker::check_place(const pugi::xml_node& tag) {
    const std::string_view around = way_.empty() ? "" : way_.back().name;
    if (name_of(tag) == "gpu" || name_of(tag) == "nic" || name_of(tag) == "net") {
        report(line_of(tag),
               fmt::format("has a <{}>; NCCL writes these itself, and a stale one counts "
                           "for more than what it finds",
                           name_of(tag)));
        return;
    }
    const std::string_view wanted = name_of(tag) == "system"                      ? ""
                                    : name_of(tag) == "cpu"                       ? "system"
                                    : name_of(tag) == "pci" && around != "system" ? around
                                                                                  : "cpu";
    if (name_of(tag) != "system" && name_of(tag) != "cpu" && name_of(tag) != "pci") {
        report(line_of(tag), fmt::format("NCCL knows no tag <{}>", name_of(tag)));
    } else if (around != wanted || (name_of(tag) == "pci" && around != "cpu" && around != "pci")) {
        report(line_of(tag), fmt::format("<{}> stands {}", name_of(tag),
                                         around.empty() ? "outside of everything"
                                                        : fmt::format("in <{}>", around)));
    }
}

void Checker::check_system(const pugi::xml_node& tag) {
    if (value(tag, "version") != "1") {
        report(line_of(tag), "<system> has no version=\"1\"");
    }
}

void Checker::check_cpu(const pugi::xml_node& tag) {
    require(tag, "numaid");
    require(tag, "arch");
    const std::string_view node = value(tag, "numaid");
    if (!node.empty()) {
        if (!whole_number(node)) {
            report(line_of(tag), fmt::format("numaid={} is no number", quoted(node)));
        }
        const auto [before, is_new] = lines_of_.emplace(node, line_of(tag));
        if (!is_new) {
            report(line_of(tag),
                   fmt::format("numaid={} stands in line {} too", quoted(node), before->second));
        }
    }
    const auto knows = [](const auto& names, std::string_view name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    const std::string_view arch = value(tag, "arch");
    if (!arch.empty() && !knows(nccl_architectures, arch)) {
        report(line_of(tag), fmt::format("NCCL knows no arch={}", quoted(arch)));
    }
    const std::string_view vendor = value(tag, "vendor");
    if (tag.attribute("vendor") && !knows(nccl_vendors, vendor)) {
        report(line_of(tag), fmt::format("NCCL knows no vendor={}", quoted(vendor)));
    }
    if (vendor == "GenuineIntel") {
        require(tag, "familyid");
        require(tag, "modelid");
    }
    for (const char* const key : {"familyid", "modelid"}) {
        if (!value(tag, key).empty() && !whole_number(value(tag, key))) {
            report(line_of(tag), fmt::format("{}={} is no number", key, quoted(value(tag, key))));
        }
    }
    if (value(tag, "affinity").find_first_not_of("0123456789abcdefABCDEF,") != std::string::npos) {
        report(line_of(tag), fmt::format("affinity={} is no mask of hexadecimal digits",
                                         quoted(value(tag, "affinity"))));
    }
}

void Checker::check_pci(const pugi::xml_node& tag) {
    for (const char* const key : {"busid", "class", "link_speed", "link_width"}) {
        require(tag, key);
    }
    const std::string_view busid = value(tag, "busid");
    const auto address = parse_pci_address(busid);
    if (!busid.empty() && (!address || format_pci_address(*address) != busid)) {
        report(line_of(tag),
               fmt::format("busid={} is not of the form \"0000:34:00.0\"", quoted(busid)));
    } else if (address) {
        const auto [before, is_new] = lines_of_.emplace(busid, line_of(tag));
        if (!is_new) {
            report(line_of(tag),
                   fmt::format("busid={} stands in line {} too", quoted(busid), before->second));
        }
        way_.back().address = address;
    }
    const std::string_view device_class = value(tag, "class");
    const bool is_bridge = device_class.starts_with("0x0604");
    way_.back().is_bridge = is_bridge;
    if (!device_class.empty() && !is_bridge && !device_class.starts_with("0x03") &&
        !device_class.starts_with("0x02") && device_class != "0x068000") {
        report(line_of(tag),
               fmt::format("class={} is no bridge, GPU, NIC or NVSwitch", quoted(device_class)));
    }
    if (way_.size() > 1 && way_[way_.size() - 2].name == "pci" &&
        !way_[way_.size() - 2].is_bridge) {
        report(line_of(tag), "<pci> stands in one that is no bridge");
    }
    const std::string_view speed = value(tag, "link_speed");
    if (!speed.empty() && std::none_of(nccl_link_speeds.begin(), nccl_link_speeds.end(),
                                       [&](const auto& one) { return one.second == speed; })) {
        report(line_of(tag), fmt::format("link_speed={} counts as generation 3; write it like {}",
                                         quoted(speed), quoted(nccl_link_speeds[3].second)));
    }
    const std::string_view width = value(tag, "link_width");
    if (!width.empty() && whole_number(width).value_or(-1) < 0) {  // 0 counts as 16
        report(line_of(tag), fmt::format("link_width={} is no number of lanes", quoted(width)));
    }
}

// And all in it, as deep as XmlText lets it be.
void Checker::check_tag(const pugi::xml_node& tag) {
    check_place(tag);
    check_limits(tag);
    way_.push_back({.name = name_of(tag), .line = line_of(tag), .address = std::nullopt});
    if (name_of(tag) == "system") {
        check_system(tag);
    } else if (name_of(tag) == "cpu") {
        check_cpu(tag);
    } else if (name_of(tag) == "pci") {
        check_pci(tag);
    }
    for (const pugi::xml_node& inside : tag.children()) {
        check_tag(inside);
    }
    check_end();
}

// At the end of a link there is device 0: a bridge that is another device and has one device below
// is a root port or the downstream port of a switch. NCCL climbs two bridges at a time, for it
// finds both ports of a switch, so with such ones it counts too many switches.
void Checker::check_end() {
    const Open& closed = way_.back();
    if (closed.is_bridge && closed.children == 1 && closed.address && closed.address->device != 0) {
        report(closed.line, fmt::format("{} only leads down to one device; only the upstream ports "
                                        "of switches belong here",
                                        format_pci_address(*closed.address)));
    }
    way_.pop_back();
}

void Checker::check_tags() {
    auto parsed = XmlText::parse(text_);
    if (parsed) {
        xml_ = std::move(*parsed);
        check_tag(xml_->root());
        return;
    }
    std::string_view what = parsed.error().message;  // "line 3: ..."
    std::size_t line = 1;
    if (what.starts_with("line ")) {
        std::from_chars(what.data() + 5, what.data() + what.size(), line);
        what.remove_prefix(std::min(what.find(": ") + 2, what.size()));
    }
    report(line, std::string(what));
}

std::vector<NcclXmlProblem> Checker::check() {
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
