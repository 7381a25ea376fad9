// A job_desc_msg_t as a client sends it, in the daemon's memory.
#pragma once

#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/slurm/compat.hpp"
#include "tests/unit/job_submit/daemon_memory.hpp"

namespace hora::submit {

// A text that the plugin has set, and frees it.
inline std::string taken(char*& text) {
    const std::string value = text == nullptr ? "" : text;
    void* memory = text;
    slurm_xfree(&memory);
    text = nullptr;
    return value;
}

class Job {
  public:
    Job() {
        std::memset(&message_, 0, sizeof message_);
        message_.min_nodes = message_.max_nodes = message_.num_tasks = NO_VAL;
        message_.min_cpus = message_.time_limit = message_.user_id = NO_VAL;
        message_.ntasks_per_node = message_.cpus_per_task = message_.shared = NO_VAL16;
        message_.ntasks_per_tres = NO_VAL16;
        message_.pn_min_memory = NO_VAL64;
    }
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    ~Job() {
        for (char* text : {message_.account,
                           message_.array_inx,
                           message_.batch_features,
                           message_.burst_buffer,
                           message_.clusters,
                           message_.comment,
                           message_.cpu_bind,
                           message_.dependency,
                           message_.exc_nodes,
                           message_.licenses,
                           message_.mail_user,
                           message_.name,
                           message_.network,
                           message_.qos,
                           message_.req_nodes,
                           message_.reservation,
                           message_.std_out,
                           message_.submit_line,
                           message_.tres_bind,
                           message_.tres_freq,
                           message_.wckey,
                           message_.work_dir,
                           message_.x11_magic_cookie,
                           message_.script,
                           message_.partition,
                           message_.tres_per_node,
                           message_.tres_per_job,
                           message_.tres_per_task,
                           message_.tres_per_socket,
                           message_.cpus_per_tres,
                           message_.mem_per_tres,
                           message_.features,
                           message_.prefer,
                           message_.admin_comment}) {
            release(text);
        }
        release(message_.environment, message_.env_size);
        release(message_.spank_job_env, message_.spank_job_env_size);
    }

    job_desc_msg_t& operator*() { return message_; }
    job_desc_msg_t* operator->() { return &message_; }

    void environment(std::initializer_list<const char*> entries) {
        fill(message_.environment, message_.env_size, entries);
    }
    void spank(std::initializer_list<const char*> entries) {
        fill(message_.spank_job_env, message_.spank_job_env_size, entries);
    }
    void environment(const std::vector<std::string>& entries) {
        fill(message_.environment, message_.env_size, entries);
    }
    void spank(const std::vector<std::string>& entries) {
        fill(message_.spank_job_env, message_.spank_job_env_size, entries);
    }
    std::vector<std::string> environment() const {
        return {message_.environment, message_.environment + message_.env_size};
    }
    std::vector<std::string> spank() const {
        return {message_.spank_job_env, message_.spank_job_env + message_.spank_job_env_size};
    }

  private:
    static void release(char* text) {
        void* memory = text;
        slurm_xfree(&memory);
    }
    static void release(char** entries, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            release(entries[i]);
        }
        void* memory = entries;
        slurm_xfree(&memory);
    }
    template <class Entries>
    static void fill(char**& place, std::uint32_t& count, const Entries& entries) {
        place = static_cast<char**>(
            slurm_xcalloc(entries.size(), sizeof(char*), true, false, "", 0, ""));
        for (const std::string_view entry : entries) {
            place[count++] = daemon_string(std::string(entry).c_str());
        }
    }

    job_desc_msg_t message_;
};

}  // namespace hora::submit
