// Trees of hwloc, by the XML that says them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hwloc.h>

#include <memory>
#include <string>

namespace hora::read {

using OwnedHwloc = std::unique_ptr<hwloc_topology, void (*)(hwloc_topology_t)>;

constexpr std::string_view one_set =
    R"( cpuset="{0}" complete_cpuset="{0}" nodeset="{1}" complete_nodeset="{1}")";

inline std::string sets(std::string_view cpus, std::string_view nodes) {
    return fmt::format(fmt::runtime(one_set), cpus, nodes);
}

inline std::string info(std::string_view name, std::string_view value) {
    return fmt::format(R"(<info name="{}" value="{}"/>)", name, value);
}

// Of hwloc's numbers of kinds: 1 GPU, 2 network, 3 OpenFabrics, 5 co-processor.
inline std::string osdev(int number, std::string_view name, int kind, std::string_view inner = "") {
    return fmt::format(
        R"(<object type="OSDev" gp_index="{}" name="{}" osdev_type="{}">{}</object>)", number, name,
        kind, inner);
}

// `identity`: "0302 [10de:20b0]".
inline std::string pci(int number, std::string_view busid, std::string_view identity,
                       std::string_view inner = "", std::string_view speed = "0",
                       std::string_view more = "") {
    return fmt::format(R"(<object type="PCIDev" gp_index="{}" pci_busid="{}" )"
                       R"(pci_type="{} [0000:0000] 00" pci_link_speed="{}" {}>{}</object>)",
                       number, busid, identity, speed, more, inner);
}

inline std::string port(int number, std::string_view busid, std::string_view buses,
                        std::string_view inner, std::string_view speed = "0") {
    return fmt::format(R"(<object type="Bridge" gp_index="{}" bridge_type="1-1" depth="1" )"
                       R"(bridge_pci="0000:[{}]" pci_busid="{}" )"
                       R"(pci_type="0604 [10b5:8747] [0000:0000] ca" pci_link_speed="{}">{})"
                       "</object>",
                       number, buses, busid, speed, inner);
}

inline std::string host_bridge(int number, std::string_view inner) {
    return fmt::format(R"(<object type="Bridge" gp_index="{}" bridge_type="0-1" depth="0" )"
                       R"(bridge_pci="0000:[00-ff]">{}</object>)",
                       number, inner);
}

// Two sockets of two cores, each with its memory: CPUs 0 and 1, 2 and 3. hwloc wants what an object
// notes before the objects in it.
inline std::string two_sockets(std::string_view in_first, std::string_view in_second,
                               std::string_view in_machine, std::string_view after = "") {
    const auto core = [](int cpu) {
        const std::string own = sets(fmt::format("0x{:x}", 1 << cpu), cpu < 2 ? "0x1" : "0x2");
        return fmt::format(R"(<object type="Core" os_index="{0}" gp_index="{1}"{3}>)"
                           R"(<object type="PU" os_index="{0}" gp_index="{2}"{3}/></object>)",
                           cpu, 20 + cpu, 30 + cpu, own);
    };
    const auto socket = [&](int number, std::string_view inner) {
        const std::string own = sets(number == 0 ? "0x3" : "0xc", number == 0 ? "0x1" : "0x2");
        return fmt::format(R"(<object type="Package" os_index="{0}" gp_index="{1}"{3}>)"
                           R"({4}<object type="NUMANode" os_index="{0}" gp_index="{2}" )"
                           R"(local_memory="1"{3}/>{5}{6}</object>)",
                           number, 10 + number, 12 + number, own, inner, core(2 * number),
                           core(2 * number + 1));
    };
    return fmt::format(
        R"(<?xml version="1.0"?><!DOCTYPE topology SYSTEM "hwloc2.dtd"><topology version="2.0">)"
        R"(<object type="Machine" os_index="0" gp_index="1" allowed_cpuset="0xf" )"
        R"(allowed_nodeset="0x3"{}>{}{}{}</object>{}</topology>)",
        sets("0xf", "0x3"), in_machine, socket(0, in_first), socket(1, in_second), after);
}

inline OwnedHwloc hwloc_of(const std::string& xml) {
    hwloc_topology_t topology = nullptr;
    hwloc_topology_init(&topology);
    hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    EXPECT_EQ(hwloc_topology_set_xmlbuffer(topology, xml.c_str(), static_cast<int>(xml.size()) + 1),
              0)
        << xml;
    EXPECT_EQ(hwloc_topology_load(topology), 0) << xml;
    return {topology, hwloc_topology_destroy};
}

}  // namespace hora::read
