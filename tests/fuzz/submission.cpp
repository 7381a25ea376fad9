// Does any submission, whatever its fields hold, break its reader or harm slurmctld?
//
// A line is FIELD=value; "spank" and "environment" are entries of which there may be many.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <variant>

#include "libplanner/read/state/decision_token.hpp"
#include "plugins/job_submit/handle.hpp"
#include "plugins/job_submit/submission_reader.hpp"
#include "tests/bench/submissions.hpp"
#include "tests/fuzz/lines.hpp"
#include "tests/unit/job_submit/daemon_log.hpp"
#include "tests/unit/job_submit/job.hpp"
#include "tests/unit/job_submit/place.hpp"

namespace {

using namespace hora::submit;

using Field = std::variant<char * job_desc_msg_t::*, std::uint16_t job_desc_msg_t::*,
                           std::uint32_t job_desc_msg_t::*, std::uint64_t job_desc_msg_t::*>;

const std::map<std::string_view, Field>& fields() {
    static const std::map<std::string_view, Field> all{
        {"account", &job_desc_msg_t::account},
        {"admin_comment", &job_desc_msg_t::admin_comment},
        {"array_inx", &job_desc_msg_t::array_inx},
        {"bitflags", &job_desc_msg_t::bitflags},
        {"cores_per_socket", &job_desc_msg_t::cores_per_socket},
        {"cpus_per_task", &job_desc_msg_t::cpus_per_task},
        {"cpus_per_tres", &job_desc_msg_t::cpus_per_tres},
        {"exc_nodes", &job_desc_msg_t::exc_nodes},
        {"features", &job_desc_msg_t::features},
        {"max_nodes", &job_desc_msg_t::max_nodes},
        {"mem_per_tres", &job_desc_msg_t::mem_per_tres},
        {"min_cpus", &job_desc_msg_t::min_cpus},
        {"min_nodes", &job_desc_msg_t::min_nodes},
        {"name", &job_desc_msg_t::name},
        {"ntasks_per_node", &job_desc_msg_t::ntasks_per_node},
        {"ntasks_per_tres", &job_desc_msg_t::ntasks_per_tres},
        {"num_tasks", &job_desc_msg_t::num_tasks},
        {"partition", &job_desc_msg_t::partition},
        {"pn_min_memory", &job_desc_msg_t::pn_min_memory},
        {"prefer", &job_desc_msg_t::prefer},
        {"qos", &job_desc_msg_t::qos},
        {"req_nodes", &job_desc_msg_t::req_nodes},
        {"requeue", &job_desc_msg_t::requeue},
        {"reservation", &job_desc_msg_t::reservation},
        {"script", &job_desc_msg_t::script},
        {"shared", &job_desc_msg_t::shared},
        {"time_limit", &job_desc_msg_t::time_limit},
        {"tres_per_job", &job_desc_msg_t::tres_per_job},
        {"tres_per_node", &job_desc_msg_t::tres_per_node},
        {"tres_per_socket", &job_desc_msg_t::tres_per_socket},
        {"tres_per_task", &job_desc_msg_t::tres_per_task},
        {"user_id", &job_desc_msg_t::user_id},
        {"warn_signal", &job_desc_msg_t::warn_signal},
    };
    return all;
}

void set(job_desc_msg_t& job, const Field& field, std::string_view value) {
    if (const auto* const text = std::get_if<char * job_desc_msg_t::*>(&field)) {
        if (job.**text == nullptr) {
            job.** text = daemon_string(std::string(value).c_str());
        }
        return;
    }
    std::uint64_t number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    if (const auto* const one = std::get_if<std::uint16_t job_desc_msg_t::*>(&field)) {
        job.** one = static_cast<std::uint16_t>(number);
    } else if (const auto* const two = std::get_if<std::uint32_t job_desc_msg_t::*>(&field)) {
        job.** two = static_cast<std::uint32_t>(number);
    } else {
        job.*std::get<std::uint64_t job_desc_msg_t::*>(field) = number;
    }
}

void fill(Job& job, std::string_view text) {
    std::vector<std::string> spank;
    std::vector<std::string> environment;
    for (std::string_view line : hora::fuzz::lines_of(text)) {
        const std::string_view name = hora::fuzz::take_until(line, '=');
        const auto field = fields().find(name);
        if (field != fields().end()) {
            set(*job, field->second, line);
        } else if (name == "spank") {
            spank.emplace_back(line);
        } else if (name == "environment") {
            environment.emplace_back(line);
        }
    }
    job.spank(spank);
    job.environment(environment);
}

void check_read(const job_desc_msg_t& job) {
    const auto submission = read_submission(job, 1000);
    if (!submission) {
        return;
    }
    const auto& gpus = submission->gpus;
    for (const auto& count : {gpus.per_job, gpus.per_node, gpus.per_task}) {
        if (count.value_or(1) < 1 || count.value_or(1) > 1'000'000) {
            std::abort();
        }
    }
    for (auto one = submission->options.begin(); one != submission->options.end(); ++one) {
        const auto is_same = [&](const auto& other) { return other.first == one->first; };
        if (std::any_of(std::next(one), submission->options.end(), is_same)) {
            std::abort();
        }
    }
}

bool is_line(const std::string& text) {
    return std::none_of(text.begin(), text.end(), [](char letter) {
        return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f;
    });
}

void check_handled(Job& job) {
    static Place place(hora::bench::snapshot_of(4));
    char* message = nullptr;
    const bool has_own_comment = job->admin_comment != nullptr;
    handle(&place.site(), *job, 1000, &message);
    const auto log = take_log();
    const bool is_loggable = std::all_of(log.begin(), log.end(), [](const std::string& line) {
        return line.size() < 1100 && is_line(line);
    });
    const std::string comment = job->admin_comment == nullptr ? "" : job->admin_comment;
    if (taken(message).size() >= 4200 || !is_loggable ||
        (!has_own_comment && !hora::read::find_decision(comment))) {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::size_t blocks = living_blocks();
    {
        Job job;
        fill(job, hora::fuzz::text_of(data, size));
        static_cast<void>(partitions_of(*job));
        check_read(*job);
        if (names_hora(*job) && check_entries(*job)) {
            check_handled(job);
        }
    }
    if (living_blocks() != blocks) {
        std::abort();
    }
    return 0;
}
