// How are networks and their costs shown to people and to programs?
#include "libplanner/report/plan/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "libplanner/model/forward_pass.hpp"
#include "libplanner/report/short_count.hpp"

namespace hora::report {
namespace {

using Json = nlohmann::ordered_json;
using model::forward_pass;
using model::ForwardPass;
using model::PassCost;

std::string dumped(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Letters as the reader counts them: UTF-8 continuation bytes take no column.
std::size_t columns_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

using Row = std::vector<std::string>;

// Columns as wide as their widest entry; the first `left` are aligned to the left.
std::string aligned(const std::vector<Row>& rows, std::size_t left) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], columns_of(row[i]));
        }
    }
    std::string text;
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string gap(widths[i] - columns_of(row[i]), ' ');
            line += (i == 0 ? "" : "  ") + (i < left ? row[i] + gap : gap + row[i]);
        }
        text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

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
    std::vector<Row> rows = {{"layer", "type", "output", "mac", "bytes", "parameters"}};
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        const domain::Layer& layer = network.layers[i];
        rows.push_back(
            costs_of({layer.name, layer.type, fmt::format("{}", fmt::join(layer.output, "x"))},
                     pass->layers[i]));
    }
    rows.push_back(costs_of({"all", "", ""}, pass->total));
    return aligned(rows, 3) +
           fmt::format("{}: one forward pass of {} {} in {}, {:.4g} multiply-adds a byte\n",
                       network.name, view.batch, view.batch == 1 ? "sample" : "samples",
                       domain::info(view.data_type).name, pass->intensity());
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
    std::vector<Row> rows = {{"name", "mac", "bytes", "parameters"}};
    for (const domain::Network& network : networks) {
        const Expected<ForwardPass> pass = forward_pass(network, 1, domain::DataType::fp32);
        if (!pass) {
            return unexpected(pass.error());
        }
        rows.push_back(costs_of({network.name}, pass->total));
    }
    return aligned(rows, 1) + "one forward pass of one sample in fp32\n";
}

}  // namespace hora::report
