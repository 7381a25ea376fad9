// The inside of one machine: its PCIe tree with GPUs and NICs, and the way between each two GPUs.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/units.hpp"

namespace hora::domain {

// Where a device sits: 0000:34:00.0. In the order of these CUDA counts with
// CUDA_DEVICE_ORDER=PCI_BUS_ID, and Slurm's /dev/nvidiaN usually.
struct PciAddress {
    std::uint32_t domain = 0;
    std::uint8_t bus = 0;
    std::uint8_t device = 0;
    std::uint8_t function = 0;

    friend auto operator<=>(const PciAddress&, const PciAddress&) = default;
};

// A PCIe link as fast as both its ends can: an idle GPU lets its own fall to 2.5 GT/s.
struct PcieLink {
    double gigatransfers = 0;  // a second and lane: 2.5, 5, 8, 16, 32 or 64; 0 = not known
    std::uint32_t lanes = 0;   // 0 = not known
    Bandwidth bandwidth{};     // one way, net of encoding; 0 = not known
    bool is_assumed = false;   // lanes and rate were guessed from the bandwidth
    bool is_usual = false;     // so was the bandwidth: what such a device usually has

    friend bool operator==(const PcieLink&, const PcieLink&) = default;
};

enum class ObjectKind { machine, socket, numa_node, host_bridge, bridge, gpu, nic, nvswitch };

constexpr std::array<std::string_view, 8> object_kind_names = {
    "machine", "socket", "numa_node", "host_bridge", "bridge", "gpu", "nic", "nvswitch"};

// The rest is what they hang on.
constexpr bool is_gpu_or_nic(ObjectKind kind) {
    return kind == ObjectKind::gpu || kind == ObjectKind::nic;
}

constexpr std::uint32_t no_object = 0xffffffff;

struct TopologyObject {
    ObjectKind kind = ObjectKind::machine;
    std::uint32_t parent = no_object;  // index into Topology::objects, smaller than its own
    std::string name{};                // what people call it: "GeForce GTX TITAN X", "mlx5_0"
    std::uint32_t os_index = 0;        // of sockets and NUMA nodes
    // Of what hangs on PCIe; of a bridge, its upstream port.
    PciAddress address{};
    std::uint16_t device_class = 0;  // 0x0302
    std::uint16_t vendor = 0;
    std::uint16_t device = 0;
    // A bridge is the upstream port of a switch, or else a port that leads down to one: a root
    // port, or a downstream port of a switch.
    bool is_switch = false;
    // Towards the parent, as fast as the port above allows. Ports that lead down have none: theirs
    // is the link of what hangs below.
    PcieLink uplink{};

    friend bool operator==(const TopologyObject&, const TopologyObject&) = default;
};

constexpr std::uint32_t not_known = 0xffffffff;

struct TopologyGpu {
    std::uint32_t object = 0;          // index into Topology::objects
    std::uint32_t numa = not_known;    // os index of the nearest NUMA node
    std::uint32_t socket = not_known;  // os index of its package
    std::uint32_t bridge = no_object;  // lowest bridge with several GPUs or NICs below; or none
    std::vector<std::uint32_t> cpus;   // os indices of the processing units near it, ascending

    friend bool operator==(const TopologyGpu&, const TopologyGpu&) = default;
};

struct TopologyNic {
    std::uint32_t object = 0;
    std::uint32_t numa = not_known;
    std::vector<std::string> names;  // as the kernel and verbs name it: "eth0", "mlx5_0"
    std::vector<std::uint32_t> cpus;

    friend bool operator==(const TopologyNic&, const TopologyNic&) = default;
};

// Between two GPUs, or a GPU and an NVSwitch: all links of the pair together. AMD's XGMI likewise.
struct NvLink {
    std::uint32_t a = 0;  // indices into Topology::objects, a < b
    std::uint32_t b = 0;
    Bandwidth bandwidth;      // one way, as specified
    bool is_assumed = false;  // by the type of the GPU

    friend bool operator==(const NvLink&, const NvLink&) = default;
};

// How two devices meet, as `nvidia-smi topo -m` has it, the fastest first: NVLink; one PCIe
// switch; several switches; a host bridge; a NUMA node; the link between sockets.
enum class PathKind { nvlink, pix, pxb, phb, node, sys };

constexpr std::array<std::string_view, 6> path_kind_names = {"nvlink", "pix",  "pxb",
                                                             "phb",    "node", "sys"};

struct GpuPath {
    PathKind kind = PathKind::sys;
    Bandwidth bandwidth;  // one way; the slowest link on the way, or what was measured
    bool is_measured = false;

    friend bool operator==(const GpuPath&, const GpuPath&) = default;
};

// Slurm counts cores as hwloc does, socket by socket, whatever the kernel calls their threads.
struct TopologyCore {
    std::uint32_t socket = not_known;  // os index of its package
    std::uint32_t numa = not_known;    // os index of its NUMA node
    std::uint32_t cache = not_known;   // its L3 cache, counted over the machine
    std::vector<std::uint32_t> cpus;   // os indices of its processing units, ascending

    friend bool operator==(const TopologyCore&, const TopologyCore&) = default;
};

// As cpuid says; empty or not known where the machine does not say.
struct Processor {
    std::string architecture;  // "x86_64"
    std::string vendor;        // "GenuineIntel"
    std::string name;          // "Intel(R) Xeon(R) CPU E5-2650 0 @ 2.00GHz"
    std::uint32_t family = not_known;
    std::uint32_t model = not_known;

    friend bool operator==(const Processor&, const Processor&) = default;
};

struct Topology {
    std::string host;                     // whose it is; empty: not said
    std::vector<TopologyObject> objects;  // objects[0] is the machine; parents before children
    std::vector<TopologyGpu> gpus;        // by PCI address
    std::vector<TopologyNic> nics;        // by PCI address
    std::vector<NvLink> nvlinks;          // by a, then b; each pair once
    std::vector<GpuPath> paths;           // gpus x gpus, row by row; symmetric; own ones unused
    std::vector<TopologyCore> cores;      // in Slurm's order; empty: not known
    Processor processor;
    std::uint32_t sockets = 1;
    std::uint32_t cores_per_socket = 0;  // 0: not the same on all, or not known
    std::uint32_t threads_per_core = 1;

    const GpuPath& path(std::size_t a, std::size_t b) const { return paths[a * gpus.size() + b]; }

    friend bool operator==(const Topology&, const Topology&) = default;
};

}  // namespace hora::domain
