// On which ports do the tasks of a step find each other?
#include "plugins/spank/job/master_port.hpp"

#include <algorithm>

#include "libplanner/read/whole_number.hpp"

namespace hora::spank {
namespace {

constexpr std::uint64_t steps_between_jobs = 64;
constexpr std::uint64_t ports_of_a_node = 64;
constexpr read::WholeRange any_port{1, 65535};
constexpr std::size_t most_ports = 65535;

std::uint64_t half(PortRange range) {
    return std::max<std::uint64_t>(1, range.count / 2);
}

std::uint64_t offset(StepName step) {
    return step.job * steps_between_jobs + step.step;
}

// Adds "33504" or "33504-33505".
bool add_ports(std::vector<std::uint16_t>& ports, std::string_view item) {
    const std::size_t dash = item.find('-');
    const auto first = read::parse_whole_number(item.substr(0, dash), any_port);
    const auto last = dash == std::string_view::npos
                          ? first
                          : read::parse_whole_number(item.substr(dash + 1), any_port);
    if (!first || !last || (*first <= *last && ports.size() + *last - *first >= most_ports)) {
        return false;
    }
    for (std::uint64_t port = *first; port <= *last; ++port) {
        ports.push_back(static_cast<std::uint16_t>(port));
    }
    return true;
}

}  // namespace

std::uint16_t master_port(PortRange range, StepName step) {
    return static_cast<std::uint16_t>(range.first + offset(step) % half(range));
}

std::uint16_t task_port(PortRange range, StepName step, std::uint32_t local_rank) {
    const std::uint64_t spread = std::max<std::uint64_t>(1, half(range) / ports_of_a_node);
    const std::uint64_t place = offset(step) + local_rank % ports_of_a_node * spread;
    return static_cast<std::uint16_t>(range.first + range.count / 2 + place % half(range));
}

std::vector<std::uint16_t> read_reserved_ports(std::string_view text) {
    std::vector<std::uint16_t> ports;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t comma = std::min(text.find(',', start), text.size());
        if (!add_ports(ports, text.substr(start, comma - start))) {
            return {};
        }
        start = comma + 1;
    }
    return ports;
}

}  // namespace hora::spank
