// `hora models` and `hora model`: what does a network cost?
#include "scripts/hora/plan/model.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/model/networks/builtin.hpp"
#include "libplanner/read/words.hpp"
#include "libplanner/report/plan/model.hpp"
#include "scripts/hora/command/input.hpp"

namespace hora::scripts {
namespace {

struct Options {
    std::string model;
    std::uint64_t batch = 1;
    std::string data_type = "fp32";
    std::optional<std::uint64_t> sequence;
    bool is_json = false;
};

Expected<std::string> show_model(const Options& options) {
    const Expected<domain::DataType> type = read::find_data_type(options.data_type);
    if (!type) {
        return unexpected(type.error().within("--dtype"));
    }
    const report::ModelView view{.batch = options.batch, .data_type = *type};
    return read_network(options.model, options.sequence)
        .and_then([&](const domain::Network& network) {
            return options.is_json ? report::model_json(network, view)
                                   : report::model_table(network, view);
        });
}

Expected<std::string> show_models(bool is_json) {
    std::vector<domain::Network> networks;
    for (const std::string_view name : model::builtin_names()) {
        Expected<domain::Network> network = model::builtin_network(name);
        if (!network) {
            return unexpected(network.error());
        }
        networks.push_back(std::move(*network));
    }
    return is_json ? report::models_json(networks) : report::models_table(networks);
}

void add_models(CLI::App& app, Outcome& outcome) {
    const auto is_json = std::make_shared<bool>(false);
    CLI::App* const command = app.add_subcommand("models", "List the networks known by name");
    command->add_flag("--json", *is_json, "Print one JSON object");
    command->callback([&outcome, is_json] { outcome.exit = print(show_models(*is_json)); });
}

void add_model(CLI::App& app, Outcome& outcome) {
    const auto options = std::make_shared<Options>();
    CLI::App* const command =
        app.add_subcommand("model", "Show what one forward pass of a network costs");
    command
        ->add_option("model", options->model, "A name from 'hora models', or a .toml or .onnx file")
        ->required()
        ->type_name("NAME|FILE");
    command->add_option("--batch", options->batch, "Samples of the pass")
        ->transform(count_up_to(most_count))
        ->type_name("N")
        ->capture_default_str();
    command->add_option("--dtype", options->data_type, "Number format: fp32, tf32, fp16, bf16, fp8")
        ->type_name("TYPE")
        ->capture_default_str();
    command->add_option("--sequence", options->sequence, "Positions of one sample")
        ->transform(count_up_to(most_count))
        ->type_name("N");
    command->add_flag("--json", options->is_json, "Print one JSON object");
    command->callback([&outcome, options] { outcome.exit = print(show_model(*options)); });
}

}  // namespace

void add_model_commands(CLI::App& app, Outcome& outcome) {
    add_models(app, outcome);
    add_model(app, outcome);
}

}  // namespace hora::scripts
