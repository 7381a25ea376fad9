// Through which device files does one reach the GPUs of a machine?
#include "libplanner/read/machine/device_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "libplanner/read/file.hpp"
#include "libplanner/read/pci_address.hpp"

namespace hora::read {
namespace {

constexpr std::uint16_t amd = 0x1002;
constexpr std::uint16_t intel = 0x8086;
constexpr std::uint32_t first_render_node = 128;

bool has_render_node(const domain::TopologyObject& gpu) {
    return gpu.vendor == amd || gpu.vendor == intel;
}

// "Device Minor: \t 2" in what NVIDIA's driver says of the GPU.
std::optional<std::string> nvidia_file(const std::string& root, const std::string& busid) {
    constexpr std::size_t largest = 64 << 10;
    const auto text =
        read_file(fmt::format("{}/proc/driver/nvidia/gpus/{}/information", root, busid), largest);
    constexpr std::string_view key = "Device Minor:";
    const std::size_t at = text ? text->find(key) : std::string::npos;
    if (at == std::string::npos) {
        return std::nullopt;
    }
    const std::size_t first = text->find_first_not_of(" \t", at + key.size());
    const std::size_t end = text->find_first_not_of("0123456789", first);
    if (first == std::string::npos || end == first) {
        return std::nullopt;
    }
    return "/dev/nvidia" + text->substr(first, end - first);
}

std::optional<std::string> render_file(const std::string& root, const std::string& busid) {
    std::error_code problem;
    const std::filesystem::directory_iterator folder(
        fmt::format("{}/sys/bus/pci/devices/{}/drm", root, busid), problem);
    if (problem) {
        return std::nullopt;
    }
    for (const std::filesystem::directory_entry& entry : folder) {
        const std::string name = entry.path().filename();
        if (name.starts_with("renderD")) {
            return "/dev/dri/" + name;
        }
    }
    return std::nullopt;
}

}  // namespace

DeviceFiles usual_device_files(const domain::Topology& topology) {
    DeviceFiles files;
    std::uint32_t nvidia = 0;
    std::uint32_t render = first_render_node;
    for (const domain::TopologyGpu& gpu : topology.gpus) {
        files.paths.push_back(has_render_node(topology.objects[gpu.object])
                                  ? fmt::format("/dev/dri/renderD{}", render++)
                                  : fmt::format("/dev/nvidia{}", nvidia++));
    }
    return files;
}

DeviceFiles local_device_files(const domain::Topology& topology, const std::string& root) {
    DeviceFiles files{{}, false};
    for (const domain::TopologyGpu& gpu : topology.gpus) {
        const domain::TopologyObject& object = topology.objects[gpu.object];
        const std::string busid = format_pci_address(object.address);
        const auto file =
            has_render_node(object) ? render_file(root, busid) : nvidia_file(root, busid);
        if (!file) {
            return usual_device_files(topology);
        }
        files.paths.push_back(*file);
    }
    return files;
}

}  // namespace hora::read
