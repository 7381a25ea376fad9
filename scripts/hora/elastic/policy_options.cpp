// What can be said of policies that play jobs, whatever the jobs are, and of what is printed?
#include "scripts/hora/elastic/policy_options.hpp"

namespace hora::scripts {

void add_policy_options(CLI::App& command, PolicyOptions& options) {
    command
        .add_option("--policy", options.policies,
                    "What decides; may be given again, or all to compare every one")
        ->type_name("NAME")
        ->delimiter(',')
        ->take_all()
        ->check(&not_empty);
    command
        .add_option("--knowledge", options.knowledge,
                    "What it sees of the speeds: learned (a prior and what was measured) or oracle")
        ->type_name("KIND")
        ->check(one_of({"learned", "oracle"}))
        ->capture_default_str();
    command
        .add_option(
            "--play", options.play,
            "What acts on its answers: daemon (as horad and Slurm do) or policy (all at once, "
            "as in papers)")
        ->type_name("HOW")
        ->check(one_of({"daemon", "policy"}))
        ->capture_default_str();
    command
        .add_option("--cooldown-seconds", options.cooldown,
                    "With --play daemon: least time between two resizes of a job")
        ->type_name("S")
        ->check(number_between(0, 86400))
        ->capture_default_str();
    command
        .add_option("--limit-kind", options.limit_kind,
                    "What time limits of elastic jobs mean: gpu-time (so much of their own "
                    "requests) or clock")
        ->type_name("KIND")
        ->check(one_of({domain::limit_kind_names[0], domain::limit_kind_names[1]}))
        ->capture_default_str();
    command.add_option("--seed", options.seed, "Of every draw: same seed, same output")
        ->type_name("N")
        ->transform(count_up_to(1'000'000'000'000))
        ->capture_default_str();
}

void remark_on_ignored(const CLI::App& command, const PolicyOptions& options) {
    if (command.count("--cooldown-seconds") > 0 && options.play_kind() != sim::Play::daemon) {
        print_remark("--cooldown-seconds is ignored: only --play daemon waits between two resizes");
    }
}

void add_rescale_option(CLI::App& command, PolicyOptions& options) {
    command
        .add_option("--rescale-seconds", options.rescale,
                    "How long a restarted job makes no progress")
        ->type_name("S")
        ->check(number_between(0, 1e6))
        ->capture_default_str();
}

void add_output_options(CLI::App& command, PolicyOptions& options) {
    command
        .add_option("--html", options.html,
                    "Write a page with charts of it: one file that needs no other")
        ->type_name("FILE")
        ->check(&file_beside_stdout);
    command.add_flag("--json", options.is_json, "Print one JSON object");
}

}  // namespace hora::scripts
