// What does a Slurm release do differently? Pure functions of a version number.
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
// slurmctld calls job_submit() from several threads at once.
constexpr bool submits_concurrently(std::uint32_t version) {
    return version >= version_number(23, 2);
}
// "gres/gpu:2" is the only accepted spelling; before it "gres:gpu:2" was.
constexpr bool writes_gres_with_slash(std::uint32_t version) {
    return version >= version_number(23, 11);
}
constexpr std::string_view gres_prefix(std::uint32_t version) {
    return writes_gres_with_slash(version) ? "gres/" : "gres:";
}
// sbatch --ntasks-per-node leaves num_tasks at NO_VAL.
constexpr bool leaves_tasks_open(std::uint32_t version) {
    return version >= version_number(23, 2);
}
// The job id of a message lives in its step_id.
constexpr bool has_job_step_id(std::uint32_t version) {
    return version >= version_number(25, 11);
}
// slurm_load_job() and its kin take a slurm_step_id_t in place of a job id.
constexpr bool takes_step_id(std::uint32_t version) {
    return version >= version_number(26, 5);
}
// slurm.conf may name the "none" plugins; later the line has to be left out.
constexpr bool knows_none_plugins(std::uint32_t version) {
    return version < version_number(23, 11);
}
// srun refuses a number of nodes beside a host file.
constexpr bool refuses_nodes_with_host_file(std::uint32_t version) {
    return version >= version_number(23, 11);
}
// A failing SPANK plugin drains the node unless told otherwise.
constexpr bool drains_on_spank_failure(std::uint32_t version) {
    return version >= version_number(25, 5);
}

}  // namespace hora::slurm
