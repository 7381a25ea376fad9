// Why does a job wait, in the words of squeue? No public header of Slurm's has them.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "plugins/slurm/compat.hpp"

namespace hora::slurm {

constexpr std::string_view pending_reason(std::uint32_t reason) {
    constexpr std::pair<std::uint32_t, std::string_view> names[] = {
        {WAIT_NO_REASON, "None"},
        {WAIT_PRIORITY, "Priority"},
        {WAIT_RESOURCES, "Resources"},
        {WAIT_DEPENDENCY, "Dependency"},
        {WAIT_TIME, "BeginTime"},
        {WAIT_LICENSES, "Licenses"},
        {WAIT_RESERVATION, "Reservation"},
        {WAIT_NODE_NOT_AVAIL, "ReqNodeNotAvail"},
        {WAIT_PART_DOWN, "PartitionDown"},
        {WAIT_PART_INACTIVE, "PartitionInactive"},
        {WAIT_PART_NODE_LIMIT, "PartitionNodeLimit"},
        {WAIT_PART_TIME_LIMIT, "PartitionTimeLimit"},
        {WAIT_PART_CONFIG, "PartitionConfig"},
        {FAIL_BAD_CONSTRAINTS, "BadConstraints"},
        {WAIT_HELD, "JobHeldAdmin"},
        {WAIT_HELD_USER, "JobHeldUser"},
        {WAIT_ARRAY_TASK_LIMIT, "JobArrayTaskLimit"},
        {WAIT_QOS_MAX_CPU_PER_JOB, "QOSMaxCpuPerJobLimit"},
        {WAIT_QOS_MAX_CPU_PER_USER, "QOSMaxCpuPerUserLimit"},
        {WAIT_QOS_MAX_NODE_PER_JOB, "QOSMaxNodePerJobLimit"},
        {WAIT_QOS_MAX_NODE_PER_USER, "QOSMaxNodePerUserLimit"},
        {WAIT_QOS_MAX_GRES_PER_JOB, "QOSMaxGRESPerJob"},
        {WAIT_QOS_MAX_GRES_PER_USER, "QOSMaxGRESPerUser"},
        {WAIT_QOS_GRP_CPU, "QOSGrpCpuLimit"},
        {WAIT_QOS_GRP_NODE, "QOSGrpNodeLimit"},
        {WAIT_QOS_GRP_GRES, "QOSGrpGRES"},
        {WAIT_ASSOC_MAX_CPU_PER_JOB, "AssocMaxCpuPerJobLimit"},
        {WAIT_ASSOC_MAX_NODE_PER_JOB, "AssocMaxNodePerJobLimit"},
        {WAIT_ASSOC_MAX_GRES_PER_JOB, "AssocMaxGRESPerJob"},
        {WAIT_ASSOC_GRP_CPU, "AssocGrpCpuLimit"},
        {WAIT_ASSOC_GRP_NODE, "AssocGrpNodeLimit"},
        {WAIT_ASSOC_GRP_GRES, "AssocGrpGRES"},
    };
    for (const auto& [number, name] : names) {
        if (number == reason) {
            return name;
        }
    }
    return "another limit, see squeue";
}

// Has slurmctld itself held the job, since a node did not start it? An operator who holds it then
// changes the reason, and a hold before takes the description away.
constexpr bool is_held_by_launch(std::uint32_t reason, std::string_view description) {
    return reason == WAIT_HELD_USER && description == "launch failed requeued held";
}

}  // namespace hora::slurm
