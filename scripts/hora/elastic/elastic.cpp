// `hora elastic`: which jobs would a policy give other GPUs now?
#include "scripts/hora/elastic/elastic.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/elastic/worth/deadline.hpp"
#include "libplanner/read/trace/elastic_state.hpp"
#include "libplanner/report/jobs/elastic.hpp"
#include "scripts/hora/command/input.hpp"

namespace hora::scripts {
namespace {

// A curve over 10,000 GPUs for each of 1,000 jobs, and room for its digits.
constexpr std::size_t most_state = std::size_t{256} << 20;

struct Options {
    std::string state;
    std::string policy{elastic::policies().front().name};
    bool is_json = false;
};

Expected<Exit> run(const Options& options) {
    const auto policy = elastic::make_policy(options.policy);
    if (!policy) {
        return unexpected(policy.error().within("--policy"));
    }
    const auto text = read_input(options.state, most_state);
    if (!text) {
        return unexpected(text.error());
    }
    const std::string where = input_name(options.state);
    auto file = read::read_elastic_state(*text);
    if (!file) {
        return unexpected(file.error().within(where));
    }
    for (const std::string& remark : file->remarks) {
        print_remark(fmt::format("{}: {}", where, remark));
    }
    elastic::heed_deadlines(file->state);
    const elastic::Allocation allocation = (*policy)->decide(file->state);
    const report::ElasticDecision decision{*elastic::find_policy(options.policy), *file,
                                           allocation};
    print_data(options.is_json ? report::to_json(decision) : report::to_table(decision));
    return Exit::done;
}

}  // namespace

void add_elastic_command(CLI::App& app, Outcome& outcome) {
    const auto options = std::make_shared<Options>();
    CLI::App* const command =
        app.add_subcommand("elastic", "Decide which running jobs grow or shrink, by a policy");
    command->add_option("--state", options->state, "Jobs and GPUs as JSON; - is standard input")
        ->type_name("FILE")
        ->required()
        ->check(&not_empty);
    command->add_option("--policy", options->policy, "What decides, as hora-elastic(1) lists them")
        ->type_name("NAME")
        ->check(&not_empty)
        ->capture_default_str();
    command->add_flag("--json", options->is_json, "Print one JSON object");
    command->callback([&outcome, options] {
        const Expected<Exit> exit = run(*options);
        outcome.exit = exit ? *exit : report(exit.error());
    });
}

}  // namespace hora::scripts
