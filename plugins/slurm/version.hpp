// What does a Slurm release do differently that its headers do not say? Pure functions of a version
// number; tests/unit/slurm and the end-to-end tests of each release hold them to it.
#pragma once

#include <cstdint>
#include <string_view>

namespace hora::slurm {

// Packed as SLURM_VERSION_NUM of slurm/slurm.h does.
constexpr std::uint32_t version_number(std::uint32_t major, std::uint32_t minor,
                                       std::uint32_t micro = 0) {
    return major << 16 | minor << 8 | micro;
}

// job_modify() has a fourth argument, the message for the user.
constexpr bool modify_has_message(std::uint32_t version) {
    return version >= version_number(23, 2);
}
// "gres/gpu:2" is the only accepted spelling; before it "gres:gpu:2" was.
constexpr bool writes_gres_with_slash(std::uint32_t version) {
    return version >= version_number(23, 11);
}
constexpr std::string_view gres_prefix(std::uint32_t version) {
    return writes_gres_with_slash(version) ? "gres/" : "gres:";
}
// srun refuses a number of nodes beside a host file.
constexpr bool refuses_nodes_with_host_file(std::uint32_t version) {
    return version >= version_number(23, 11);
}

}  // namespace hora::slurm
