// Which fields of a request may a plan change? The one list of them: changes are noted by it, and
// plugins/slurm/jobs/request_fields.hpp says where Slurm has each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "libplanner/request/rewrite/rewrite.hpp"
#include "libplanner/request/scope/submission.hpp"

namespace hora::request {

// `name`: Slurm's, and that of the change in a decision. `before`: as the user said it; null where
// one who says it is left alone.
struct NumberField {
    std::string_view name;
    std::optional<std::uint32_t> Rewrite::*after;
    std::optional<std::uint32_t> Submission::*before = nullptr;
};

struct TextField {
    std::string_view name;
    std::optional<std::string> Rewrite::*after;
    std::string Submission::*before = nullptr;
};

using RequestField = std::variant<NumberField, TextField>;

constexpr RequestField request_fields[] = {
    NumberField{"min_nodes", &Rewrite::min_nodes, &Submission::min_nodes},
    NumberField{"max_nodes", &Rewrite::max_nodes, &Submission::max_nodes},
    NumberField{"num_tasks", &Rewrite::num_tasks, &Submission::tasks},
    NumberField{"ntasks_per_node", &Rewrite::ntasks_per_node, &Submission::tasks_per_node},
    NumberField{"cpus_per_task", &Rewrite::cpus_per_task, &Submission::cpus_per_task},
    NumberField{"min_cpus", &Rewrite::min_cpus, &Submission::min_cpus},
    TextField{"tres_per_node", &Rewrite::tres_per_node, &Submission::tres_per_node},
    TextField{"tres_per_job", &Rewrite::tres_per_job, &Submission::tres_per_job},
    TextField{"tres_per_task", &Rewrite::tres_per_task},
    TextField{"tres_per_socket", &Rewrite::tres_per_socket, &Submission::tres_per_socket},
    NumberField{"sockets_per_node", &Rewrite::sockets_per_node},
    NumberField{"cores_per_socket", &Rewrite::cores_per_socket},
    TextField{"features", &Rewrite::features, &Submission::features},
    TextField{"prefer", &Rewrite::prefer, &Submission::prefer},
};

constexpr std::string_view name_of(const RequestField& field) {
    return std::visit([](const auto& one) { return one.name; }, field);
}

}  // namespace hora::request
