// Is a PCI device a GPU, a NIC or an NVSwitch, and how fast is one of its kind?
#include "libplanner/read/machine/pci_device.hpp"

#include <algorithm>
#include <array>

namespace hora::read {
namespace {

constexpr std::uint16_t amd = 0x1002;
constexpr std::uint16_t nvidia = 0x10de;
constexpr std::uint16_t intel = 0x8086;

constexpr std::uint16_t vga = 0x0300;
constexpr std::uint16_t controller_3d = 0x0302;
constexpr std::uint16_t other_display = 0x0380;
constexpr std::uint16_t accelerator = 0x1200;

// Device ids of one family, by the public list of PCI ids.
struct Family {
    std::uint16_t vendor;
    std::uint16_t first;
    std::uint16_t last;
    double gigatransfers;
    double nvlink;  // bytes a second
};

constexpr std::array families = {
    Family{nvidia, 0x15f0, 0x15ff, 8, 80e9},    // P100
    Family{nvidia, 0x1db0, 0x1dff, 8, 150e9},   // V100
    Family{nvidia, 0x20b0, 0x20ff, 16, 300e9},  // A100
    Family{nvidia, 0x2200, 0x22ff, 16, 0},      // GA102
    Family{nvidia, 0x2300, 0x23ff, 32, 450e9},  // H100, H200
    Family{nvidia, 0x2400, 0x28ff, 16, 0},      // smaller Ampere, Ada
    Family{nvidia, 0x2900, 0x29ff, 32, 900e9},  // B200
    Family{nvidia, 0x2b00, 0x2fff, 32, 0},      // smaller Blackwell
    Family{amd, 0x66a0, 0x66af, 16, 0},         // MI50, MI60
    Family{amd, 0x7380, 0x738f, 16, 0},         // MI100
    Family{amd, 0x7400, 0x741f, 16, 0},         // MI200
    Family{amd, 0x74a0, 0x75af, 32, 0},         // MI300
    Family{intel, 0x0bd0, 0x0bdf, 32, 0},       // Data Center GPU Max
    Family{intel, 0x56c0, 0x56cf, 16, 0},       // Data Center GPU Flex
};

const Family* family_of(const PciIdentity& identity) {
    const auto found = std::find_if(families.begin(), families.end(), [&](const Family& family) {
        return family.vendor == identity.vendor && family.first <= identity.device &&
               identity.device <= family.last;
    });
    return found == families.end() ? nullptr : &*found;
}

// Of P100, V100, A100, A800, H100, H800, H200 and B200, by the same list.
constexpr std::array<std::uint16_t, 13> on_boards = {0x15f9, 0x1db1, 0x1db5, 0x1db8, 0x20b0,
                                                     0x20b2, 0x20b3, 0x20f3, 0x2324, 0x2330,
                                                     0x2335, 0x2339, 0x2901};

// Rage XL and ES1000, which ATI made for servers' boards.
bool is_old_server_graphics(const PciIdentity& identity) {
    constexpr std::array<std::uint16_t, 6> devices = {0x4752, 0x4753, 0x4759,
                                                      0x515e, 0x515f, 0x5969};
    return identity.vendor == amd &&
           std::find(devices.begin(), devices.end(), identity.device) != devices.end();
}

}  // namespace

PciIdentity identity_of(const domain::TopologyObject& object) {
    return {object.device_class, object.vendor, object.device};
}

bool is_gpu(const PciIdentity& identity) {
    const bool is_display = identity.device_class == vga || identity.device_class == other_display;
    if (identity.vendor == intel) {
        return (is_display || identity.device_class == controller_3d) &&
               family_of(identity) != nullptr;
    }
    if (identity.vendor == amd && identity.device_class == accelerator) {
        return family_of(identity) != nullptr;
    }
    const bool is_maker = identity.vendor == amd || identity.vendor == nvidia;
    return identity.device_class == controller_3d ||
           (is_maker && is_display && !is_old_server_graphics(identity));
}

bool is_nic(const PciIdentity& identity) {
    constexpr std::uint16_t infiniband = 0x0c06;
    return identity.device_class >> 8 == 0x02 || identity.device_class == infiniband;
}

bool is_nvswitch(const PciIdentity& identity) {
    constexpr std::uint16_t other_bridge = 0x0680;
    return identity.vendor == nvidia && identity.device_class == other_bridge;
}

double usual_gigatransfers(const PciIdentity& identity) {
    const Family* const family = family_of(identity);
    return family == nullptr ? 8 : family->gigatransfers;
}

std::optional<bool> is_on_nvlink_board(const PciIdentity& identity) {
    if (usual_nvlink(identity) == Bandwidth(0)) {
        return std::nullopt;
    }
    return std::find(on_boards.begin(), on_boards.end(), identity.device) != on_boards.end();
}

Bandwidth usual_nvlink(const PciIdentity& identity) {
    const Family* const family = family_of(identity);
    return Bandwidth(family == nullptr ? 0 : family->nvlink);
}

}  // namespace hora::read
