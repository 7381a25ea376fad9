// `hora topology`: what is the GPU topology of a machine?
#include "scripts/hora/machine/topology.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/plan/ring/predicted_ring.hpp"
#include "libplanner/read/cluster/topology.hpp"
#include "libplanner/report/machine/nccl_xml.hpp"
#include "libplanner/report/machine/topology.hpp"
#include "libplanner/report/svg/topology_svg.hpp"
#include "scripts/hora/machine/check_gres.hpp"
#include "scripts/hora/machine/measure.hpp"
#include "scripts/hora/machine/slurm_lines.hpp"
#include "scripts/hora/machine/topology_output.hpp"

namespace hora::scripts {
namespace {

Expected<std::string> print_json(const domain::Topology& topology, const TopologyRequest&) {
    return report::to_json(topology);
}

// With the best ring over all GPUs.
Expected<std::string> print_svg(const domain::Topology& topology, const TopologyRequest&) {
    std::vector<std::uint32_t> gpus(topology.gpus.size());
    std::iota(gpus.begin(), gpus.end(), 0u);
    return report::to_svg(topology, plan::predict_ring(topology, gpus).best);
}

Expected<std::string> print_nccl_xml(const domain::Topology& topology, const TopologyRequest&) {
    auto text = report::nccl_xml(topology);
    if (text) {
        for (const std::string& remark : report::nccl_xml_remarks(topology)) {
            print_remark(remark);
        }
    }
    return text;
}

constexpr std::array outputs = {
    TopologyOutput{"--json", "", "Print one JSON object", &print_json},
    TopologyOutput{"--svg", "", "Draw the machine, and the best ring over its GPUs, as SVG",
                   &print_svg},
    TopologyOutput{"--measure", "", "Measure the links with CUDA and store them beside FILE",
                   &measure_links},
    TopologyOutput{"--gres-conf", "", "Print lines for Slurm's gres.conf", &print_gres_conf, true,
                   true},
    TopologyOutput{"--slurm-node", "", "Print the NodeName line for slurm.conf that goes with it",
                   &print_slurm_node, true, true},
    TopologyOutput{"--check-gres", "GRES.CONF", "Say where it and the machine disagree",
                   &check_gres, true},
    TopologyOutput{"--nccl-xml", "", "Print a file for NCCL_TOPO_FILE", &print_nccl_xml},
};

struct Options {
    std::string path;
    bool is_local = false;
    std::array<bool, outputs.size()> is_asked{};
    std::array<std::string, outputs.size()> values;
    std::string node;
    std::string type;
};

const TopologyOutput* asked_output(const Options& options) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (options.is_asked[i] || !options.values[i].empty()) {
            return &outputs[i];
        }
    }
    return nullptr;
}

// An option that would change nothing was meant for another output.
Expected<void> check_names(const Options& options) {
    const TopologyOutput* const output = asked_output(options);
    if (!options.node.empty() && (output == nullptr || !output->has_node)) {
        return wrong_use("--node says nothing here; add --gres-conf, --slurm-node or --check-gres");
    }
    if (!options.type.empty() && (output == nullptr || !output->has_type)) {
        return wrong_use("--type says nothing here; add --gres-conf or --slurm-node");
    }
    return {};
}

// For people: tree and matrix.
Expected<std::string> print_tree(const domain::Topology& topology) {
    return report::topology_tree(topology) + "\n" + report::topology_matrix(topology);
}

Expected<std::string> show(const Options& options) {
    if (options.is_local != options.path.empty()) {
        return wrong_use(options.is_local ? "FILE and --local exclude each other; give one"
                                          : "no machine given; say FILE or --local");
    }
    if (auto good = check_names(options); !good) {
        return unexpected(good.error());
    }
    const auto topology =
        options.is_local ? read::read_local_topology() : read::read_topology(options.path);
    if (!topology) {
        return unexpected(topology.error());
    }
    for (const std::string& remark : report::topology_remarks(*topology)) {
        print_remark(remark);
    }
    if (const TopologyOutput* const output = asked_output(options)) {
        const auto index = static_cast<std::size_t>(output - outputs.data());
        return output->print(*topology,
                             {options.path, options.values[index], options.node, options.type});
    }
    return print_tree(*topology);
}

void add_outputs(CLI::App& command, Options& options) {
    std::vector<CLI::Option*> added;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const TopologyOutput& output = outputs[i];
        const bool is_flag = std::string_view(output.value).empty();
        CLI::Option* const option =
            is_flag ? command.add_flag(output.option, options.is_asked[i], output.help)
                    : command.add_option(output.option, options.values[i], output.help)
                          ->type_name(output.value)
                          ->check(&not_empty);
        for (CLI::Option* const other : added) {
            option->excludes(other);
        }
        added.push_back(option);
    }
}

}  // namespace

void add_topology_command(CLI::App& app, Outcome& outcome) {
    const auto options = std::make_shared<Options>();
    CLI::App* const command = app.add_subcommand("topology", "Show the GPU topology of a machine");
    command
        ->add_option("machine", options->path,
                     "hwloc XML (lstopo --of xml FILE), NCCL's XML, or what --json wrote")
        ->type_name("FILE");
    command->add_flag("--local", options->is_local, "This machine");
    add_outputs(*command, *options);
    command->add_option("--node", options->node, "Slurm's name of the node, for lines that name it")
        ->type_name("NAME")
        ->check(&not_empty);
    command->add_option("--type", options->type, "Slurm's name of the GPUs, for its lines")
        ->type_name("TYPE")
        ->check(&not_empty);
    command->callback([&outcome, options] { outcome.exit = print(show(*options)); });
}

}  // namespace hora::scripts
