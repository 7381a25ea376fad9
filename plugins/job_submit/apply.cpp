// How are the changes carried into a job_desc_msg_t? In slurmctld's own memory.
#include "plugins/job_submit/apply.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string_view>
#include <type_traits>
#include <variant>

#include "libplanner/report/jobs/decision_token.hpp"
#include "plugins/slurm/jobs/request_fields.hpp"

namespace hora::submit {
namespace {

void set(char*& place, const std::string& value) {
    slurm::set_string(place, value.empty() ? nullptr : value.c_str());
}

// The highest numbers mean something else to Slurm.
template <class Number>
void set(Number& place, std::uint32_t value) {
    place =
        static_cast<Number>(std::min<std::uint64_t>(value, std::numeric_limits<Number>::max() - 2));
}

template <class Field>
void set(const request::RequestField& field, Field job_desc_msg_t::*place,
         const request::Rewrite& rewrite, job_desc_msg_t& job) {
    using Kind =
        std::conditional_t<std::is_pointer_v<Field>, request::TextField, request::NumberField>;
    if (const auto& after = rewrite.*std::get<Kind>(field).after) {
        set(job.*place, *after);
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
    for (std::size_t i = 0; i < std::size(slurm::slurm_fields); ++i) {
        std::visit([&](auto place) { set(request::request_fields[i], place, rewrite, job); },
                   slurm::slurm_fields[i].place);
    }
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
