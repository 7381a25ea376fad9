// `hora history`: how fast did jobs train, and what did each rescale cost and gain?
#include "scripts/hora/history/history.hpp"

#include <memory>
#include <string>

#include "libplanner/read/whole_number.hpp"
#include "scripts/hora/history/past.hpp"

namespace hora::scripts {
namespace {

struct Options {
    std::string job;
    std::string model;
    bool is_json = false;
};

Expected<std::string> tell(const Options& options) {
    PastOf of;
    of.model = options.model;
    if (!options.job.empty()) {
        const auto job = read::parse_whole_number(options.job, {.min = 1, .max = 4294967295});
        if (!job) {
            const bool is_part = options.job.find_first_of("_+") != std::string::npos;
            return wrong_use("job " + job.error().message +
                             (is_part ? "; of a task or a component give its JobId, as 'scontrol "
                                        "show job' has it"
                                      : ""));
        }
        of.job = *job;
    }
    const auto past = read_past(of);
    if (!past) {
        return unexpected(past.error());
    }
    return options.is_json ? report::to_json(past->history) : report::to_text(past->history);
}

}  // namespace

void add_history_command(CLI::App& app, Outcome& outcome) {
    const auto options = std::make_shared<Options>();
    CLI::App* const command =
        app.add_subcommand("history", "Show how fast jobs trained, and how they were resized");
    CLI::Option* const job = command->add_option("job", options->job, "Only this job's")
                                 ->type_name("JOBID")
                                 ->check(&not_empty);
    command->add_option("--model", options->model, "Only of jobs that train this network")
        ->type_name("NAME")
        ->check(&not_empty)
        ->excludes(job);
    command->add_flag("--json", options->is_json, "Print one JSON object");
    command->callback([&outcome, options] { outcome.exit = print(tell(*options)); });
}

}  // namespace hora::scripts
