// What does a node know of itself: its topology, its address, whether it is a virtual machine?
#include "plugins/spank/job/node_facts.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstddef>
#include <fstream>

#include "libplanner/read/cluster/topology_json.hpp"
#include "libplanner/read/file.hpp"

namespace hora::spank {
namespace {

constexpr std::size_t longest_topology = std::size_t{8} << 20;

}  // namespace

std::string file_of_node(std::string path, const std::string& node) {
    constexpr std::string_view place = "{node}";
    const bool is_name = !node.empty() && node.front() != '.' && node.find('/') == node.npos;
    if (!is_name && path.find(place) != path.npos) {
        return {};
    }
    for (std::size_t at = path.find(place); at != path.npos; at = path.find(place, at)) {
        path.replace(at, place.size(), node);
        at += node.size();
    }
    return path;
}

void read_topology_of(const std::string& file, TaskFacts& facts) {
    facts.topology_file = file;
    if (file.empty() || access(file.c_str(), F_OK) != 0) {
        return;
    }
    const auto text = read::read_file(file, longest_topology);
    if (!text) {
        facts.topology_problem = text.error().message;
        return;
    }
    auto topology = read::read_topology_json(*text);
    if (!topology) {
        facts.topology_problem = fmt::format("{}: {}", file, topology.error().message);
        return;
    }
    facts.topology = *std::move(topology);
}

bool resolves(const std::string& name) {
    addrinfo* found = nullptr;
    const bool is_known = getaddrinfo(name.c_str(), nullptr, nullptr, &found) == 0;
    if (is_known) {
        freeaddrinfo(found);
    }
    return is_known;
}

std::string own_address(const std::string& name) {
    if (name.empty() || resolves(name)) {
        return name;
    }
    std::array<char, HOST_NAME_MAX + 1> host{};
    const bool is_known = gethostname(host.data(), host.size() - 1) == 0 && resolves(host.data());
    return is_known ? host.data() : name;
}

bool is_virtual_machine(const std::string& cpuinfo) {
    std::ifstream file(cpuinfo);
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("flags")) {
            return (line + ' ').find(" hypervisor ") != line.npos;
        }
    }
    return false;
}

std::string nccl_topo_file(const std::string& file, const std::string& cpuinfo) {
    const bool is_wanted =
        !file.empty() && is_virtual_machine(cpuinfo) && access(file.c_str(), R_OK) == 0;
    return is_wanted ? file : std::string();
}

}  // namespace hora::spank
