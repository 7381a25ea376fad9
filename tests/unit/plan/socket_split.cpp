#include "libplanner/plan/socket_split.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <numeric>
#include <set>

namespace hora::plan {
namespace {

using domain::PathKind;

using Indices = std::vector<std::uint32_t>;

// A GPU on a switch (or on none: 0), near a run of cores.
struct Gpu {
    std::uint32_t on_switch = 0;
    std::uint32_t first_core = 0;
    std::uint32_t cores = 0;
    std::uint32_t nvlink = 0;  // those of one number are joined; 0: none
};

struct Machine {
    std::uint32_t sockets = 1;
    std::uint32_t cores = 8;   // of a socket
    std::uint32_t numas = 1;   // in a socket
    std::uint32_t caches = 1;  // in a socket
    std::vector<Gpu> gpus;
};

// Two threads a core, counted as Linux does: the second ones after all first ones.
domain::Topology topology_of(const Machine& machine) {
    domain::Topology topology;
    topology.sockets = machine.sockets;
    topology.cores_per_socket = machine.cores;
    topology.threads_per_core = 2;
    const std::uint32_t all = machine.sockets * machine.cores;
    for (std::uint32_t core = 0; core < all; ++core) {
        topology.cores.push_back({core / machine.cores,
                                  core * machine.numas / machine.cores,
                                  core * machine.caches / machine.cores,
                                  {core, core + all}});
    }
    topology.objects.emplace_back();
    for (const Gpu& gpu : machine.gpus) {
        Indices cpus(std::size_t{2} * gpu.cores);
        std::iota(cpus.begin(), cpus.begin() + gpu.cores, gpu.first_core);
        std::iota(cpus.begin() + gpu.cores, cpus.end(), gpu.first_core + all);
        topology.gpus.push_back({.object = 0, .cpus = cpus});
    }
    for (const Gpu& a : machine.gpus) {
        for (const Gpu& b : machine.gpus) {
            const bool is_pix = a.on_switch != 0 && a.on_switch == b.on_switch;
            const bool is_nvlink = a.nvlink != 0 && a.nvlink == b.nvlink;
            topology.paths.push_back({is_nvlink ? PathKind::nvlink
                                      : is_pix  ? PathKind::pix
                                                : PathKind::sys,
                                      Bandwidth(1e9), false});
        }
    }
    return topology;
}

std::string text_of(const SocketSplit& split) {
    constexpr const char* kinds[] = {"hardware", "numa", "caches", "declared", "not possible"};
    std::string text = fmt::format("{} {}x{}", kinds[static_cast<std::size_t>(split.kind)],
                                   split.sockets, split.cores_per_socket);
    for (const Indices& cores : split.cores) {
        text += cores.empty() ? " -" : fmt::format(" {}-{}", cores.front(), cores.back());
    }
    return split.widened == 0 ? text : fmt::format("{}, {} widened", text, split.widened);
}

struct Case {
    const char* sentence;
    Machine machine;
    const char* split;  // kind, sockets x cores, cores of each GPU
};

const Case cases[] = {
    {"a machine without a GPU stays as it is", {2, 8, 1, 1, {}}, "hardware 2x8"},
    {"two switches in one socket halve it",
     {1, 8, 1, 1, {{1, 0, 8}, {1, 0, 8}, {2, 0, 8}, {2, 0, 8}}},
     "declared 2x4 0-3 0-3 4-7 4-7"},
    {"a switch in each socket needs no more",
     {2, 8, 1, 1, {{1, 0, 8}, {1, 0, 8}, {2, 8, 8}, {2, 8, 8}}},
     "hardware 2x8 0-7 0-7 8-15 8-15"},
    {"switches at two NUMA nodes of a socket",
     {1, 8, 2, 4, {{1, 4, 4}, {1, 4, 4}, {2, 0, 4}, {2, 0, 4}}},
     "numa 2x4 4-7 4-7 0-3 0-3"},
    {"as many L3 caches as switches",
     {1, 8, 1, 2, {{1, 0, 8}, {1, 0, 8}, {2, 0, 8}, {2, 0, 8}}},
     "caches 2x4 0-3 0-3 4-7 4-7"},
    {"a socket with one switch follows the one with two",
     {2, 8, 1, 1, {{1, 0, 8}, {1, 0, 8}, {2, 0, 8}, {2, 0, 8}, {3, 8, 8}, {3, 8, 8}}},
     "declared 4x4 0-3 0-3 4-7 4-7 8-11 8-11"},
    {"three switches of eight cores leave a fourth part idle",
     {1, 8, 1, 1, {{1, 0, 8}, {1, 0, 8}, {2, 0, 8}, {2, 0, 8}, {3, 0, 8}, {3, 0, 8}}},
     "declared 4x2 0-1 0-1 2-3 2-3 4-5 4-5"},
    {"seven cores do not divide among two switches",
     {1, 7, 1, 1, {{1, 0, 7}, {1, 0, 7}, {2, 0, 7}, {2, 0, 7}}},
     "not possible 1x7 0-6 0-6 0-6 0-6"},
    {"GPUs alone on their switches gain nothing",
     {1, 8, 1, 1, {{1, 0, 8}, {2, 0, 8}, {3, 0, 8}, {4, 0, 8}}},
     "hardware 1x8 0-7 0-7 0-7 0-7"},
    {"GPUs that NVLink joins need not be told apart",
     {1, 8, 1, 1, {{1, 0, 8, 1}, {1, 0, 8, 1}, {2, 0, 8, 1}, {2, 0, 8, 1}}},
     "hardware 1x8 0-7 0-7 0-7 0-7"},
    {"NVLink over sockets leaves them as they are",
     {2, 4, 1, 1, {{1, 0, 4, 1}, {2, 0, 4, 1}, {3, 4, 4, 1}, {4, 4, 4, 1}}},
     "hardware 2x4 0-3 0-3 4-7 4-7"},
    {"a bridged pair over two NUMA nodes has the cores of its whole socket",
     {2, 8, 2, 2, {{0, 0, 4, 1}, {0, 4, 4, 1}, {0, 8, 4, 2}, {0, 12, 4, 2}}},
     "hardware 2x8 0-7 0-7 8-15 8-15, 4 widened"},
    {"an EPYC with 8 cores a GPU and 16 a socket",
     {2, 16, 2, 4, {{1, 0, 8}, {2, 8, 8}, {3, 16, 8}, {4, 24, 8}}},
     "hardware 2x16 0-15 0-15 16-31 16-31, 4 widened"},
    {"an EPYC with a switch and 8 cores for each pair",
     {2,
      16,
      2,
      4,
      {{1, 0, 8}, {1, 0, 8}, {2, 8, 8}, {2, 8, 8}, {3, 16, 8}, {3, 16, 8}, {4, 24, 8}, {4, 24, 8}}},
     "numa 4x8 0-7 0-7 8-15 8-15 16-23 16-23 24-31 24-31"},
    {"GPUs near the two outer ones of three sockets are near no whole socket alone",
     {3, 4, 1, 1, {{1, 2, 4}, {1, 2, 4}}},
     "hardware 3x4 0-7 0-7, 2 widened"},
    {"GPUs near all sockets are near none",
     {2, 4, 1, 1, {{1, 0, 8}, {1, 0, 8}}},
     "hardware 2x4 - -"},
    {"and their switches cannot be told apart",
     {2, 4, 1, 1, {{1, 0, 8}, {1, 0, 8}, {2, 0, 8}, {2, 0, 8}}},
     "not possible 2x4 - - - -"},
};

TEST(SocketSplit, GivesEachSwitchItsSocket) {
    for (const Case& test : cases) {
        EXPECT_EQ(text_of(split_sockets(topology_of(test.machine))), test.split) << test.sentence;
    }
}

TEST(SocketSplit, UnequalSocketsStay) {
    domain::Topology topology =
        topology_of({2, 4, 1, 1, {{1, 0, 4}, {1, 0, 4}, {2, 0, 4}, {2, 0, 4}}});
    topology.cores_per_socket = 0;
    topology.cores.pop_back();
    EXPECT_EQ(text_of(split_sockets(topology)), "not possible 2x0 - - - -");
}

TEST(SocketSplit, CoresNotToldAreNone) {
    domain::Topology topology = topology_of({1, 4, 1, 1, {{1, 0, 4}}});
    topology.cores.clear();
    EXPECT_EQ(text_of(split_sockets(topology)), "hardware 1x0 -");
}

// Slurm 24.11 and later put a node into INVAL whose Cores= cut a socket.
TEST(SocketSplit, CoresAreThoseOfWholeSockets) {
    EXPECT_TRUE(rc::check([](const std::vector<std::uint8_t>& places) {
        Machine machine{*rc::gen::inRange(1u, 4u), *rc::gen::inRange(1u, 25u), 1, 1, {}};
        const std::uint32_t all = machine.sockets * machine.cores;
        for (std::size_t i = 0; i < std::min<std::size_t>(places.size(), 12); ++i) {
            const std::uint32_t first = places[i] % all;
            const std::uint32_t count = *rc::gen::inRange(1u, all - first + 1);
            machine.gpus.push_back({places[i] / 8u % 4 + 1, first, count});
        }
        const SocketSplit split = split_sockets(topology_of(machine));
        for (const Indices& cores : split.cores) {
            std::set<std::uint32_t> sockets;
            for (const std::uint32_t core : cores) {
                sockets.insert(core / split.cores_per_socket);
            }
            RC_ASSERT(cores.size() == sockets.size() * split.cores_per_socket);
        }
    }));
}

// What Slurm would be given is right on any machine.
TEST(SocketSplit, NoSocketHoldsTwoGroups) {
    EXPECT_TRUE(rc::check([](const std::vector<std::uint8_t>& places) {
        Machine machine{*rc::gen::inRange(1u, 3u), *rc::gen::inRange(1u, 25u), 1, 1, {}};
        for (std::size_t i = 0; i < std::min<std::size_t>(places.size(), 12); ++i) {
            const std::uint32_t socket = places[i] % machine.sockets;
            machine.gpus.push_back({places[i] / 8u % 8 * machine.sockets + socket + 1,
                                    socket * machine.cores, machine.cores});
        }
        const SocketSplit split = split_sockets(topology_of(machine));
        RC_ASSERT(split.sockets * split.cores_per_socket == machine.sockets * machine.cores);
        for (std::size_t a = 0; a < machine.gpus.size(); ++a) {
            RC_ASSERT(!split.cores[a].empty());
            for (const std::uint32_t core : split.cores[a]) {
                RC_ASSERT(core / split.cores_per_socket == split.socket_of[a]);
                RC_ASSERT(core / machine.cores == machine.gpus[a].first_core / machine.cores);
            }
            for (std::size_t b = 0; b < a && split.kind != SplitKind::not_possible; ++b) {
                RC_ASSERT((split.socket_of[a] == split.socket_of[b]) ==
                          (split.group_of[a] == split.group_of[b]));
            }
        }
    }));
}

}  // namespace
}  // namespace hora::plan
