// Where does Slurm have the fields of a request that a plan may change?
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <variant>

#include "libplanner/request/rewrite/request_fields.hpp"
#include "plugins/slurm/jobs/job.hpp"

namespace hora::slurm {

struct SlurmField {
    std::string_view name;
    // In what a client asks for; the numbers differ in length.
    std::variant<std::uint32_t job_desc_msg_t::*, std::uint16_t job_desc_msg_t::*,
                 char * job_desc_msg_t::*>
        place;
    // Of a job that waits; "" where it is not said.
    std::string (*now)(const Job& job);
    bool is_of_sockets = false;  // given up once the job has waited long enough
    bool is_worked_out = false;  // by slurmctld, which adds to it or works it out anew
};

inline std::string number_text(std::uint32_t value) {
    return value == 0 ? std::string() : std::to_string(value);
}

// In the order of request::request_fields.
constexpr SlurmField slurm_fields[] = {
    {"min_nodes", &job_desc_msg_t::min_nodes,
     [](const Job& job) { return number_text(job.shape.nodes); }},
    {"max_nodes", &job_desc_msg_t::max_nodes,
     [](const Job& job) { return number_text(job.max_nodes); }},
    {"num_tasks", &job_desc_msg_t::num_tasks,
     [](const Job& job) { return number_text(job.shape.tasks); }},
    {"ntasks_per_node", &job_desc_msg_t::ntasks_per_node,
     [](const Job& job) { return number_text(job.shape.tasks_per_node); }},
    {"cpus_per_task", &job_desc_msg_t::cpus_per_task,
     [](const Job& job) { return number_text(job.shape.cpus_per_task); }},
    {"min_cpus", &job_desc_msg_t::min_cpus,
     [](const Job& job) { return number_text(job.shape.cpus); }, false, true},
    {"tres_per_node", &job_desc_msg_t::tres_per_node,
     [](const Job& job) { return job.shape.tres_per_node; }},
    {"tres_per_job", &job_desc_msg_t::tres_per_job,
     [](const Job& job) { return job.tres_per_job; }},
    {"tres_per_task", &job_desc_msg_t::tres_per_task,
     [](const Job& job) { return job.tres_per_task; }, false, true},
    {"tres_per_socket", &job_desc_msg_t::tres_per_socket,
     [](const Job& job) { return job.shape.tres_per_socket; }, true},
    {"sockets_per_node", &job_desc_msg_t::sockets_per_node,
     [](const Job& job) { return number_text(job.shape.sockets_per_node); }, true},
    {"cores_per_socket", &job_desc_msg_t::cores_per_socket,
     [](const Job& job) { return number_text(job.shape.cores_per_socket); }, true},
    {"features", &job_desc_msg_t::features, [](const Job& job) { return job.features; }},
    {"prefer", &job_desc_msg_t::prefer, [](const Job& job) { return job.prefer; }},
};

constexpr bool has_all_fields() {
    for (std::size_t i = 0; i < std::size(slurm_fields); ++i) {
        if (i >= std::size(request::request_fields) ||
            slurm_fields[i].name != request::name_of(request::request_fields[i])) {
            return false;
        }
    }
    return std::size(slurm_fields) == std::size(request::request_fields);
}
static_assert(has_all_fields());

}  // namespace hora::slurm
