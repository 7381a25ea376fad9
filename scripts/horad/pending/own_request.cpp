// What did the owner of a waiting job ask for before Hora rewrote it, and has anybody changed it
// since?
#include "scripts/horad/pending/own_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "libplanner/read/whole_number.hpp"
#include "libplanner/read/words.hpp"
#include "plugins/slurm/jobs/request_fields.hpp"
#include "plugins/slurm/tres.hpp"
#include "scripts/horad/observe/job_request.hpp"

namespace hora::horad {
namespace {

const domain::FieldChange* change_of(const domain::Decision& decision, std::string_view field) {
    const auto found =
        std::find_if(decision.changes.begin(), decision.changes.end(),
                     [&](const domain::FieldChange& change) { return change.field == field; });
    return found == decision.changes.end() ? nullptr : &*found;
}

// "gres:gpu:2" is "gres/gpu:2".
bool is_same(const std::string& one, const std::string& other) {
    if (one == other) {
        return true;
    }
    const auto count = [](const std::string& text) { return slurm::parse_tres(text); };
    const auto first = count(one);
    const auto second = count(other);
    return first && second && !first->empty() && first->front().is_gres && *first == *second;
}

// The field that is not as Hora left it; empty: none.
std::string changed_field(const slurm::Job& job, const domain::Decision& decision) {
    const auto partitions = read::split_words(job.partition);
    if (std::find(partitions.begin(), partitions.end(), decision.partition) == partitions.end()) {
        return "partition";
    }
    for (const slurm::SlurmField& field : slurm::slurm_fields) {
        const domain::FieldChange* const change =
            field.is_worked_out ? nullptr : change_of(decision, field.name);
        const bool is_relaxed = field.is_of_sockets && decision.placement.relaxed != 0;
        if (change != nullptr &&
            !is_same(field.now(job), is_relaxed ? std::string() : change->after)) {
            return std::string(field.name);
        }
    }
    return {};
}

// As the owner said it: before Hora's change, or what stands there where it made none.
class Before {
  public:
    Before(const slurm::Job& job, const domain::Decision& decision)
        : job_(job), decision_(decision) {}

    std::string text(std::string_view name) const {
        const domain::FieldChange* const change = change_of(decision_, name);
        return change != nullptr ? change->before : now(name);
    }

    std::optional<std::uint32_t> count(std::string_view name) const {
        return as_number(text(name));
    }
    std::optional<std::uint32_t> count_now(std::string_view name) const {
        return as_number(now(name));
    }

  private:
    std::string now(std::string_view name) const {
        return std::find_if(std::begin(slurm::slurm_fields), std::end(slurm::slurm_fields),
                            [&](const slurm::SlurmField& field) { return field.name == name; })
            ->now(job_);
    }

    static std::optional<std::uint32_t> as_number(const std::string& text) {
        const auto number = read::parse_whole_number(text, {1, domain::unlimited_nodes});
        return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
    }

    const slurm::Job& job_;
    const domain::Decision& decision_;
};

struct Gpus {
    std::optional<std::uint32_t> count;
    std::string type;
};

Expected<Gpus> gpus_in(const std::string& tres) {
    const auto list = slurm::parse_tres(tres);
    const bool is_plain = list && std::all_of(list->begin(), list->end(),
                                              [](const auto& item) { return item.name == "gpu"; });
    const slurm::GpuCount count = is_plain ? slurm::count_gpus(*list) : slurm::GpuCount();
    if (!is_plain || count.typed.size() > 1) {
        return failure("it asks for more than GPUs of one type by the node");
    }
    Gpus gpus;
    if (count.all > 0 && count.all <= domain::unlimited_gpus) {
        gpus.count = static_cast<std::uint32_t>(count.all);
    }
    gpus.type = count.typed.empty() ? std::string() : count.typed.front().type;
    return gpus;
}

Expected<void> read_gpus(const Before& before, request::Submission& own) {
    own.tres_per_node = before.text("tres_per_node");
    own.tres_per_job = before.text("tres_per_job");
    const auto per_node = gpus_in(own.tres_per_node);
    const auto per_job = gpus_in(own.tres_per_job);
    if (!per_node || !per_job) {
        return unexpected(!per_node ? per_node.error() : per_job.error());
    }
    own.gpus.per_node = per_node->count;
    own.gpus.per_job = per_job->count;
    own.gpus.type = per_node->type.empty() ? per_job->type : per_node->type;
    return own.gpus.is_shaped() ? Expected<void>(failure("its owner gave it a shape"))
                                : Expected<void>();
}

}  // namespace

Expected<request::Submission> own_request(const slurm::Job& job, const domain::Decision& decision) {
    if (const std::string field = changed_field(job, decision); !field.empty()) {
        return failure(fmt::format("its {} is not as Hora left it", field));
    }
    const auto is_own = [&](const std::string& tres, std::string_view field) {
        return !tres.empty() && change_of(decision, field) == nullptr;
    };
    if (!slurm::asks_only_for_cpus(job.tres_per_task) || is_own(job.tres_per_job, "tres_per_job") ||
        is_own(job.shape.tres_per_socket, "tres_per_socket")) {
        return failure("its owner gave it a shape");
    }
    const Before before(job, decision);
    request::Submission own = place_of(job);
    own.is_batch = job.is_batch;
    own.submitted = decision.submitted;
    own.features = before.text("features");
    own.prefer = before.text("prefer");
    if (auto done = read_gpus(before, own); !done) {
        return unexpected(done.error());
    }
    own.min_nodes = before.count("min_nodes");
    own.max_nodes = before.count("max_nodes");
    own.tasks = before.count("num_tasks");
    own.tasks_per_node = before.count("ntasks_per_node");
    if (const auto by_gpu = slurm::parse_tres(job.cpus_per_tres); by_gpu && !by_gpu->empty()) {
        own.cpus_per_gpu = static_cast<std::uint32_t>(slurm::count_gpus(*by_gpu).all);
    } else if (!own.is_launcher() || change_of(decision, "cpus_per_task") == nullptr) {
        // A launcher's, that Hora chose, follow its GPUs.
        own.cpus_per_task = before.count_now("cpus_per_task");
    }
    const bool has_own_sockets =
        job.shape.sockets_per_node > 0 && change_of(decision, "sockets_per_node") == nullptr;
    own.has_own_layout = job.has_own_layout || has_own_sockets;
    return own;
}

request::Submission standing_request(const slurm::Job& job, const request::Submission& own) {
    request::Submission standing = own;
    standing.features = job.features;
    standing.prefer = job.prefer;
    standing.min_nodes = job.shape.nodes;
    standing.max_nodes = job.shape.nodes;
    standing.gpus = {};
    if (const auto gpus = gpus_in(job.shape.tres_per_node)) {
        standing.gpus.per_node = gpus->count;
        standing.gpus.type = gpus->type;
    }
    standing.tres_per_node = job.shape.tres_per_node;
    standing.tres_per_job.clear();
    return standing;
}

}  // namespace hora::horad
