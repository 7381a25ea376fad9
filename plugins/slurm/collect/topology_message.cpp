// What does slurmctld say of the switches? Needs nothing but slurm_*, so plugins may ask too.
#include "plugins/slurm/collect/topology_message.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <utility>

#include "plugins/slurm/command_output.hpp"
#include "plugins/slurm/compat.hpp"

namespace hora::slurm {
namespace {

struct FreeTopology {
    void operator()(topo_info_response_msg_t* message) const { slurm_free_topo_info_msg(message); }
};

// Slurm's own function for this cuts the line where the caller's SLURM_TOPO_LEN says so.
template <class Switch>
std::string line_of(const Switch& one) {
    if (one.name == nullptr) {
        return {};
    }
    std::string line =
        fmt::format("SwitchName={} Level={} LinkSpeed={}", one.name, one.level, one.link_speed);
    const std::pair<const char*, const char*> lists[] = {{"Nodes", one.nodes},
                                                         {"Switches", one.switches}};
    for (const auto& [key, value] : lists) {
        if (value != nullptr && *value != '\0') {
            line += fmt::format(" {}={}", key, value);
        }
    }
    return line + '\n';
}

template <HasSwitches Message>
Expected<std::string> topology_text(const Message* /*which*/) {
    Message* answer = nullptr;
    if (slurm_load_topo(&answer) != SLURM_SUCCESS) {
        return failure(std::string("cannot load the topology from slurmctld: ") +
                       slurm_strerror(errno));
    }
    if (answer == nullptr) {
        return failure("cannot load the topology from slurmctld: the answer is empty");
    }
    const std::unique_ptr<Message, FreeTopology> message(answer);
    std::string text;
    for (std::uint32_t i = 0; i < message->record_count; ++i) {
        text += line_of(message->topo_array[i]);
    }
    return text;
}

// Where libslurm needs a plugin to read the message it may be unable to load it: that of 24.11.5
// then dies of a null pointer as it prints. scontrol has all of Slurm linked.
template <class Message>
Expected<std::string> topology_text(const Message* /*which*/) {
    const std::string command = "scontrol --oneliner show topology";
    auto output = output_of("unset SLURM_TOPO_LEN; " + command);  // it would cut the lines
    if (!output) {
        return unexpected(output.error());
    }
    if (!output->is_good) {
        const std::string reason = output->text.substr(0, output->text.find('\n'));
        return failure('"' + command + "\" failed: " + (reason.empty() ? "no reason" : reason));
    }
    return std::move(output->text);
}

}  // namespace

Expected<std::string> load_topology_text() {
    return topology_text(static_cast<const topo_info_response_msg_t*>(nullptr));
}

}  // namespace hora::slurm
