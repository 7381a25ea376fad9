// What does slurmctld say of the switches? Needs nothing but slurm_*, so plugins may ask too.
#include "plugins/slurm/topology_message.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "plugins/slurm/compat.hpp"

namespace hora::slurm {
namespace {

struct FreeTopology {
    void operator()(topo_info_response_msg_t* message) const { slurm_free_topo_info_msg(message); }
};

}  // namespace

std::string load_topology_text() {
    topo_info_response_msg_t* answer = nullptr;
    if (load_topology(&answer) != SLURM_SUCCESS || answer == nullptr) {
        return {};
    }
    const std::unique_ptr<topo_info_response_msg_t, FreeTopology> message(answer);
    if (is_empty(*message)) {
        return {};
    }
    char* buffer = nullptr;
    std::size_t size = 0;
    FILE* const out = open_memstream(&buffer, &size);
    if (out == nullptr) {
        return {};
    }
    print_topology(out, message.get());
    std::fclose(out);
    std::string text(buffer, size);
    std::free(buffer);
    return text;
}

}  // namespace hora::slurm
