// Two hosts that may run slurmctld, and what each of them answers to the daemon's looks.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "plugins/slurm/compat.hpp"

namespace hora::tests {

struct TwoControllers {
    TwoControllers();
    void swap();  // this host is the second one

    std::array<std::string, 2> hosts;  // this one first
    std::array<std::string, 2> addresses;
    std::array<bool, 2> is_up{true, true};
    bool has_taken_over = true;  // the second one, where the first is down
    int configuration_error = 0;
    std::string state_save_location;
    std::uint16_t private_data = 0;
    int configurations = std::numeric_limits<int>::max();  // so many are answered, and no more
    std::array<char*, 2> host_words{hosts[0].data(), hosts[1].data()};
    std::array<char*, 2> address_words{addresses[0].data(), addresses[1].data()};
};

// Anew for each test.
TwoControllers& restart_controllers();
TwoControllers& controllers();

}  // namespace hora::tests
