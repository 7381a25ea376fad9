// What network does a layer table (TOML) describe?
#include "libplanner/read/model/layer_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "libplanner/base/nearest.hpp"
#include "libplanner/model/layer.hpp"
#include "libplanner/read/format/toml_table.hpp"
#include "libplanner/read/model/layer_type.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using model::Shape;

constexpr std::size_t max_inputs = 256;   // of one layer
constexpr std::size_t longest_name = 64;  // of a layer or a network
constexpr std::size_t max_rank = 4;

bool is_name(std::string_view name) {
    return !name.empty() && name.size() <= longest_name && !has_control(name);
}

// Reads row after row; knows the shapes that later rows may start from.
class TableReader {
  public:
    explicit TableReader(domain::Network network) : network_(std::move(network)) {}

    Expected<void> add_input(TomlTable& root, const model::NetworkOptions& options);
    Expected<void> add_row(TomlTable table);
    Expected<domain::Network> finish() &&;

  private:
    Expected<void> append(TomlTable& table, domain::Layer layer, bool is_view);
    std::string take_name(TomlTable& table, std::string_view type) const;
    std::vector<Shape> take_inputs(TomlTable& table) const;

    domain::Network network_;
    std::unordered_map<std::string, Shape> shapes_;
    Shape last_;
    std::size_t rows_ = 0;
};

Expected<void> TableReader::add_input(TomlTable& root, const model::NetworkOptions& options) {
    Shape input;
    if (root.require("input", input) && (input.empty() || input.size() > max_rank)) {
        root.reject("input", fmt::format("\"input\" has 1 to {} extents, channels or positions "
                                         "first, without the batch",
                                         max_rank));
    }
    if (const Expected<void> good = root.finish(); !good) {
        return good;
    }
    if (options.sequence) {
        if (input.size() > 2) {
            return wrong_use(
                fmt::format("{}: the network reads no sequence; leave the sequence length out",
                            root.shown_file()));
        }
        input.front() = *options.sequence;
    }
    Expected<domain::Layer> layer = model::make_input(input);
    if (!layer) {
        return wrong_use(fmt::format("{}: {}", root.where("input"), layer.error().message));
    }
    return append(root, std::move(*layer), false);
}

Expected<void> TableReader::add_row(TomlTable table) {
    ++rows_;
    const std::optional<TypedSpec> typed = take_layer_type(table);
    if (!typed) {
        const Expected<void> known = table.finish();
        return known ? failure(table.where() + ": a layer without a type") : known;
    }
    std::string name = take_name(table, typed->type);
    const std::vector<Shape> inputs = take_inputs(table);
    if (const Expected<void> good = table.finish(); !good) {
        return good;
    }
    Expected<domain::Layer> layer = model::make_layer(std::move(name), typed->spec, inputs);
    if (!layer) {
        return wrong_use(fmt::format("{}: {}", table.where(), layer.error().message));
    }
    if (layer->type != typed->type) {
        return wrong_use(fmt::format("{}: layer \"{}\": a \"{}\" layer is of type \"{}\" here",
                                     table.where("type"), layer->name, typed->type, layer->type));
    }
    return append(table, std::move(*layer), model::is_view(typed->spec));
}

Expected<void> TableReader::append(TomlTable& table, domain::Layer layer, bool is_view) {
    if (!shapes_.emplace(layer.name, layer.output).second) {
        return wrong_use(
            fmt::format("{}: there are two layers \"{}\"", table.where("name"), layer.name));
    }
    last_ = layer.output;
    if (!is_view) {
        network_.layers.push_back(std::move(layer));
    }
    return {};
}

std::string TableReader::take_name(TomlTable& table, std::string_view type) const {
    std::string name = fmt::format("{}_{}", type, rows_);
    if (table.take("name", name) && !is_name(name)) {
        table.reject("name", fmt::format("\"name\" has 1 to {} printable characters, not {}",
                                         longest_name, quoted(name)));
    }
    return name;
}

std::vector<Shape> TableReader::take_inputs(TomlTable& table) const {
    std::vector<std::string> names;
    if (!table.take("from", names)) {
        return {last_};
    }
    if (names.empty() || names.size() > max_inputs) {
        table.reject("from", fmt::format("\"from\" names 1 to {} layers", max_inputs));
        return {};
    }
    std::vector<Shape> inputs;
    for (const std::string& name : names) {
        const auto known = shapes_.find(name);
        if (known == shapes_.end()) {
            table.reject("from", fmt::format("no layer {} stands above this one", quoted(name)));
            return {};
        }
        inputs.push_back(known->second);
    }
    return inputs;
}

Expected<domain::Network> TableReader::finish() && {
    if (const Expected<void> checked = model::check_sums(network_); !checked) {
        return unexpected(checked.error());
    }
    return std::move(network_);
}

// "models/tiny.toml" -> "tiny"
std::string name_of(std::string_view file) {
    file.remove_prefix(std::min(file.size(), file.rfind('/') + 1));
    const std::string name(file.substr(0, file.rfind('.')));
    return is_name(name) ? name : "model";
}

Expected<domain::Network> read_rows(TomlTable root, const model::NetworkOptions& options) {
    std::string name = name_of(root.file());
    if (root.take("name", name) && !is_name(name)) {
        root.reject("name", fmt::format("\"name\" has 1 to {} printable characters, not {}",
                                        longest_name, quoted(name)));
    }
    const std::vector<TomlTable> rows = root.take_tables("layer");
    if (rows.empty() || rows.size() > max_table_layers) {
        root.reject("layer", fmt::format("a table has 1 to {} [[layer]] entries, not {}",
                                         max_table_layers, rows.size()));
    }
    TableReader reader({.name = std::move(name), .layers = {}});
    if (const Expected<void> added = reader.add_input(root, options); !added) {
        return unexpected(added.error());
    }
    for (const TomlTable& row : rows) {
        if (const Expected<void> added = reader.add_row(row); !added) {
            return unexpected(added.error());
        }
    }
    return std::move(reader).finish();
}

}  // namespace

Expected<domain::Network> read_layer_table(std::string_view text, std::string_view file,
                                           const model::NetworkOptions& options) {
    if (text.size() > max_layer_table) {
        return failure(
            fmt::format("{}: a layer table has at most {} bytes", file, max_layer_table));
    }
    return read_toml(text, file).and_then([&](TomlTable root) {
        return read_rows(std::move(root), options);
    });
}

}  // namespace hora::read
