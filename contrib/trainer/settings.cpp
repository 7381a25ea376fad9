// The settings of a run of the trainer: its options, and the environment where those are silent.
//
// Environment: HORA_BATCH HORA_BATCH_MIN HORA_SHARE HORA_PROGRESS HORA_CHECKPOINT_DIR
// SLURM_RESTART_COUNT
#include "contrib/trainer/settings.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "contrib/trainer/say.hpp"
#include "libplanner/base/written_output.hpp"

namespace hora::trainer {
namespace {

// Below what a trainer says of itself.
constexpr const char* contract =
    "\n\n"
    "SIGUSR1 or SIGTERM asks for a checkpoint; the next start with the same folder goes on from "
    "it.\n"
    "HORA_SHARE is this rank's number of samples of a batch (equal shares without it).\n"
    "With HORA_BATCH_MIN the batch may change at a restart: the learning rate is that of the "
    "smallest\n"
    "one, and steps of larger ones are scaled and counted by AdaScale.";

constexpr std::uint64_t largest_number = 1'000'000'000;

std::string_view environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

Expected<std::optional<std::uint64_t>> environment_number(const char* name) {
    const std::string_view text = environment(name);
    if (text.empty()) {
        return std::nullopt;
    }
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number > largest_number) {
        return wrong_use(
            fmt::format("{}=\"{}\" is not a whole number up to {}; unset it or correct "
                        "it",
                        name, text, largest_number));
    }
    return number;
}

Expected<Settings> environment_settings(Settings settings) {
    const auto batch = environment_number("HORA_BATCH");
    const auto smallest = environment_number("HORA_BATCH_MIN");
    const auto share = environment_number("HORA_SHARE");
    for (const auto* const number : {&batch, &smallest, &share}) {
        if (!*number) {
            return unexpected(number->error());
        }
    }
    if (*batch == std::uint64_t{0} || *smallest == std::uint64_t{0}) {
        return wrong_use(fmt::format("{} is 0; a batch has at least one sample",
                                     *batch == std::uint64_t{0} ? "HORA_BATCH" : "HORA_BATCH_MIN"));
    }
    settings.batch = batch->value_or(settings.batch);
    settings.smallest_batch = *smallest;
    settings.share = *share;
    settings.progress = environment("HORA_PROGRESS");
    settings.checkpoints = environment("HORA_CHECKPOINT_DIR");
    const std::string_view restarts = environment("SLURM_RESTART_COUNT");
    settings.restart_count = restarts.empty() ? "0" : restarts;
    return settings;
}

void add_options(CLI::App& app, Settings& settings, const Program& program) {
    const CLI::Range count(std::uint64_t{1}, largest_number);
    const CLI::Range any(std::uint64_t{0}, largest_number);
    app.add_option("--data", settings.data, program.data)->capture_default_str();
    app.add_option("--epochs", settings.epochs, "passes over the training samples")
        ->check(count)
        ->capture_default_str();
    app.add_option("--batch", settings.batch, "samples of a step, all ranks together (HORA_BATCH)")
        ->check(count)
        ->capture_default_str();
    app.add_option("--smallest-batch", settings.smallest_batch,
                   "samples of a step that --rate was chosen for; given, a step of a larger "
                   "--batch has a larger rate and counts as several (HORA_BATCH_MIN)")
        ->check(count);
    app.add_option("--rate", settings.rate, "learning rate")
        ->check(number_range(1e-9, 10.0))
        ->capture_default_str();
    app.add_option("--seed", settings.seed, "of the weights, the split and the order")
        ->check(any)
        ->capture_default_str();
    app.add_option("--checkpoints", settings.checkpoints,
                   "folder for checkpoints (HORA_CHECKPOINT_DIR)");
    app.add_option("--checkpoint-epochs", settings.checkpoint_epochs,
                   "epochs between unrequested checkpoints; 0: none")
        ->check(any)
        ->capture_default_str();
    app.add_option("--ready-wait", settings.ready_wait,
                   "seconds to wait to be ended once a requested checkpoint is written")
        ->check(number_range(0.0, 3600.0))
        ->capture_default_str();
    app.add_option("--brake", settings.brake,
                   "file; while it exists, a pause of 0.1 seconds follows each step: time to try "
                   "out what happens to a job that trains");
    app.add_option("--progress", settings.progress,
                   "file to append progress lines to (HORA_PROGRESS)");
    app.add_option("--report-steps", settings.report_steps, "steps between progress lines")
        ->check(count)
        ->capture_default_str();
}

}  // namespace

CLI::Validator number_range(double least, double most) {
    const CLI::Range range(least, most);
    const auto check = [range](std::string& text) {
        return std::isnan(std::strtod(text.c_str(), nullptr)) ? text + " is not a number"
                                                              : range(text);
    };
    return {check, range.get_description()};
}

Expected<Settings> read_settings(int argc, char** argv, const Program& program) {
    auto settings = environment_settings(program.defaults);
    if (!settings) {
        return settings;
    }
    settings->program = program.name;
    CLI::App app{std::string(program.description) + contract, program.name};
    add_options(app, *settings, program);
    program.add_options(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        settings->help = app.help();
    } catch (const CLI::ParseError& error) {
        return wrong_use(fmt::format("{}; see --help", error.what()));
    }
    if (settings->smallest_batch > settings->batch) {
        return wrong_use(
            fmt::format("the smallest batch is {} and the batch {}; correct HORA_BATCH_MIN or "
                        "HORA_BATCH, or --smallest-batch or --batch",
                        *settings->smallest_batch, settings->batch));
    }
    return settings;
}

int print_help(const Settings& settings) {
    say(stdout, "{}", settings.help);
    return is_output_written(settings.program) ? 0 : 1;
}

}  // namespace hora::trainer
