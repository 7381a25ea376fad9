// How are the changes carried into a job_desc_msg_t? In slurmctld's own memory.
#include "plugins/job_submit/apply.hpp"

#include <algorithm>
#include <string_view>

#include "libplanner/report/jobs/decision_token.hpp"

namespace hora::submit {
namespace {

void set(char*& place, const std::optional<std::string>& value) {
    if (value) {
        slurm::set_string(place, value->empty() ? nullptr : value->c_str());
    }
}

template <class Field, class Number>
void set(Field& place, const std::optional<Number>& value) {
    if (value) {
        place = *value;
    }
}

bool names(const char* entry, std::string_view variable) {
    const std::string_view line = entry == nullptr ? std::string_view() : entry;
    return line.size() > variable.size() && line.starts_with(variable) &&
           line[variable.size()] == '=';
}

// An array of NAME=value strings and its length, as two places of job_desc_msg_t have them.
class Variables {
  public:
    Variables(char**& entries, std::uint32_t& count) : entries_(entries), count_(count) {}

    void unset(std::string_view name) {
        std::uint32_t kept = 0;
        for (std::uint32_t i = 0; i < count_; ++i) {
            if (names(entries_[i], name)) {
                release(entries_[i]);
            } else {
                entries_[kept++] = entries_[i];
            }
        }
        std::fill(entries_ + kept, entries_ + count_, nullptr);
        count_ = kept;
    }

    void set(const std::string& name, const std::string& value) {
        unset(name);
        void* grown = entries_;
        // One beyond the last stays null, as readers that do not count expect. Not `may_fail`:
        // without memory slurmctld ends itself, here as everywhere.
        slurm_xrecalloc(&grown, std::size_t{count_} + 2, sizeof(char*), true, false, __FILE__,
                        __LINE__, __func__);
        entries_ = static_cast<char**>(grown);
        entries_[count_++] = slurm_xstrdup((name + "=" + value).c_str());
    }

  private:
    static void release(char* entry) {
        void* memory = entry;
        slurm_xfree(&memory);
    }

    char**& entries_;
    std::uint32_t& count_;
};

}  // namespace

void apply(const request::Rewrite& rewrite, job_desc_msg_t& job) {
    set(job.min_nodes, rewrite.min_nodes);
    set(job.max_nodes, rewrite.max_nodes);
    set(job.num_tasks, rewrite.num_tasks);
    set(job.min_cpus, rewrite.min_cpus);
    set(job.ntasks_per_node, rewrite.ntasks_per_node);
    set(job.cpus_per_task, rewrite.cpus_per_task);
    set(job.tres_per_node, rewrite.tres_per_node);
    set(job.tres_per_job, rewrite.tres_per_job);
    set(job.tres_per_task, rewrite.tres_per_task);
    set(job.tres_per_socket, rewrite.tres_per_socket);
    set(job.sockets_per_node, rewrite.sockets_per_node);
    set(job.cores_per_socket, rewrite.cores_per_socket);
    set(job.features, rewrite.features);
    set(job.prefer, rewrite.prefer);
    Variables environment(job.environment, job.env_size);
    for (const std::string& name : rewrite.unset) {
        environment.unset(name);
    }
    for (const auto& [name, value] : rewrite.set) {
        environment.set(name, value);
    }
    Variables control(job.spank_job_env, job.spank_job_env_size);
    for (const auto& [name, value] : rewrite.tell) {
        control.set(name, value);
    }
}

void keep_contract(const request::Contract& contract, job_desc_msg_t& job) {
    if (!contract.is_kept()) {
        return;
    }
    job.requeue = 1;
    if (contract.appends) {
        job.open_mode = OPEN_MODE_APPEND;
    }
    if (contract.warning) {
        job.warn_signal = contract.warning->signal;
        job.warn_time = contract.warning->seconds;
        job.warn_flags = 0;  // to the steps
    }
    Variables environment(job.environment, job.env_size);
    for (const std::string& name : contract.unset) {
        environment.unset(name);
    }
    for (const auto& [name, value] : contract.set) {
        environment.set(name, value);
    }
}

void keep_token(const std::string& token, job_desc_msg_t& job) {
    const std::string_view comment =
        job.admin_comment == nullptr ? std::string_view() : job.admin_comment;
    slurm::set_string(job.admin_comment, report::with_token(comment, token).c_str());
}

}  // namespace hora::submit
