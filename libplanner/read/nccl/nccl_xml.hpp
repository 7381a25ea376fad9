// Would NCCL understand a file that is to be its NCCL_TOPO_FILE?
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hora::read {

// What NCCL knows by name; anything else counts as the third speed, and as the first architecture.
constexpr std::array<std::pair<double, std::string_view>, 6> nccl_link_speeds = {{
    {2.5, "2.5 GT/s PCIe"},
    {5, "5.0 GT/s PCIe"},
    {8, "8.0 GT/s PCIe"},
    {16, "16.0 GT/s PCIe"},
    {32, "32.0 GT/s PCIe"},
    {64, "64.0 GT/s PCIe"},
}};
constexpr std::array<std::string_view, 3> nccl_architectures = {"x86_64", "arm64", "ppc64"};
constexpr std::array<std::string_view, 3> nccl_vendors = {"GenuineIntel", "AuthenticAMD",
                                                          "CentaurHauls"};
constexpr std::size_t most_nccl_nodes = 256;
constexpr std::size_t most_nccl_children = 128;
constexpr std::size_t most_nccl_attributes = 16;
constexpr std::size_t longest_nccl_value = 255;

struct NcclXmlProblem {
    std::size_t line = 0;
    std::string what;

    friend bool operator==(const NcclXmlProblem&, const NcclXmlProblem&) = default;
};

// Each rule that is broken, by line; none: NCCL reads the file as it is meant. They are those of
// NCCL's parser and of its search (graph/xml.h and topo.cc of 2.28), which say little or nothing
// when they are broken, and that only NCCL itself writes what changes from run to run. A text that
// is no XML is one problem; at most 64 are named.
std::vector<NcclXmlProblem> nccl_xml_problems(std::string_view text);

}  // namespace hora::read
