// What does slurmctld say of the switches? Needs nothing but slurm_*, so plugins may ask too.
#include "plugins/slurm/collect/topology_message.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "plugins/slurm/command_output.hpp"
#include "plugins/slurm/compat.hpp"

namespace hora::slurm {
namespace {

struct FreeTopology {
    void operator()(topo_info_response_msg_t* message) const { slurm_free_topo_info_msg(message); }
};

template <HasSwitches Message>
Expected<std::string> topology_text(const Message* /*which*/) {
    Message* answer = nullptr;
    errno = 0;
    if (slurm_load_topo(&answer) != SLURM_SUCCESS || answer == nullptr) {
        return failure(std::string("cannot load the topology from slurmctld: ") +
                       slurm_strerror(errno));
    }
    const std::unique_ptr<Message, FreeTopology> message(answer);
    char* buffer = nullptr;
    std::size_t size = 0;
    FILE* const out = open_memstream(&buffer, &size);
    if (out == nullptr) {
        return failure("no memory for the topology");
    }
    if (message->record_count > 0) {
        slurm_print_topo_info_msg(out, message.get(), 1);
    }
    std::fclose(out);
    std::string text(buffer, size);
    std::free(buffer);
    return text;
}

// Where libslurm needs a plugin to read the message it may be unable to load it: that of 24.11.5
// then dies of a null pointer as it prints. scontrol has all of Slurm linked.
template <class Message>
Expected<std::string> topology_text(const Message* /*which*/) {
    const std::string command = "scontrol --oneliner show topology";
    auto output = output_of(command);
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
