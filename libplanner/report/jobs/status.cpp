// What do people see of what the daemon knows?
#include "libplanner/report/jobs/status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "libplanner/base/counted.hpp"
#include "libplanner/read/state/snapshot.hpp"
#include "libplanner/read/words.hpp"
#include "libplanner/report/duration.hpp"
#include "libplanner/report/jobs/status_json.hpp"
#include "libplanner/report/text/text_table.hpp"

namespace hora::report {
namespace {

constexpr std::size_t longest_why = 120;

std::string time_between(std::int64_t from, std::int64_t to) {
    return duration(Seconds(static_cast<double>(std::max<std::int64_t>(to - from, 0))));
}

read::SnapshotAge judge(const StatusView& view) {
    // A busy controller may keep it waiting for a while.
    constexpr double patience = 4;
    constexpr Seconds least{30};
    return read::judge_age(age_of(view), std::max(least, view.status.interval * patience));
}

std::string time_ahead(const StatusView& view) {
    return time_between(view.now, view.status.written) + " in the future";
}

std::string head_lines(const StatusView& view) {
    const domain::Status& status = view.status;
    const std::string cluster =
        fmt::format("cluster {}: {}, {} idle;", terminal_text(status.cluster, 40),
                    counted(status.gpus, "GPU"), status.idle);
    const std::string daemon = fmt::format(
        "horad on {}, mode {}, policy {}, {}", terminal_text(status.host, 40),
        terminal_text(status.operating, 16), terminal_text(status.policy, 32),
        judge(view) == read::SnapshotAge::ahead ? "written " + time_ahead(view)
                                                : time_between(status.written, view.now) + " ago");
    const bool fits =
        view.width == 0 || terminal_width(cluster) + 1 + terminal_width(daemon) <= view.width;
    std::string text = cluster + (fits ? " " : "\n  ") + daemon + "\n";
    for (const std::string& remark : status.remarks) {
        text += fmt::format("  {}\n", terminal_text(remark, longest_why));
    }
    return text;
}

// "4", or "2>4" while it changes.
std::string size_of(const domain::StatusJob& job) {
    return job.resize      ? fmt::format("{}>{}", job.resize->from, job.resize->to)
           : job.gpus == 0 ? "-"
                           : fmt::format("{}", job.gpus);
}

// "1-8", "1-8 powers", or "1,2,4" where its owner made a list.
std::string limits_of(const domain::StatusJob& job, bool is_short) {
    if (!job.is_elastic || job.min == job.max) {
        return fmt::format("{}", job.requested);
    }
    const std::size_t longest_list = is_short ? 16 : any_width;
    if (job.sizes.find(',') != std::string::npos && job.sizes.size() <= longest_list) {
        return terminal_text(job.sizes, longest_list);
    }
    const bool is_list = job.sizes.find_first_of("0123456789") != std::string::npos;
    return fmt::format("{}-{}{}{}", job.min, job.max, job.sizes.empty() ? "" : " ",
                       is_list ? "listed" : terminal_text(job.sizes, longest_list));
}

std::string share_of(const domain::StatusJob& job) {
    if (job.share) {
        constexpr double rounding = 1e-9;  // 100 * 0.29 is below 29
        return fmt::format("{} %", std::floor(100 * *job.share + rounding));
    }
    return job.step ? fmt::format("step {}", *job.step) : "-";
}

std::string end_of(const domain::StatusJob& job, std::int64_t now) {
    if (!job.ends) {
        return "-";
    }
    return *job.ends <= now ? "now" : time_between(now, *job.ends);
}

std::string gain_of(const domain::StatusJob& job) {
    if (!job.gain) {
        return "-";
    }
    // Less than a second is no difference that anybody could see.
    const double seconds = std::round(job.gain->count());
    return seconds == 0
               ? "0 s"
               : fmt::format("{}{}", seconds < 0 ? '-' : '+', duration(Seconds(std::abs(seconds))));
}

// As squeue has it: "R".
std::string short_state(const std::string& state) {
    constexpr std::pair<std::string_view, std::string_view> known[] = {{"PENDING", "PD"},
                                                                       {"RUNNING", "R"},
                                                                       {"SUSPENDED", "S"},
                                                                       {"CONFIGURING", "CF"},
                                                                       {"COMPLETING", "CG"}};
    for (const auto& [name, letters] : known) {
        if (state == name) {
            return std::string(letters);
        }
    }
    return state;
}

// What is shown of a job; it goes where the table is made that narrow or narrower.
struct JobColumn {
    Column column;
    int gone = 99;
    std::string (*cell)(const domain::StatusJob& job, const StatusView& view);
};

const JobColumn job_columns[] = {
    {{"JOB", true}, 99, [](const auto& job, const auto&) { return job.shown_id(); }},
    {{"USER", false, 12},
     6,
     [](const auto& job, const auto&) {
         return job.user.empty() ? fmt::format("{}", job.uid) : job.user;
     }},
    {{"NAME", false, 20}, 99, [](const auto& job, const auto&) { return job.name; }},
    {{"PARTITION", false, 12}, 1, [](const auto& job, const auto&) { return job.partition; }},
    {{"STATE", false, 12}, 99, [](const auto& job, const auto&) { return job.state; }},
    {{"GPUS", true}, 99, [](const auto& job, const auto&) { return size_of(job); }},
    {{"GPU RANGE", true},
     99,
     [](const auto& job, const auto& view) { return limits_of(job, view.width != 0); }},
    {{"DONE", true}, 99, [](const auto& job, const auto&) { return share_of(job); }},
    {{"STEP TIME", true},
     5,
     [](const auto& job, const auto&) {
         return job.step_seconds ? duration(*job.step_seconds) : "-";
     }},
    {{"ENDS IN", true},
     99,
     [](const auto& job, const auto& view) { return end_of(job, view.now); }},
    {{"GAIN", true}, 99, [](const auto& job, const auto&) { return gain_of(job); }},
    {{"RESTARTS", true},
     4,
     [](const auto& job, const auto&) { return fmt::format("{}", job.restarts); }},
};

// Whole where nothing is said of the width. From degree 2 on states are as short as squeue's, from
// 3 on names are.
std::string job_table(const StatusView& view, int narrowness) {
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows(view.status.jobs.size());
    for (const JobColumn& one : job_columns) {
        if (narrowness >= one.gone) {
            continue;
        }
        const bool is_state = one.column.title == "STATE" && narrowness >= 2;
        columns.push_back(is_state ? Column{"ST"} : one.column);
        if (view.width == 0) {
            columns.back().widest = any_width;
        } else if (narrowness >= 3 && columns.back().widest > 8) {
            columns.back().widest = 8;
        }
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::string cell = one.cell(view.status.jobs[i], view);
            rows[i].push_back(is_state ? short_state(cell) : cell);
        }
    }
    return text_table(columns, rows);
}

// What says least goes first, until each line fits.
std::string job_table(const StatusView& view) {
    constexpr int narrowest = 6;
    if (view.status.jobs.empty()) {
        return view.is_part ? "no job with Hora's options of the requested users\n"
                            : "no job with Hora's options\n";
    }
    std::string table = job_table(view, 0);
    for (int narrowness = 1; view.width != 0 && narrowness <= narrowest; ++narrowness) {
        std::string_view rest = table;
        std::size_t widest = 0;
        while (!rest.empty()) {
            widest = std::max(widest, terminal_width(read::take_until(rest, '\n')));
        }
        if (widest <= view.width) {
            break;
        }
        table = job_table(view, narrowness);
    }
    return table;
}

std::string resize_lines(const StatusView& view) {
    std::string text;
    for (const domain::StatusJob& job : view.status.jobs) {
        if (job.resize) {
            text +=
                fmt::format("  job {}: {} -> {}, {} for {}: {}\n", job.shown_id(), job.resize->from,
                            counted(job.resize->to, "GPU"), terminal_text(job.resize->state, 24),
                            time_between(job.resize->since, view.now),
                            terminal_text(job.resize->why, longest_why));
        }
    }
    return text.empty() ? text : "under way\n" + text;
}

std::string decision_lines(const StatusView& view) {
    std::string text;
    for (const domain::StatusJob& job : view.status.jobs) {
        if (!job.decision || job.resize) {
            continue;
        }
        const domain::StatusDecision& last = *job.decision;
        const std::string what = last.is_done ? fmt::format("to {}", last.to)
                                 : last.to == job.gpus
                                     ? fmt::format("would restart with {}", last.to)
                                     : fmt::format("would go to {}", last.to);
        text +=
            fmt::format("  job {}: {}, {} ago: {}\n", job.shown_id(), what,
                        time_between(last.when, view.now), terminal_text(last.why, longest_why));
    }
    return text.empty() ? text : "decided\n" + text;
}

std::string held_lines(const StatusView& view) {
    std::string text;
    for (const domain::StatusJob& job : view.status.jobs) {
        if (job.held && !job.resize) {
            text += fmt::format("  job {}: {}\n", job.shown_id(), words_of(*job.held));
        }
    }
    return text.empty() ? text : "held by time limits\n" + text;
}

std::string staying_lines(const StatusView& view) {
    std::string text;
    for (const domain::StatusJob& job : view.status.jobs) {
        if (!job.stays.empty() && !job.resize && !job.held) {
            text += fmt::format("  job {}: {}\n", job.shown_id(),
                                terminal_text(job.stays, longest_why));
        }
    }
    return text.empty() ? text : "unchanged\n" + text;
}

// As the table calls it; a job that it does not have by its number.
std::string shown_id(const domain::Status& status, std::uint32_t id) {
    const auto job = std::find_if(status.jobs.begin(), status.jobs.end(),
                                  [&](const auto& one) { return one.id == id; });
    return job == status.jobs.end() ? fmt::format("{}", id) : job->shown_id();
}

std::string next_lines(const StatusView& view) {
    std::string text;
    for (const domain::StatusNext& next : view.status.next) {
        const std::string when = !next.when ? ""
                                 : *next.when <= view.now
                                     ? ", now"
                                     : ", in " + time_between(view.now, *next.when);
        text +=
            fmt::format("  job {}: {} -> {}{}: {}\n", shown_id(view.status, next.job), next.from,
                        counted(next.to, "GPU"), when, terminal_text(next.why, longest_why));
    }
    return text.empty() ? text : "next\n" + text;
}

std::string other_lines(const domain::Status& status) {
    return status.others_waiting == 0 ? std::string()
                                      : fmt::format("{} without Hora's options wait{} for {}\n",
                                                    counted(status.others_waiting, "job"),
                                                    status.others_waiting == 1 ? "s" : "",
                                                    counted(status.others_gpus, "GPU"));
}

}  // namespace

Seconds age_of(const StatusView& view) {
    return Seconds(static_cast<double>(view.now - view.status.written));
}

bool is_stale(const StatusView& view) {
    return judge(view) != read::SnapshotAge::usable;
}

std::string staleness(const StatusView& view) {
    const std::string host = terminal_text(view.status.host, 64);
    if (judge(view) == read::SnapshotAge::ahead) {
        return fmt::format(
            "the status of horad on {} was written {}; does its clock differ, or was the clock set "
            "back? 'systemctl status horad' there says whether it is alive",
            host, time_ahead(view));
    }
    return fmt::format(
        "horad on {} has written nothing for {}; is it alive? 'systemctl status horad' there says "
        "so, and 'journalctl -u horad' why not",
        host, duration(age_of(view)));
}

std::string words_of(const domain::StatusHold& held) {
    return fmt::format("keeps {} instead of {}: {}", counted(held.gpus, "GPU"), held.otherwise,
                       terminal_text(held.why, longest_why));
}

std::string to_text(const StatusView& view) {
    return head_lines(view) + job_table(view) + resize_lines(view) + decision_lines(view) +
           held_lines(view) + staying_lines(view) + next_lines(view) + other_lines(view.status);
}

std::string to_json(const StatusView& view) {
    auto root = nlohmann::ordered_json::parse(to_json(view.status));
    root["age"] = age_of(view).count();
    root["stale"] = is_stale(view);
    return root.dump(2) + "\n";
}

}  // namespace hora::report
