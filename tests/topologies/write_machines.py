#!/usr/bin/python3
"""Which machines do the tests know? Writes each as the XML that lstopo 2.9 would export.

Usage: write_machines.py FOLDER
"""

import itertools
import sys
from pathlib import Path
from xml.etree import ElementTree as xml

# What one lane carries of each PCIe generation, in GB/s.
LANE = {1: 0.25, 2: 0.5, 3: 8 * 128 / 130 / 8, 4: 16 * 128 / 130 / 8, 5: 32 * 128 / 130 / 8}

PLX = ("0604", "10b5:8747", "PEX 8747 PCIe Switch")
PLX_9797 = ("0604", "10b5:9797", "PEX 9797 PCIe Switch")
ROOT_INTEL = ("0604", "8086:6f08", "Xeon E5 PCI Express Root Port 3")
ROOT_AMD = ("0604", "1022:1483", "Starship/Matisse GPP Bridge")
MLX4 = ("0207", "15b3:1013", "MT27700 Family [ConnectX-4]")
MLX5 = ("0207", "15b3:1017", "MT27800 Family [ConnectX-5]")
MLX6 = ("0207", "15b3:101b", "MT28908 Family [ConnectX-6]")
I350 = ("0200", "8086:1521", "I350 Gigabit Network Connection")
VIRTIO = ("0200", "1af4:1000", "Virtio network device")
ASPEED = ("0300", "1a03:2000", "ASPEED Graphics Family")
MATROX = ("0300", "102b:0538", "Integrated Matrox G200eW3 Graphics Controller")
NVSWITCH = ("0680", "10de:1af1", "GA100 [A100 NVSwitch]")
TITANX = ("0300", "10de:1b00", "GP102 [TITAN X]")
RTX6000 = ("0300", "10de:1e30", "TU102GL [Quadro RTX 6000/8000]")
A100 = ("0302", "10de:20b0", "GA100 [A100 SXM4 40GB]")
V100 = ("0302", "10de:1db1", "GV100GL [Tesla V100 SXM2 16GB]")
L40S = ("0302", "10de:26b9", "AD102GL [L40S]")
T4 = ("0302", "10de:1eb8", "TU104GL [Tesla T4]")
MI210 = ("0380", "1002:740f", "Aldebaran/MI200 [Instinct MI210]")

BROADWELL_20 = ("GenuineIntel", "6", "79", "Intel(R) Xeon(R) CPU E5-2698 v4 @ 2.20GHz")
BROADWELL = ("GenuineIntel", "6", "79", "Intel(R) Xeon(R) CPU E5-2650 v4 @ 2.20GHz")
CASCADE_LAKE = ("GenuineIntel", "6", "85", "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz")
ROME = ("AuthenticAMD", "23", "49", "AMD EPYC 7742 64-Core Processor")
GENOA = ("AuthenticAMD", "25", "17", "AMD EPYC 9354 32-Core Processor")
MILAN = ("AuthenticAMD", "25", "1", "AMD EPYC 7763 64-Core Processor")
CLOUD = ("GenuineIntel", "6", "85", "Intel(R) Xeon(R) Platinum 8259CL CPU @ 2.50GHz")

# Types of OS devices, as hwloc numbers them.
NETWORK, OPENFABRICS, COPROCESSOR = 2, 3, 5


def bits(indices):
    """A set as hwloc writes it: words of 32 bits, the highest first."""
    value = sum(1 << index for index in indices)
    words = [f"0x{value >> shift & 0xffffffff:08x}" for shift in range(0, value.bit_length(), 32)]
    return ",".join(reversed(words))


class Machine:
    def __init__(self, name, host, processor, sockets=1, cores=8, threads=2, numas=1, **infos):
        self.name = name
        self.count = itertools.count(1)
        self.topology = xml.Element("topology", version="2.0")
        pus = range(sockets * cores * threads)
        self.root = self.add(self.topology, "Machine", pus, range(sockets * numas), os_index="0")
        self.root.set("allowed_cpuset", bits(pus))
        self.root.set("allowed_nodeset", bits(range(sockets * numas)))
        for key, value in {**infos, "HostName": host, "Architecture": "x86_64"}.items():
            self.info(self.root, key, value)
        self.sockets = []
        self.distances = None
        for socket in range(sockets):
            self.add_socket(socket, processor, sockets, cores, threads, numas)

    def add(self, parent, object_type, pus=None, nodes=None, **attributes):
        item = xml.SubElement(parent, "object", type=object_type)
        for key, value in attributes.items():
            item.set(key, value)
        for prefix in ("", "complete_"):
            if pus is not None:
                item.set(prefix + "cpuset", bits(pus))
                item.set(prefix + "nodeset", bits(nodes))
        item.set("gp_index", str(next(self.count)))
        return item

    def info(self, item, name, value):
        xml.SubElement(item, "info", name=name, value=value)

    # Linux counts first threads of all cores before second ones.
    def add_socket(self, socket, processor, sockets, cores, threads, numas):
        own = range(socket * cores, (socket + 1) * cores)
        nodes = range(socket * numas, (socket + 1) * numas)
        pus = [core + thread * cores * sockets for core in own for thread in range(threads)]
        package = self.add(self.root, "Package", pus, nodes, os_index=str(socket))
        for key, value in zip(("CPUVendor", "CPUFamilyNumber", "CPUModelNumber", "CPUModel"),
                              processor):
            self.info(package, key, value)
        self.sockets.append(package)
        share = cores // numas
        for i, node in enumerate(nodes):
            inside = own[i * share:(i + 1) * share]
            pus = [core + thread * cores * sockets for core in inside for thread in range(threads)]
            parent = package
            if numas > 1:
                parent = self.add(package, "Group", pus, [node], kind="0", subkind="0")
            self.add(parent, "NUMANode", pus, [node], os_index=str(node),
                     local_memory=str(64 << 30))
            cache = self.add(parent, "L3Cache", pus, [node], cache_size=str(32 << 20), depth="3",
                             cache_linesize="64", cache_associativity="16", cache_type="0")
            for core in inside:
                both = [core + thread * cores * sockets for thread in range(threads)]
                item = self.add(cache, "Core", both, [node], os_index=str(core))
                for pu in both:
                    self.add(item, "PU", [pu], [node], os_index=str(pu))

    def host_bridge(self, parent, first, last):
        return self.add(parent, "Bridge", bridge_type="0-1", depth="0",
                        bridge_pci=f"0000:[{first:02x}-{last:02x}]")

    def bus_of(self, host):
        return int(host.get("bridge_pci")[6:8], 16)

    def pci(self, parent, kind, place, what, speed, buses=None, depth=None):
        item = self.add(parent, kind)
        if buses is not None:
            item.set("bridge_type", "1-1")
            item.set("depth", str(depth))
            item.set("bridge_pci", f"0000:[{buses[0]:02x}-{buses[1]:02x}]")
        item.set("pci_busid", f"0000:{place}")
        item.set("pci_type", f"{what[0]} [{what[1]}] [{what[1]}] 00")
        item.set("pci_link_speed", f"{speed:.6f}")
        self.info(item, "PCIDevice", what[2])
        return item

    def bridge(self, parent, place, what, speed, buses, depth):
        return self.pci(parent, "Bridge", place, what, speed, buses, depth)

    def device(self, parent, place, what, speed, os_devices=()):
        item = self.pci(parent, "PCIDev", place, what, speed)
        for name, kind, infos in os_devices:
            device = self.add(item, "OSDev", name=name, osdev_type=str(kind))
            for key, value in infos.items():
                self.info(device, key, value)
        return item

    def switch(self, host, number, first, root, what, speed, devices):
        """A root port, the switch's upstream port, and a downstream port for each device."""
        last = first + 1 + len(devices)
        at = self.bus_of(host)
        port = self.bridge(host, f"{at:02x}:{number:02x}.0", root, speed, (first, last), 1)
        upstream = self.bridge(port, f"{first:02x}:00.0", what, speed, (first + 1, last), 2)
        for i, (kind, own_speed, os_devices) in enumerate(devices):
            bus = first + 2 + i
            below = self.bridge(upstream, f"{first + 1:02x}:{8 + 4 * i:02x}.0", what, own_speed,
                                (bus, bus), 3)
            self.device(below, f"{bus:02x}:00.0", kind, own_speed, os_devices)

    def root_port(self, host, number, bus, root, what, speed, os_devices=()):
        """A device in a slot of its own."""
        at = self.bus_of(host)
        port = self.bridge(host, f"{at:02x}:{number:02x}.0", root, speed, (bus, bus), 1)
        return self.device(port, f"{bus:02x}:00.0", what, speed, os_devices)

    def objects(self, kinds):
        return [item for item in self.root.iter("object") if item.get("type") in kinds]

    def nvlinks(self, name, objects, values):
        """A matrix of bandwidths in MB/s between objects."""
        matrix = xml.SubElement(self.topology, "distances2hetero", nbobjs=str(len(objects)),
                                kind="25", name=name)
        text = "".join(f"{one.get('type')}:{one.get('gp_index')} " for one in objects)
        xml.SubElement(matrix, "indexes", length=str(len(text))).text = text
        for row in values:
            text = "".join(f"{value} " for value in row)
            xml.SubElement(matrix, "u64values", length=str(len(text))).text = text

    def write(self, folder):
        xml.SubElement(self.topology, "support", name="custom.exported_support")
        xml.indent(self.topology, " ")
        text = xml.tostring(self.topology, encoding="unicode")
        Path(folder, self.name + ".xml").write_text(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<!DOCTYPE topology SYSTEM "hwloc2.dtd">\n' + text + "\n")


def network(name):
    return (name, NETWORK, {})


def fabric(name):
    return (name, OPENFABRICS, {})


def nvml(index, model):
    return (f"nvml{index}", COPROCESSOR, {"Backend": "NVML", "GPUVendor": "NVIDIA Corporation",
                                          "GPUModel": model})


def two_switches_one_socket():
    """Four GPUs in two pairs, a switch each, everything in one socket."""
    machine = Machine("two-switches-one-socket", "p4a", BROADWELL)
    host = machine.host_bridge(machine.sockets[0], 0x00, 0x0f)
    x16 = 16 * LANE[3]
    for number, first in ((2, 0x01), (3, 0x05)):
        machine.switch(host, number, first, ROOT_INTEL, PLX, x16, [(TITANX, x16, [])] * 2)
    machine.root_port(host, 0x1c, 0x0a, ROOT_INTEL, I350, 4 * LANE[2], [network("eth0")])
    return machine


def two_switches_two_sockets():
    """The same with a switch in each of two sockets; the GPUs idle at 2.5 GT/s."""
    machine = Machine("two-switches-two-sockets", "p4b", BROADWELL, sockets=2)
    x16, idle = 16 * LANE[3], 16 * LANE[1]
    for socket, first in ((0, 0x01), (1, 0x81)):
        host = machine.host_bridge(machine.sockets[socket], first - 1, first + 0x0f)
        machine.switch(host, 2, first, ROOT_INTEL, PLX, x16, [(TITANX, idle, [])] * 2)
        if socket == 0:
            machine.root_port(host, 0x1c, 0x0a, ROOT_INTEL, I350, 4 * LANE[2], [network("eth0")])
    return machine


def four_switches():
    """Eight GPUs and four NICs on four switches of two sockets."""
    machine = Machine("four-switches", "gpu8", CASCADE_LAKE, sockets=2, cores=20)
    x16 = 16 * LANE[3]
    for i, first in enumerate((0x17, 0x3b, 0x86, 0xaf)):
        host = machine.host_bridge(machine.sockets[i // 2], first - 1, first + 0x0f)
        nic = (MLX5, x16, [network(f"ib{i}"), fabric(f"mlx5_{i}")])
        machine.switch(host, 0, first, ROOT_INTEL, PLX_9797, x16,
                       [(RTX6000, x16, []), (RTX6000, x16, []), nic])
    return machine


def one_socket_four_switches():
    """Eight GPUs on four switches of one socket, two to a host bridge."""
    machine = Machine("one-socket-four-switches", "gpu8s", ROME, cores=16)
    x16 = 16 * LANE[4]
    for start in (0x00, 0x40):
        host = machine.host_bridge(machine.sockets[0], start, start + 0x3f)
        for i, first in enumerate((start + 0x01, start + 0x11)):
            machine.switch(host, i + 1, first, ROOT_AMD, PLX_9797, x16, [(L40S, x16, [])] * 2)
    return machine


def nvswitch():
    """Eight A100 over six NVSwitches, with a NIC for each."""
    machine = Machine("nvswitch", "dgx1", ROME, sockets=2, cores=16,
                      DMIProductName="DGXA100 920-23687-2530-000")
    x16 = 16 * LANE[4]
    for i, first in enumerate((0x01, 0x41, 0x81, 0xc1)):
        host = machine.host_bridge(machine.sockets[i // 2], first - 1, first + 0x1f)
        devices = []
        for j in (2 * i, 2 * i + 1):
            devices.append((MLX6, x16, [network(f"ib{j}"), fabric(f"mlx5_{j}")]))
            devices.append((A100, x16, [nvml(j, "NVIDIA A100-SXM4-40GB")]))
        machine.switch(host, 1, first, ROOT_AMD, PLX_9797, x16, devices)
        if i == 3:
            for k in range(6):
                machine.root_port(host, 0x10 + k, first + 0x10 + k, ROOT_AMD, NVSWITCH,
                                  2 * LANE[2])
    gpus = [one for one in machine.objects({"OSDev"}) if one.get("name").startswith("nvml")]
    switches = [one for one in machine.objects({"PCIDev"})
                if one.get("pci_type").startswith("0680")]
    width = len(gpus)
    values = [[50000 if (i < width) != (j < width) else 0 for j in range(width + len(switches))]
              for i in range(width + len(switches))]
    machine.nvlinks("NVLinkBandwidth", gpus + switches, values)
    return machine


def hybrid_cube_mesh():
    """Eight V100 of a DGX-1V: two quads, each fully joined, and a link between opposite GPUs."""
    machine = Machine("hybrid-cube-mesh", "dgx1v", BROADWELL_20, sockets=2, cores=20,
                      DMIProductName="DGX-1 with V100")
    x16 = 16 * LANE[3]
    for i, first in enumerate((0x04, 0x09, 0x84, 0x89)):
        if i % 2 == 0:
            host = machine.host_bridge(machine.sockets[i // 2], first - 4, first + 0x1f)
        devices = [(V100, x16, [nvml(j, "Tesla V100-SXM2-16GB")]) for j in (2 * i, 2 * i + 1)]
        devices.append((MLX4, x16, [network(f"ib{i}"), fabric(f"mlx5_{i}")]))
        machine.switch(host, 2 + i % 2, first, ROOT_INTEL, PLX_9797, x16, devices)
    gpus = [one for one in machine.objects({"OSDev"}) if one.get("name").startswith("nvml")]
    links = {(0, 1): 1, (0, 2): 1, (0, 3): 2, (0, 4): 2, (1, 2): 2, (1, 3): 1, (1, 5): 2,
             (2, 3): 2, (2, 6): 1, (3, 7): 1, (4, 5): 1, (4, 6): 1, (4, 7): 2, (5, 6): 2,
             (5, 7): 1, (6, 7): 2}
    values = [[25000 * links.get((min(a, b), max(a, b)), 0) for b in range(8)] for a in range(8)]
    machine.nvlinks("NVLinkBandwidth", gpus, values)
    return machine


def no_gpu():
    """Two sockets, a NIC and no GPU."""
    machine = Machine("no-gpu", "cpu1", CASCADE_LAKE, sockets=2)
    host = machine.host_bridge(machine.sockets[0], 0x17, 0x3a)
    machine.root_port(host, 0, 0x18, ROOT_INTEL, MLX5, 16 * LANE[3],
                      [network("ib0"), fabric("mlx5_0")])
    return machine


def virtual():
    """A virtual machine: one flat bus, no bridges, no link speeds, a socket for each processor."""
    machine = Machine("virtual", "vm1", CLOUD, sockets=1, cores=4, threads=1,
                      DMIProductName="KVM")
    host = machine.host_bridge(machine.root, 0x00, 0x00)
    machine.device(host, "00:03.0", VIRTIO, 0, [network("eth0")])
    for slot in range(5, 9):
        machine.device(host, f"00:{slot:02x}.0", T4, 0)
    return machine


def virtual_sxm():
    """A virtual machine with four A100 of a board, whose NVLinks and NVSwitches it does not show."""
    machine = Machine("virtual-sxm", "vm4", CLOUD, sockets=1, cores=16, threads=1,
                      DMIProductName="KVM")
    host = machine.host_bridge(machine.root, 0x00, 0x00)
    machine.device(host, "00:03.0", VIRTIO, 0, [network("eth0")])
    for slot in range(5, 9):
        machine.device(host, f"00:{slot:02x}.0", A100, 0)
    return machine


def management_graphics():
    """Two GPUs in slots of two sockets, and the graphics of two management controllers."""
    machine = Machine("management-graphics", "web1", GENOA, sockets=2)
    x16 = 16 * LANE[4]
    first = machine.host_bridge(machine.sockets[0], 0x00, 0x3f)
    machine.root_port(first, 1, 0x01, ROOT_AMD, L40S, x16)
    machine.root_port(first, 2, 0x02, ROOT_AMD, ASPEED, 0)
    second = machine.host_bridge(machine.sockets[1], 0x80, 0xbf)
    machine.root_port(second, 1, 0x81, ROOT_AMD, L40S, x16)
    machine.root_port(second, 2, 0x82, ROOT_AMD, MATROX, 0)
    machine.root_port(second, 3, 0x83, ROOT_AMD, I350, 4 * LANE[2],
                      [network("eno1")])
    return machine


def amd():
    """Four MI210 in two bridged pairs, two NUMA nodes in each of two sockets."""
    machine = Machine("amd", "mi1", MILAN, sockets=2, cores=16, numas=2)
    x16 = 16 * LANE[4]
    groups = machine.objects({"Group"})
    for i, group in enumerate(groups):
        start = 0x40 * i
        host = machine.host_bridge(group, start, start + 0x3f)
        machine.root_port(host, 1, start + 1, ROOT_AMD, MI210, x16,
                          [(f"rsmi{i}", COPROCESSOR,
                            {"Backend": "RSMI", "GPUVendor": "AMD",
                             "GPUModel": "AMD Instinct MI210"})])
        if i in (0, 2):
            machine.root_port(host, 2, start + 2, ROOT_AMD, MLX6, x16,
                              [network(f"ib{i // 2}"), fabric(f"mlx5_{i // 2}")])
    gpus = [one for one in machine.objects({"OSDev"}) if one.get("name").startswith("rsmi")]
    values = [[100000 if i // 2 == j // 2 and i != j else 0 for j in range(4)] for i in range(4)]
    machine.nvlinks("XGMIBandwidth", gpus, values)
    return machine


def main():
    for make in (two_switches_one_socket, two_switches_two_sockets, four_switches,
                 one_socket_four_switches, nvswitch, hybrid_cube_mesh, no_gpu, virtual, virtual_sxm,
                 management_graphics, amd):
        make().write(sys.argv[1])


main()
