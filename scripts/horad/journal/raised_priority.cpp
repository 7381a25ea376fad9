// Which priority has Hora given a job that restarts at another size, and which one is its own?
#include "scripts/horad/journal/raised_priority.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "libplanner/read/leading_number.hpp"
#include "libplanner/read/words.hpp"
#include "plugins/slurm/jobs/comment_word.hpp"

namespace hora::horad {
namespace {

constexpr std::string_view key = "hora-priority=";
constexpr std::int64_t largest_nice = 0x7fffffff;
// What slurmctld takes at most.
constexpr std::int64_t most_of_slurms = largest_nice - 2;

// "OWN:RAISED", or "OWN:RAISED:NICE"; a torn word is none.
std::optional<RaisedPriority> parse(std::string_view word) {
    RaisedPriority priority;
    if (!read::take_number(word, priority.own) || !word.starts_with(':')) {
        return std::nullopt;
    }
    word.remove_prefix(1);
    if (!read::take_number(word, priority.raised)) {
        return std::nullopt;
    }
    if (word.starts_with(':')) {
        word.remove_prefix(1);
        if (!read::take_number(word, priority.nice) || priority.nice < -largest_nice ||
            priority.nice > largest_nice) {
            return std::nullopt;
        }
    }
    return word.empty() ? std::optional(priority) : std::nullopt;
}

// Never 0, which an operator who sets a priority leaves.
std::int64_t other_nice(std::int64_t nice) {
    return nice == -1 || nice >= most_of_slurms ? nice - 1 : nice + 1;
}

slurm::JobChange leave_reservation(const slurm::Job& job) {
    slurm::JobChange change;
    if (job.is_in_restart_reservation) {
        change.reservation = "";
    }
    return change;
}

bool share_one(std::string_view some, std::string_view others) {
    const auto all = read::split_words(others);
    const auto one = read::split_words(some);
    return std::any_of(one.begin(), one.end(), [&](const auto& name) {
        return std::find(all.begin(), all.end(), name) != all.end();
    });
}

}  // namespace

std::optional<RaisedPriority> find_raised(std::string_view comment) {
    return slurm::value_of_word(comment, key, parse);
}

std::string without_raised(std::string_view comment) {
    return slurm::without_word(comment, key);
}

std::string with_raised(std::string_view comment, const RaisedPriority& priority) {
    const std::string nice = priority.nice != 0 ? fmt::format(":{}", priority.nice) : "";
    return slurm::with_word(comment, key,
                            fmt::format("{}:{}{}", priority.own, priority.raised, nice));
}

slurm::JobChange ask_whose(const slurm::Job& job) {
    slurm::JobChange change;
    change.nice = other_nice(job.nice);
    change.kept_from = job.uid;
    change.admin_comment =
        with_raised(job.admin_comment, {.own = 0, .raised = 0, .nice = job.nice});
    return change;
}

RaisedPriority own_of(const slurm::Job& job, const RaisedPriority& asked) {
    if (job.nice == other_nice(asked.nice)) {
        return {.own = 0, .raised = 0, .nice = asked.nice};
    }
    // 0: set since.
    const bool is_set = job.nice == asked.nice || job.nice == 0;
    return {.own = is_set ? job.priority : 0, .raised = 0, .nice = job.nice};
}

slurm::JobChange give_back(const slurm::Job& job, const RaisedPriority& priority) {
    slurm::JobChange change = leave_reservation(job);
    change.admin_comment = without_raised(job.admin_comment);
    if (priority.raised == 0) {
        if (job.nice == other_nice(priority.nice)) {
            change.nice = priority.nice;
        }
        return change;
    }
    // A hold, or what somebody else has given it meanwhile, stays.
    if (job.priority == priority.raised) {
        change.forgets_priority = priority.own == 0;
        if (priority.own != 0) {
            change.priority = priority.own;
        } else if (priority.nice != 0) {
            change.nice = priority.nice;
        }
    }
    return change;
}

slurm::JobChange give_back(const slurm::Job& job) {
    const auto raised = find_raised(job.admin_comment);
    return raised ? give_back(job, *raised) : leave_reservation(job);
}

bool has_ours(const slurm::Job& job) {
    return job.is_in_restart_reservation || find_raised(job.admin_comment);
}

slurm::JobChange release_of(const slurm::Job& job) {
    slurm::JobChange change = leave_reservation(job);
    change.forgets_priority = true;
    if (const auto raised = find_raised(job.admin_comment)) {
        change.admin_comment = without_raised(job.admin_comment);
        if (raised->nice != 0) {
            change.nice = raised->nice;
        }
    }
    return change;
}

std::uint32_t highest_waiting(const std::vector<slurm::Job>& jobs, const slurm::Job& job) {
    std::uint32_t highest = 0;
    for (const slurm::Job& other : jobs) {
        if (other.id != job.id && other.state == slurm::JobState::pending &&
            share_one(other.partition, job.partition)) {
            highest = std::max(highest, other.priority);
        }
    }
    return highest;
}

}  // namespace hora::horad
