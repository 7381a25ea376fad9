// `hora timeline`: what did all ranks of a job do, on one clock?
// Setting: "checkpoint.path", where a job keeps its records.
#include "scripts/hora/timeline/timeline.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config.h"
#include "libplanner/base/counted.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/settings/checkpoint_path.hpp"
#include "libplanner/report/html/timeline_page.hpp"
#include "libplanner/report/jobs/chrome_trace.hpp"
#include "libplanner/trace/timeline.hpp"
#include "libplanner/trace/waiting.hpp"
#include "scripts/hora/command/html_file.hpp"
#include "scripts/hora/timeline/trace_folder.hpp"
#ifdef HAVE_SLURM
#include "plugins/slurm/find_job.hpp"
#include "plugins/slurm/start.hpp"
#include "scripts/hora/jobs/job_folder.hpp"
#include "scripts/hora/jobs/site_plans.hpp"
#endif

namespace hora::scripts {
namespace {

struct Options {
    std::string source;
    std::string html;
};

bool is_folder(const std::string& path) {
    struct stat found {};
    return stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

#ifdef HAVE_SLURM
// When the job was submitted first, which its plan has kept; 0 without one.
std::int64_t first_submission(const slurm::FoundJob& job) {
    const auto decision = SitePlans().find(job.admin_comment);
    return decision && *decision ? (*decision)->submitted : 0;
}

// Its name has the second in which sbatch began, which a plan keeps. Without one there is Slurm's
// time of the submission, which on a busy machine is some seconds later.
Expected<std::string> folder_of(const slurm::FoundJob& job) {
    constexpr std::int64_t longest = 10;
    const std::int64_t kept = first_submission(job);
    const auto named = [&](std::int64_t submitted) {
        return job_folder(job, submitted).map([](const std::string& folder) {
            return fmt::format("{}/{}", folder, read::trace_folder);
        });
    };
    auto latest = named(kept != 0 ? kept : job.submitted);
    if (kept != 0 || !latest || is_folder(*latest)) {
        return latest;
    }
    for (std::int64_t earlier = 1; earlier <= longest; ++earlier) {
        if (auto folder = named(job.submitted - earlier); folder && is_folder(*folder)) {
            return folder;
        }
    }
    return latest;
}

Expected<TraceFolder> read_job(const std::string& name) {
    const auto number = slurm::parse_job_number(name);
    if (!number) {
        return wrong_use(fmt::format("{} is neither a folder nor a job", read::quoted(name)));
    }
    if (const auto started = slurm::start("hora"); !started) {
        return unexpected(started.error());
    }
    const auto job = slurm::find_job(*number);
    if (!job) {
        return unexpected(job.error());
    }
    const auto folder = folder_of(*job);
    if (!folder) {
        return unexpected(folder.error());
    }
    auto found = read_trace_folder(*folder);
    if (!found) {
        return unexpected(
            {fmt::format("job {}: {}; where its HORA_TRACE_DIR was another folder, name that",
                         job->squeue_id, found.error().message)});
    }
    return found;
}
#else
Expected<TraceFolder> read_job(const std::string& name) {
    return wrong_use(
        fmt::format("{} is no folder, and this hora is built without Slurm, so that it "
                    "knows no jobs",
                    read::quoted(name)));
}
#endif

void remark(const std::string& text) {
    report(Error{text});
}

void say_what_is_left_out(const TraceFolder& folder) {
    if (!folder.others.empty()) {
        remark(fmt::format("the newest of {} is shown: {}",
                           counted(folder.others.size() + 1, "folder"),
                           read::quoted_path(folder.path)));
    }
    for (const std::string& file : folder.empty_files) {
        remark(fmt::format("{} is empty: its process ended before it wrote", read::quoted(file)));
    }
}

// A picture of it would be empty.
Expected<void> check_that_some_is_shown(const TraceFolder& folder) {
    const auto has_some = [](const domain::RankRecord& record) {
        return !record.calls.empty() || !record.steps.empty();
    };
    if (std::ranges::any_of(folder.records, has_some)) {
        return {};
    }
    return failure(fmt::format(
        "no process of {} in the folder {} recorded a call: they ended before they communicated, "
        "or do so by nothing that is recorded, see hora-trace(5)",
        folder.records.size(), read::quoted_path(folder.path)));
}

Expected<void> run(const Options& options) {
    auto folder = is_folder(options.source) || options.source.find('/') != std::string::npos
                      ? read_trace_folder(options.source)
                      : read_job(options.source);
    if (!folder) {
        return unexpected(folder.error());
    }
    say_what_is_left_out(*folder);
    if (auto some = check_that_some_is_shown(*folder); !some) {
        return some;
    }
    const trace::Timeline timeline = trace::make_timeline(std::move(folder->records));
    const std::optional<Seconds> waiting = trace::waiting_of_step(timeline);
    const std::vector<std::string> remarks = report::timeline_remarks(timeline, waiting);
    for (const std::string& text : remarks) {
        remark(text);
    }
    if (options.html.empty()) {
        report::write_chrome_trace(timeline, waiting, [](std::string_view text) {
            std::fwrite(text.data(), 1, text.size(), stdout);
        });
        return {};
    }
    return write_html(
        [&](std::string_view library) {
            return report::timeline_html(timeline, remarks, "Timeline of " + options.source,
                                         library);
        },
        options.html);
}

}  // namespace

void add_timeline_command(CLI::App& app, Outcome& outcome) {
    const auto options = std::make_shared<Options>();
    CLI::App* const command = app.add_subcommand(
        "timeline", "Show what all ranks of a job did, as a trace for Perfetto or as a page");
    command->add_option("source", options->source, "A folder of records, or a job: 12, 12_3, 12+1")
        ->required()
        ->type_name("DIR|JOBID")
        ->check(&not_empty);
    command
        ->add_option("--html", options->html,
                     "Write a page instead: one file that needs no other; - for stdout")
        ->type_name("FILE")
        ->check(&not_empty);
    command->callback([&outcome, options] {
        if (const auto done = run(*options); !done) {
            outcome.exit = report(done.error());
        }
    });
}

}  // namespace hora::scripts
