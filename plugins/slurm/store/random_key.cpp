// How does a name come about that nobody can guess and that no other has?
#include "plugins/slurm/store/random_key.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <cstdint>

namespace hora::slurm {

Expected<std::string> random_key(std::size_t digits) {
    std::array<std::uint64_t, 2> random{};
    if (::getrandom(random.data(), sizeof random, GRND_NONBLOCK) != sizeof random) {
        return failure("the kernel has no random numbers yet");
    }
    return fmt::format("{:016x}{:016x}", random[0], random[1]).substr(0, digits);
}

}  // namespace hora::slurm
