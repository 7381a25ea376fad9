// `hora relax`: which jobs have waited long enough for GPUs that lie together?
#include "scripts/hora/relax.hpp"

#include <fmt/format.h>
#include <slurm/slurm.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "libplanner/read/decision_token.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/report/decision_token.hpp"
#include "libplanner/report/duration.hpp"
#include "plugins/slurm/find_job.hpp"
#include "plugins/slurm/pending_job.hpp"

namespace hora::scripts {
namespace {

struct Options {
    std::vector<std::string> jobs;
    bool is_dry = false;
    bool is_json = false;
};

enum class Result { relaxed, due, unconstrained, started, refused };

constexpr std::string_view result_names[] = {"relaxed", "due", "unconstrained", "started",
                                             "refused"};

struct Line {
    std::string job;
    Result result = Result::unconstrained;
    Seconds waited;
    std::string message;
};

// The decision of a job that Hora holds to sockets.
std::optional<domain::Decision> constraint_of(const slurm::PendingJob& job) {
    if (!job.is_bound_to_sockets) {
        return std::nullopt;
    }
    auto decision = read::find_decision(job.admin_comment);
    const bool is_ours = decision && *decision && (*decision)->operating == "act" &&
                         (*decision)->placement.is_enforced;
    return is_ours ? std::move(*decision) : std::nullopt;
}

Seconds waited(const slurm::PendingJob& job, std::int64_t now) {
    return Seconds(job.eligible == 0 ? 0.0 : static_cast<double>(now - job.eligible));
}

Line relax(const slurm::PendingJob& job, domain::Decision decision, std::int64_t now, bool is_dry) {
    Line line{.job = job.name, .result = Result::due, .waited = waited(job, now), .message = {}};
    if (is_dry) {
        return line;
    }
    const auto freed = slurm::free_of_sockets(job);
    if (!freed) {
        line.result = Result::refused;
        line.message = freed.error().message;
        return line;
    }
    line.result = *freed == slurm::Freed::done ? Result::relaxed : Result::started;
    if (line.result == Result::relaxed) {
        decision.placement.relaxed = now;
        const std::string comment =
            report::with_token(job.admin_comment, report::to_token(decision));
        // An owner may not; `hora explain` sees by the request that he has relaxed it.
        if (const auto kept = slurm::set_admin_comment(job.name, comment); !kept) {
            line.message = kept.error().message;
        }
    }
    return line;
}

std::vector<Line> relax_due(const std::vector<slurm::PendingJob>& pending, std::int64_t now,
                            bool is_dry) {
    std::vector<Line> lines;
    for (const slurm::PendingJob& job : pending) {
        auto decision = constraint_of(job);
        if (decision && job.eligible != 0 && job.eligible <= now &&
            !(waited(job, now) < decision->placement.wait)) {
            lines.push_back(relax(job, std::move(*decision), now, is_dry));
        }
    }
    return lines;
}

// 12 stands for all records of an array or of a heterogeneous job.
bool is_named(const slurm::PendingJob& job, const std::string& name) {
    return job.name == name || job.name.starts_with(name + "_") || job.name.starts_with(name + "+");
}

Expected<std::vector<Line>> relax_named(const std::string& name,
                                        const std::vector<slurm::PendingJob>& pending,
                                        std::int64_t now, bool is_dry) {
    std::vector<Line> lines;
    for (const slurm::PendingJob& job : pending) {
        if (!is_named(job, name)) {
            continue;
        }
        auto decision = constraint_of(job);
        lines.push_back(decision ? relax(job, std::move(*decision), now, is_dry)
                                 : Line{job.name, Result::unconstrained, waited(job, now), {}});
    }
    if (lines.empty()) {
        const auto known = slurm::parse_job_number(name).and_then(slurm::find_job);
        if (!known) {
            return unexpected(known.error());
        }
        lines.push_back({name, Result::started, Seconds(0), {}});
    }
    return lines;
}

std::string text_of(const Line& line) {
    const std::string after =
        line.waited == Seconds(0) ? std::string() : " after " + report::duration(line.waited);
    switch (line.result) {
        case Result::relaxed:
            return fmt::format("job {}  relaxed{}: Slurm chooses among all GPUs\n", line.job,
                               after);
        case Result::due:
            return fmt::format("job {}  would be relaxed{}\n", line.job, after);
        case Result::started:
            return fmt::format("job {}  no longer waits: nothing to relax\n", line.job);
        case Result::unconstrained:
            return fmt::format("job {}  is held to no placement of Hora's: nothing to relax\n",
                               line.job);
        case Result::refused:
            break;
    }
    return {};
}

std::string json_of(const std::vector<Line>& lines) {
    using nlohmann::ordered_json;
    ordered_json jobs = ordered_json::array();
    for (const Line& line : lines) {
        jobs.push_back({{"job", line.job},
                        {"result", result_names[static_cast<std::size_t>(line.result)]},
                        {"waited", line.waited.count()},
                        {"message", line.message}});
    }
    const ordered_json object{{"version", 1}, {"jobs", jobs}};
    return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Expected<std::vector<Line>> run(const Options& options) {
    for (const std::string& name : options.jobs) {
        if (const auto number = slurm::parse_job_number(name); !number) {
            return unexpected(number.error());
        }
    }
    slurm_init(nullptr);
    const auto pending = slurm::load_pending_jobs();
    if (!pending) {
        return unexpected(pending.error());
    }
    const auto now = static_cast<std::int64_t>(std::time(nullptr));
    if (options.jobs.empty()) {
        return relax_due(*pending, now, options.is_dry);
    }
    std::vector<Line> lines;
    for (const std::string& name : options.jobs) {
        auto some = relax_named(name, *pending, now, options.is_dry);
        if (!some) {
            return unexpected(some.error());
        }
        lines.insert(lines.end(), some->begin(), some->end());
    }
    return lines;
}

Exit print(const std::vector<Line>& lines, bool is_json) {
    Exit exit = Exit::done;
    for (const Line& line : lines) {
        if (!is_json) {
            print_data(text_of(line));
        }
        if (line.message.empty()) {
            continue;
        }
        report(Error{line.message});
        exit = line.result == Result::refused ? Exit::failed : exit;
    }
    if (is_json) {
        print_data(json_of(lines));
    }
    return exit;
}

}  // namespace

void add_relax_command(CLI::App& app, Outcome& outcome) {
    const auto options = std::make_shared<Options>();
    CLI::App* const command = app.add_subcommand(
        "relax", "Free jobs that have waited long enough for GPUs that lie together");
    command
        ->add_option("jobs", options->jobs,
                     "These at once: 12, 12_3 (a task of an array), 12+1 (a component)")
        ->type_name("JOBID");
    command->add_flag("--dry-run", options->is_dry, "Say what would be done and do nothing");
    command->add_flag("--json", options->is_json, "Print one JSON object");
    command->callback([&outcome, options] {
        const auto lines = run(*options);
        outcome.exit = lines ? print(*lines, options->is_json) : report(lines.error());
    });
}

}  // namespace hora::scripts
