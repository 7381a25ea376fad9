// `hora relax`: which jobs have waited long enough for GPU locality?
#include "scripts/hora/jobs/relax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/report/duration.hpp"
#include "plugins/slurm/find_job.hpp"
#include "plugins/slurm/jobs/pending_job.hpp"
#include "plugins/slurm/start.hpp"
#include "scripts/hora/jobs/relaxing.hpp"
#include "scripts/hora/jobs/site_plans.hpp"

namespace hora::scripts {
namespace {

struct Options {
    std::vector<std::string> jobs;
    bool is_dry = false;
    bool is_json = false;
};

// 12 stands for all records of an array or of a heterogeneous job.
bool is_named(const slurm::Job& job, const std::string& name) {
    return job.target == name || job.target.starts_with(name + "_") ||
           job.target.starts_with(name + "+");
}

RelaxedJob relax_one(const slurm::Job& job, const PlanAccess& plans, std::int64_t now,
                     bool is_dry) {
    auto decision = constraint_of(job, plans);
    if (!decision) {
        return {job.target, Relaxing::refused, waited(job, now),
                fmt::format(
                    "job {} keeps its locality constraint: its plan is in horad's database on the "
                    "controller's host ({})",
                    job.target, decision.error().message)};
    }
    return *decision ? relax(job, **std::move(decision), plans, now, is_dry)
                     : RelaxedJob{job.target, Relaxing::unconstrained, waited(job, now), {}};
}

// A task of an array that has not been split off yet is a part of the array's own record.
std::optional<slurm::Job> find_in_array(const slurm::JobNumber& number,
                                        const std::vector<slurm::Job>& pending) {
    const auto array = std::find_if(pending.begin(), pending.end(), [&](const slurm::Job& job) {
        return job.target == std::to_string(number.job);
    });
    if (!number.task || array == pending.end()) {
        return std::nullopt;
    }
    slurm::Job task = *array;
    task.target = slurm::target_of(number);
    return task;
}

std::vector<RelaxedJob> relax_named(const slurm::JobNumber& number,
                                    const std::vector<slurm::Job>& pending, const PlanAccess& plans,
                                    std::int64_t now, bool is_dry) {
    const std::string name = slurm::target_of(number);
    std::vector<RelaxedJob> lines;
    for (const slurm::Job& job : pending) {
        if (is_named(job, name)) {
            lines.push_back(relax_one(job, plans, now, is_dry));
        }
    }
    if (!lines.empty()) {
        return lines;
    }
    // The other jobs are relaxed and printed all the same.
    const auto known = slurm::find_job(number);
    if (!known) {
        return {{name, Relaxing::refused, Seconds(0), known.error().message}};
    }
    if (const auto task = find_in_array(number, pending); task && known->state == "PENDING") {
        return {relax_one(*task, plans, now, is_dry)};
    }
    return {{name, Relaxing::started, Seconds(0), {}}};
}

std::string text_of(const RelaxedJob& line) {
    const std::string after =
        line.waited == Seconds(0) ? std::string() : " after " + report::duration(line.waited);
    switch (line.result) {
        case Relaxing::relaxed:
            return fmt::format(
                "job {}  locality constraint dropped{}: Slurm chooses among all GPUs\n", line.job,
                after);
        case Relaxing::due:
            return fmt::format("job {}  locality constraint would be dropped{}\n", line.job, after);
        case Relaxing::started:
            return fmt::format("job {}  is no longer pending: nothing to drop\n", line.job);
        case Relaxing::unconstrained:
            return fmt::format("job {}  has no locality constraint of Hora's: nothing to drop\n",
                               line.job);
        case Relaxing::refused:
            break;
    }
    return {};
}

std::string json_of(const std::vector<RelaxedJob>& lines) {
    using nlohmann::ordered_json;
    ordered_json jobs = ordered_json::array();
    for (const RelaxedJob& line : lines) {
        jobs.push_back({{"job", line.job},
                        {"result", name_of(line.result)},
                        {"waited", line.waited.count()},
                        {"message", line.message}});
    }
    const ordered_json object{{"version", 1}, {"jobs", jobs}};
    return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Expected<std::vector<RelaxedJob>> run(const Options& options) {
    std::vector<slurm::JobNumber> numbers;
    for (const std::string& name : options.jobs) {
        const auto number = slurm::parse_job_number(name);
        if (!number) {
            return unexpected(number.error());
        }
        numbers.push_back(*number);
    }
    if (const auto started = slurm::start("hora"); !started) {
        return unexpected(started.error());
    }
    const auto pending = slurm::load_pending_jobs();
    if (!pending) {
        return unexpected(pending.error());
    }
    const auto now = static_cast<std::int64_t>(std::time(nullptr));
    SitePlans kept;
    const PlanAccess plans{
        .find = [&](const std::string& comment) { return kept.find(comment); },
        .keep = [&](const domain::Decision& decision) { return kept.keep(decision); }};
    if (numbers.empty()) {
        return relax_due(*pending, plans, now, options.is_dry);
    }
    std::vector<RelaxedJob> lines;
    for (const slurm::JobNumber& number : numbers) {
        const auto some = relax_named(number, *pending, plans, now, options.is_dry);
        lines.insert(lines.end(), some.begin(), some.end());
    }
    return lines;
}

Exit print(const std::vector<RelaxedJob>& lines, bool is_json) {
    Exit exit = Exit::done;
    for (const RelaxedJob& line : lines) {
        if (!is_json) {
            print_data(text_of(line));
        }
        if (line.message.empty()) {
            continue;
        }
        report(Error{line.message});
        exit = line.result == Relaxing::refused ? Exit::failed : exit;
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
        "relax", "Drop the locality constraint of jobs that have waited long enough");
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
