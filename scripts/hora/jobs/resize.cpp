// `hora resize`: how does an administrator give a job another number of GPUs?
//
// settings: horad.hosts horad.port
#include "scripts/hora/jobs/resize.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "libplanner/base/counted.hpp"
#include "plugins/slurm/find_job.hpp"
#include "plugins/slurm/messages.hpp"
#include "plugins/slurm/report/report_client.hpp"
#include "plugins/slurm/start.hpp"
#include "scripts/hora/site/site.hpp"

namespace hora::scripts {
namespace {

struct Options {
    std::string job;
    std::uint32_t gpus = 0;
    bool is_forced = false;
    bool is_json = false;
};

constexpr std::chrono::seconds patience{10};

Expected<std::uint32_t> run(const Options& options) {
    const auto number = slurm::parse_job_number(options.job);
    if (!number) {
        return unexpected(number.error());
    }
    if (number->task || number->component) {
        return failure(fmt::format("job {} cannot be resized: it is of an array or heterogeneous",
                                   options.job));
    }
    const auto settings = load_settings();
    if (!settings) {
        return unexpected(settings.error());
    }
    if (const auto started = slurm::start("hora"); !started) {
        return unexpected(started.error());
    }
    const auto configuration = slurm::load_configuration();
    if (!configuration) {
        return unexpected(configuration.error());
    }
    slurm::Report request;
    request.job = number->job;
    request.restarts = std::random_device()() & 0xffffU;
    request.kind = options.is_forced ? slurm::ReportKind::force : slurm::ReportKind::resize;
    request.gpus = options.gpus;
    const auto sent =
        slurm::send_report(request, slurm::report_place(*settings, **configuration), patience);
    if (!sent) {
        return unexpected(sent.error());
    }
    return number->job;
}

Exit print(std::uint32_t job, const Options& options) {
    if (options.is_json) {
        const nlohmann::ordered_json object{
            {"version", 1}, {"job", job}, {"gpus", options.gpus}, {"result", "asked"}};
        print_data(object.dump(2) + "\n");
    } else {
        print_data(fmt::format("job {}  requested {}; 'hora status' follows it\n", job,
                               counted(options.gpus, "GPU")));
    }
    return Exit::done;
}

}  // namespace

void add_resize_command(CLI::App& app, Outcome& outcome) {
    const auto options = std::make_shared<Options>();
    CLI::App* const command =
        app.add_subcommand("resize", "Give an elastic job another number of GPUs (operators)");
    command->add_option("job", options->job, "Its number")->type_name("JOBID")->required();
    command->add_option("gpus", options->gpus, "How many it is to have, on all its nodes together")
        ->type_name("GPUS")
        ->required()
        ->transform(count_up_to(1'000'000));
    command->add_flag("--force", options->is_forced,
                      "Although its time limit may end it on so few GPUs");
    command->add_flag("--json", options->is_json, "Print one JSON object");
    command->callback([&outcome, options] {
        const auto job = run(*options);
        outcome.exit = job ? print(*job, *options) : report(job.error());
    });
}

}  // namespace hora::scripts
