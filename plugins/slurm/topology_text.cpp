// Which switches does `scontrol show topology` tell of, and which nodes hang on them?
#include "plugins/slurm/topology_text.hpp"

#include <cstdint>
#include <map>
#include <utility>

#include "libplanner/read/hostlist.hpp"

namespace hora::slurm {
namespace {

std::string_view field(std::string_view line, std::string_view key) {
    std::size_t start = 0;
    while (start < line.size()) {
        std::size_t end = line.find(' ', start);
        end = end == std::string_view::npos ? line.size() : end;
        const std::string_view word = line.substr(start, end - start);
        if (word.starts_with(key)) {
            return word.substr(key.size());
        }
        start = end + 1;
    }
    return {};
}

struct Line {
    std::string name;
    std::string_view nodes;
    std::string_view below;
};

std::vector<Line> split(std::string_view text) {
    std::vector<Line> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        std::string_view name = field(line, "SwitchName=");
        name = name.empty() ? field(line, "BlockName=") : name;
        if (!name.empty()) {
            lines.push_back({std::string(name), field(line, "Nodes="), field(line, "Switches=")});
        }
    }
    return lines;
}

}  // namespace

Expected<Switches> parse_topology(std::string_view text) {
    Switches switches;
    const std::vector<Line> lines = split(text);
    std::map<std::string, std::uint32_t, std::less<>> number;
    for (const Line& line : lines) {
        number.emplace(line.name, static_cast<std::uint32_t>(switches.list.size()));
        switches.list.push_back({line.name, read::no_switch, {}, {}});
        // A switch above others lists all nodes below; only a leaf's hang on it directly.
        switches.nodes.emplace_back(line.below.empty() ? line.nodes : std::string_view());
    }
    for (std::uint32_t i = 0; i < lines.size(); ++i) {
        if (lines[i].below.empty()) {
            continue;
        }
        const auto names = read::expand_hostlist(lines[i].below);
        if (!names) {
            return unexpected(names.error().within("topology: switch \"" + lines[i].name + "\""));
        }
        for (const std::string& name : *names) {
            const auto child = number.find(name);
            if (child != number.end() && child->second != i) {
                switches.list[child->second].parent = i;
            }
        }
    }
    return switches;
}

}  // namespace hora::slurm
