// `hora topology --check-gres`: do a machine and its lines in gres.conf say the same?
#include "scripts/hora/machine/check_gres.hpp"

#include <fmt/format.h>

#include <vector>

#include "libplanner/base/counted.hpp"
#include "libplanner/read/machine/device_files.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/slurm/gres_conf.hpp"
#include "libplanner/report/machine/gres_check.hpp"
#include "scripts/hora/command/command.hpp"

namespace hora::scripts {
namespace {

Expected<read::GresConf> read_lines(const std::string& path) {
    auto conf = read::read_gres_conf(path);
    if (!conf) {
        return wrong_use(conf.error().message);
    }
    for (const std::string& remark : conf->remarks) {
        print_remark(remark);
    }
    if (!conf->is_of_gpus()) {
        return wrong_use(
            fmt::format("{} has no line for GPUs; is it a gres.conf?", read::quoted(path)));
    }
    return conf;
}

// Lines that name no node hold for every one.
Expected<std::string> node_of(const read::GresConf& conf, const domain::Topology& topology,
                              const TopologyRequest& request) {
    const std::string& node = request.node.empty() ? topology.host : request.node;
    const bool names_it = conf.lines_of.contains(node) || conf.detected_on.contains(node);
    const bool names_others = !conf.lines_of.empty() || !conf.detected_on.empty();
    const bool is_of_all =
        !conf.lines_of_all.empty() && (request.node.empty() || conf.lines_of.empty());
    if (names_it || !names_others || is_of_all || conf.detects(node)) {
        return node;
    }
    return wrong_use(fmt::format(
        "{} names no node {}; {}", read::quoted(request.value), read::quoted(node),
        request.node.empty() ? "say with --node what Slurm calls it" : "give one that it names"));
}

}  // namespace

Expected<std::string> check_gres(const domain::Topology& topology, const TopologyRequest& request) {
    const auto conf = read_lines(request.value);
    if (!conf) {
        return unexpected(conf.error());
    }
    const auto node = node_of(*conf, topology, request);
    if (!node) {
        return unexpected(node.error());
    }
    const bool is_detected = conf->detects(*node);
    const std::vector<read::GresGpu> gpus = conf->gpus_of(*node);
    if (is_detected) {
        print_remark("AutoDetect= finds what the lines leave open; only what they say is compared");
    }
    if (is_detected && gpus.empty()) {
        return std::string("no line names a GPU\n");
    }
    const read::DeviceFiles files = request.path.empty() ? read::local_device_files(topology)
                                                         : read::usual_device_files(topology);
    const std::vector<std::string> differences = report::gres_differences(topology, gpus, files);
    if (differences.empty()) {
        return fmt::format("{} and the machine agree: {}\n", request.value,
                           counted(gpus.size(), "GPU"));
    }
    std::string text;
    for (const std::string& difference : differences) {
        text += difference + "\n";
    }
    print_data(text);
    return failure(fmt::format("{} and the machine disagree in {}", read::quoted(request.value),
                               counted(differences.size(), "point")));
}

}  // namespace hora::scripts
