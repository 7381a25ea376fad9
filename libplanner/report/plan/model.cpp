// How are networks and their costs shown to people and to programs?
#include "libplanner/report/plan/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "libplanner/model/forward_pass.hpp"
#include "libplanner/report/short_count.hpp"
#include "libplanner/report/text/text_table.hpp"

namespace hora::report {
namespace {

using Json = nlohmann::ordered_json;
using model::forward_pass;
using model::ForwardPass;
using model::PassCost;

std::string dumped(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

using Row = std::vector<std::string>;

Row costs_of(Row row, const PassCost& cost) {
    row.push_back(short_count(cost.mac));
    row.push_back(short_bytes(cost.bytes));
    row.push_back(short_count(cost.parameters));
    return row;
}

Json layer_json(const domain::Layer& layer, const PassCost& cost) {
    return {{"name", layer.name},
            {"type", layer.type},
            {"kind", domain::info(layer.kind).name},
            {"output", layer.output},
            {"mac", cost.mac},
            {"bytes", cost.bytes},
            {"parameters", cost.parameters}};
}

}  // namespace

Expected<std::string> model_json(const domain::Network& network, const ModelView& view) {
    const Expected<ForwardPass> pass = forward_pass(network, view.batch, view.data_type);
    if (!pass) {
        return unexpected(pass.error());
    }
    Json layers = Json::array();
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        layers.push_back(layer_json(network.layers[i], pass->layers[i]));
    }
    return dumped({{"version", 1},
                   {"name", network.name},
                   {"mac", pass->total.mac},
                   {"bytes", pass->total.bytes},
                   {"parameters", pass->total.parameters},
                   {"intensity", pass->intensity()},
                   {"layers", std::move(layers)}});
}

Expected<std::string> model_table(const domain::Network& network, const ModelView& view) {
    const Expected<ForwardPass> pass = forward_pass(network, view.batch, view.data_type);
    if (!pass) {
        return unexpected(pass.error());
    }
    std::vector<Row> rows;
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        const domain::Layer& layer = network.layers[i];
        rows.push_back(
            costs_of({layer.name, layer.type, fmt::format("{}", fmt::join(layer.output, "x"))},
                     pass->layers[i]));
    }
    rows.push_back(costs_of({"all", "", ""}, pass->total));
    return text_table({{"layer"},
                       {"type"},
                       {"output"},
                       {"mac", true},
                       {"bytes", true},
                       {"parameters", true}},
                      rows) +
           fmt::format("{}: one forward pass of {} {} in {}, {:.4g} multiply-adds a byte\n",
                       terminal_text(network.name), view.batch,
                       view.batch == 1 ? "sample" : "samples", domain::info(view.data_type).name,
                       pass->intensity());
}

Expected<std::string> models_json(std::span<const domain::Network> networks) {
    Json models = Json::array();
    for (const domain::Network& network : networks) {
        const Expected<ForwardPass> pass = forward_pass(network, 1, domain::DataType::fp32);
        if (!pass) {
            return unexpected(pass.error());
        }
        models.push_back({{"name", network.name},
                          {"mac", pass->total.mac},
                          {"parameters", pass->total.parameters},
                          {"bytes", pass->total.bytes}});
    }
    return dumped({{"version", 1}, {"models", std::move(models)}});
}

Expected<std::string> models_table(std::span<const domain::Network> networks) {
    std::vector<Row> rows;
    for (const domain::Network& network : networks) {
        const Expected<ForwardPass> pass = forward_pass(network, 1, domain::DataType::fp32);
        if (!pass) {
            return unexpected(pass.error());
        }
        rows.push_back(costs_of({network.name}, pass->total));
    }
    return text_table({{"name"}, {"mac", true}, {"bytes", true}, {"parameters", true}}, rows) +
           "one forward pass of one sample in fp32\n";
}

}  // namespace hora::report
