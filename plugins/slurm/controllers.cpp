// Which hosts may run slurmctld, and which of them does?
#include "plugins/slurm/controllers.hpp"

#include "plugins/slurm/messages.hpp"

namespace hora::slurm {

std::vector<Controller> controllers_of(const slurm_conf_t& configuration) {
    std::vector<Controller> controllers;
    for (std::uint32_t i = 0; i < configuration.control_cnt; ++i) {
        controllers.push_back({std::string(text_of(configuration.control_machine[i])),
                               std::string(text_of(configuration.control_addr[i]))});
    }
    return controllers;
}

std::optional<std::size_t> find_acting(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (slurm_ping(static_cast<int>(i)) == SLURM_SUCCESS) {
            return i;
        }
    }
    return std::nullopt;
}

bool does_act() {
    return load_partitions().has_value();
}

}  // namespace hora::slurm
