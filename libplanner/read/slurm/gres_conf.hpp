// Which GPUs does Slurm's gres.conf give each node, and near which cores are they?
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::read {

// One GPU of one node, as its line has it.
struct GresGpu {
    std::string type;                           // empty: not said
    std::string file;                           // "/dev/nvidia0"; empty: not said
    std::vector<std::uint32_t> cores;           // ascending; empty: not said
    std::vector<std::int32_t> links;            // to each GPU, -1 for itself; empty: not said
    std::optional<domain::PciAddress> address;  // where a comment "# nvidia0 0000:34:00.0" notes it
    std::uint32_t line = 0;                     // of the file, from 1
};

// What one line gives, to each of the nodes that it names.
struct GresLine {
    std::vector<std::string> nodes;  // empty: every node
    std::vector<GresGpu> gpus;
};

struct GresConf {
    std::string file_name;
    std::vector<GresLine> lines;
    // What AutoDetect= says alone on a line, in a line that names no node, and of nodes by name.
    bool is_detected = false;
    std::optional<bool> is_detected_by_line;
    std::map<std::string, bool, std::less<>> detected_on;
    // Lines of nodes that are named, by name; and those that hold for every node.
    std::map<std::string, std::vector<std::uint32_t>, std::less<>> lines_of;
    std::vector<std::uint32_t> lines_of_all;
    std::vector<std::string> remarks;  // what could not be used: "gres.conf:3: ..."

    // By line, those that hold for the node.
    std::vector<std::uint32_t> lines_for(std::string_view node) const;
    // Does AutoDetect= fill in what the lines of the node leave open, and find what none names?
    bool detects(std::string_view node) const;
    // Does it say anything of GPUs?
    bool is_of_gpus() const;
    // In the order in which Slurm numbers them: by File, and by the place of -1 in Links.
    std::vector<GresGpu> gpus_of(std::string_view node) const;
};

// Lines of other things than GPUs are passed over, and lines that are wrong are remarked on.
// Keys may be in any case. A run of comment lines "# DEVICE BUS-ID" holds for the lines below it,
// up to the next such run. `file_name` is only for messages.
GresConf parse_gres_conf(std::string_view text, std::string_view file_name = "gres.conf");
// The same from a file; what it includes is remarked on and not read.
Expected<GresConf> read_gres_conf(const std::string& path);

// By GPU: the socket that holds all of its cores. Empty where a GPU has none, or has several.
std::vector<std::uint32_t> sockets_of(const std::vector<GresGpu>& gpus, std::uint32_t sockets,
                                      std::uint32_t cores_per_socket);

}  // namespace hora::read
