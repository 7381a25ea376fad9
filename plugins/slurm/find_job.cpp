// What do Slurm's controller and its accounting know of one job?
#include "plugins/slurm/find_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <span>
#include <utility>
#include <vector>

#include "libplanner/read/index_ranges.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/words.hpp"
#include "plugins/slurm/command_output.hpp"
#include "plugins/slurm/messages.hpp"
#include "plugins/slurm/squeue_id.hpp"
#include "plugins/slurm/system_user.hpp"

namespace hora::slurm {
namespace {

// Slurm has no public function for it; the numbers are the same in every version.
std::string state_name(std::uint32_t state) {
    constexpr std::array<std::string_view, 13> names{
        "PENDING",   "RUNNING",   "SUSPENDED", "COMPLETED", "CANCELLED",     "FAILED", "TIMEOUT",
        "NODE_FAIL", "PREEMPTED", "BOOT_FAIL", "DEADLINE",  "OUT_OF_MEMORY", "UNKNOWN"};
    const std::uint32_t base = state & JOB_STATE_BASE;
    return std::string(names[base < names.size() ? base : names.size() - 1]);
}

bool is_meant(const slurm_job_info_t& job, const JobNumber& number) {
    if (number.component) {
        return job.het_job_offset == *number.component;
    }
    if (number.task) {
        return job.array_task_id == *number.task;
    }
    return true;
}

// Of the tasks "2-7%3" of an array, at most three of which run at a time.
bool waits_in(const slurm_job_info_t& job, std::uint32_t task) {
    constexpr std::uint32_t most_tasks = 4'000'001;  // the greatest MaxArraySize
    const std::string_view tasks = text_of(job.array_task_str);
    const auto waiting = read::expand_ranges(tasks.substr(0, tasks.find('%')), most_tasks);
    // What cannot be read, as a list that Slurm has cut, may hold it.
    return !tasks.empty() &&
           (!waiting || std::binary_search(waiting->begin(), waiting->end(), task));
}

FoundJob record_of(const slurm_job_info_t& job) {
    return {.job = job_id(job),
            .squeue_id = squeue_id(job),
            .name = std::string(text_of(job.name)),
            .state = state_name(job.job_state),
            .user = user_name(job.user_id),
            .uid = job.user_id,
            .work_directory = std::string(text_of(job.work_dir)),
            .admin_comment = std::string(text_of(job.admin_comment)),
            .is_bound_to_sockets = !text_of(job.tres_per_socket).empty(),
            .submitted = job.submit_time};
}

// Empty where the controller has no such job (any more).
Expected<std::optional<FoundJob>> ask_controller(const JobNumber& number) {
    job_info_msg_t* raw = nullptr;
    if (load_job(&raw, number.job, SHOW_ALL | SHOW_DETAIL) != SLURM_SUCCESS) {
        const int error = errno;
        if (error == ESLURM_INVALID_JOB_ID) {
            return std::nullopt;
        }
        return failure(fmt::format("the controller does not answer for job {}: {}", number.job,
                                   slurm_strerror(error)));
    }
    const JobRecords answer(raw);
    const std::span jobs(answer->job_array, answer->record_count);
    for (const slurm_job_info_t& job : jobs) {
        if (is_meant(job, number)) {
            return record_of(job);
        }
    }
    // A task of an array that has not been split off yet is a part of the array's own record.
    const auto waiting = std::find_if(jobs.begin(), jobs.end(), [&](const slurm_job_info_t& job) {
        return number.task && waits_in(job, *number.task);
    });
    return waiting == jobs.end() ? std::nullopt : std::optional(record_of(*waiting));
}

Expected<std::string> run_sacct(const JobNumber& number) {
    // Nothing but digits, '_' and '+' comes from outside.
    const std::string command = fmt::format(
        "sacct -n -X -P --delimiter='{}' -j {} -o "
        "JobIDRaw,JobID,State,User,UID,AdminComment,JobName,WorkDir",
        accounting_separator, target_of(number));
    auto output = output_of(command);
    if (!output) {
        return unexpected(output.error());
    }
    return std::move(output->text);
}

std::vector<std::string> fields_of(std::string_view line) {
    const auto words = read::split_words(line, accounting_separator);
    return {words.begin(), words.end()};
}

std::string_view first_line(std::string_view text) {
    return text.substr(0, text.find('\n'));
}

std::uint32_t number_in(const std::string& digits) {
    std::uint32_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

Expected<FoundJob> ask_accounting(const JobNumber& number) {
    const auto output = run_sacct(number);
    if (!output) {
        return unexpected(output.error());
    }
    auto job = read_accounting(*output);
    if (!job) {
        const std::string why = output->empty()
                                    ? "accounting does not know it either"
                                    : "no accounting: " + fields_of(first_line(*output)).front();
        return failure(fmt::format("no job {} in Slurm's memory, and {}", target_of(number), why));
    }
    return *std::move(job);
}

Expected<std::uint32_t> take_number(std::string_view& text) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) {
        return wrong_use("");
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

}  // namespace

Expected<JobNumber> parse_job_number(std::string_view text) {
    constexpr std::uint32_t most = 0xfffffffd;  // NO_VAL and INFINITE name no job
    const auto bad = wrong_use(
        fmt::format("{} is no job id; give 12, 12_3 (a task of an array) or 12+1 (a component)",
                    read::quoted(text)));
    JobNumber number;
    const auto job = take_number(text);
    if (!job || *job == 0 || *job > most) {
        return bad;
    }
    number.job = *job;
    if (text.starts_with('_') || text.starts_with('+')) {
        const bool is_task = text.front() == '_';
        text.remove_prefix(1);
        const auto part = take_number(text);
        if (!part) {
            return bad;
        }
        (is_task ? number.task : number.component) = *part;
    }
    return text.empty() ? Expected<JobNumber>(number) : bad;
}

std::string target_of(const JobNumber& number) {
    if (number.task) {
        return fmt::format("{}_{}", number.job, *number.task);
    }
    return number.component ? fmt::format("{}+{}", number.job, *number.component)
                            : std::to_string(number.job);
}

std::optional<FoundJob> read_accounting(std::string_view text) {
    std::vector<std::string> fields = fields_of(first_line(text));
    if (fields.size() < 8) {
        return std::nullopt;
    }
    return FoundJob{.job = number_in(fields[0]),
                    .squeue_id = std::move(fields[1]),
                    .name = std::move(fields[6]),
                    .state = std::move(fields[2]),
                    .user = std::move(fields[3]),
                    .uid = number_in(fields[4]),
                    .work_directory = std::move(fields[7]),
                    .admin_comment = std::move(fields[5]),
                    .is_bound_to_sockets = std::nullopt,
                    .submitted = 0};
}

Expected<FoundJob> find_job(const JobNumber& number) {
    auto record = ask_controller(number);
    if (!record) {
        return unexpected(record.error());
    }
    return *record ? Expected<FoundJob>(std::move(**record)) : ask_accounting(number);
}

}  // namespace hora::slurm
