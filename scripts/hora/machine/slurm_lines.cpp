// `hora topology --gres-conf` and `--slurm-node`: which lines of Slurm's files describe a machine?
#include "scripts/hora/machine/slurm_lines.hpp"

#include <fmt/format.h>

#include <string_view>

#include "libplanner/plan/socket_split.hpp"
#include "libplanner/read/machine/device_files.hpp"
#include "libplanner/read/machine/device_names.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/slurm/hostlist.hpp"
#include "libplanner/report/machine/gres_conf.hpp"
#include "scripts/hora/command/command.hpp"

namespace hora::scripts {
namespace {

Expected<report::SlurmNames> names_of(const domain::Topology& topology,
                                      const TopologyRequest& request) {
    constexpr std::size_t most_nodes = 1 << 20;
    const report::SlurmNames names{request.node, request.type};
    if (!names.type.empty() && !read::is_device_name(names.type)) {
        return wrong_use(
            fmt::format("--type: {} is no name that Slurm can read; use letters, digits, \"_\", "
                        "\"-\" and \".\", at most {}",
                        read::quoted(names.type), read::longest_device_name));
    }
    const std::string ranges = std::string(read::name_letters) + "[],";
    const std::string& node = names.node.empty() ? topology.host : names.node;
    if (node.find_first_not_of(ranges) != node.npos ||
        (!node.empty() && !read::expand_hostlist(node, most_nodes))) {
        return wrong_use(fmt::format("--node: {} is no name or range of nodes, such as \"n[1-4]\"",
                                     read::quoted(node)));
    }
    return names;
}

void remark_on_type(const domain::Topology& topology, const report::SlurmNames& names) {
    if (!topology.gpus.empty() && names.type.empty()) {
        print_remark(
            "the GPUs get no type, and Hora plans only with types that it knows; add --type, or "
            "name the type as a feature of the node");
    }
}

}  // namespace

Expected<std::string> print_gres_conf(const domain::Topology& topology,
                                      const TopologyRequest& request) {
    const auto names = names_of(topology, request);
    if (!names) {
        return unexpected(names.error());
    }
    const read::DeviceFiles files = request.path.empty() ? read::local_device_files(topology)
                                                         : read::usual_device_files(topology);
    const plan::SocketSplit split = plan::split_sockets(topology);
    auto text = report::gres_conf(topology, split, files.paths, *names);
    if (!text) {
        return text;
    }
    for (const std::string& one : report::split_remarks(topology, split)) {
        print_remark(one);
    }
    remark_on_type(topology, *names);
    if (files.are_assumed) {
        print_remark(
            "the numbers of the device files are assumed in the order of bus ids; with --local "
            "the driver gives them");
    }
    return text;
}

Expected<std::string> print_slurm_node(const domain::Topology& topology,
                                       const TopologyRequest& request) {
    const auto names = names_of(topology, request);
    if (!names) {
        return unexpected(names.error());
    }
    const plan::SocketSplit split = plan::split_sockets(topology);
    auto text = report::slurm_node(topology, split, *names);
    if (!text) {
        return text;
    }
    for (const std::string& one : report::split_remarks(topology, split)) {
        print_remark(one);
    }
    remark_on_type(topology, *names);
    if (topology.gpus.empty()) {
        print_remark("the machine has no GPU; the line has no Gres=");
    }
    return text;
}

}  // namespace hora::scripts
