// What a site can set for Hora's part in sbatch and on the nodes.
#include "plugins/spank/job/compute_settings.hpp"

#include <unistd.h>

#include <algorithm>

#include "libplanner/read/file.hpp"
#include "libplanner/read/settings/settings.hpp"

namespace hora::spank {
namespace {

PortRange port_range(const read::Settings& settings) {
    const std::uint64_t first = settings.get<std::uint64_t>("master.port_base");
    const std::uint64_t count = settings.get<std::uint64_t>("master.port_range");
    return {static_cast<std::uint16_t>(first),
            static_cast<std::uint16_t>(std::min(count, 65536 - first))};
}

std::map<std::string, bool, std::less<>> partition_acts(const read::Settings& settings) {
    std::map<std::string, bool, std::less<>> acts;
    for (const auto& [partition, entry] : settings.partition_modes()) {
        acts.emplace(partition, settings.mode_of(partition) == read::OperatingMode::act);
    }
    return acts;
}

}  // namespace

bool ComputeSettings::acts_in(std::string_view partition) const {
    const auto found = partition_acts.find(partition);
    return found == partition_acts.end() ? acts : found->second;
}

Expected<ComputeSettings> load_settings(const std::string& file_name) {
    if (access(file_name.c_str(), F_OK) != 0) {
        return ComputeSettings();
    }
    const auto text = read::read_file(file_name);
    if (!text) {
        return unexpected(text.error());
    }
    const auto settings = read::read_settings(*text, file_name);
    if (!settings) {
        return unexpected(settings.error());
    }
    return ComputeSettings{
        .checkpoint_path = settings->get<std::string>("checkpoint.path"),
        .socket_interface = settings->get<std::string>("network.interface"),
        .ib_hca = settings->get<std::string>("network.hca"),
        .places_ring = settings->get<bool>("ring.place"),
        .acts = settings->get<read::OperatingMode>("mode") == read::OperatingMode::act,
        .partition_acts = partition_acts(*settings),
        .topology_path = settings->get<std::string>("topology.path"),
        .nccl_topo_file = settings->get<std::string>("nccl.topo_file"),
        .network = settings->get<Bandwidth>("network.bandwidth"),
        .ports = port_range(*settings),
        .reader = settings->get<std::string>("model.reader"),
        .reader_limit = std::chrono::milliseconds(
            static_cast<std::int64_t>(settings->get<Seconds>("model.timeout").count() * 1000)),
        .removes_finished = settings->get<bool>("checkpoint.remove"),
        .keep_folders = settings->get<Seconds>("checkpoint.keep")};
}

}  // namespace hora::spank
