// What do ONNX's operators make of whole numbers at places that rows of indices name?
#include <algorithm>
#include <string>

#include "libplanner/read/onnx/onnx_folding.hpp"

namespace hora::read {
namespace {

using model::Shape;

// Rows of indices into some dimensions of a tensor: each row names a part of it.
struct Rows {
    Shape extents;           // of the rows
    std::size_t length = 0;  // of each
    Shape indexed;           // those dimensions
    Shape part;              // those behind them
};

// `batch`: dimensions in front that both have, and that the rows therefore do not name.
std::optional<Rows> rows_of(const Numbers& data, const Numbers& indices, std::size_t batch) {
    if (batch >= indices.extents.size() || batch >= data.extents.size() ||
        !std::equal(data.extents.begin(), data.extents.begin() + static_cast<std::ptrdiff_t>(batch),
                    indices.extents.begin())) {
        return std::nullopt;
    }
    Rows rows{.extents = {indices.extents.begin(), indices.extents.end() - 1},
              .length = indices.extents.back(),
              .indexed = {},
              .part = {}};
    if (rows.length == 0 || rows.length > data.extents.size() - batch) {
        return std::nullopt;
    }
    const auto first = data.extents.begin() + static_cast<std::ptrdiff_t>(batch);
    const auto end = first + static_cast<std::ptrdiff_t>(rows.length);
    rows.indexed = {first, end};
    rows.part = {end, data.extents.end()};
    return rows;
}

// Which part a row names, counted from the first; empty where an index is not known or outside.
std::optional<std::size_t> part_of(const Rows& rows, const Numbers& indices, std::size_t row) {
    std::size_t part = 0;
    for (std::size_t i = 0; i < rows.length; ++i) {
        const Numbers::Value& index = indices.values[row * rows.length + i];
        const auto place = index ? place_of(*index, rows.indexed[i]) : std::nullopt;
        if (!place) {
            return std::nullopt;
        }
        part = part * rows.indexed[i] + *place;
    }
    return part;
}

Shape extents_of_parts(const Rows& rows) {
    Shape extents = rows.extents;
    extents.insert(extents.end(), rows.part.begin(), rows.part.end());
    return extents;
}

std::optional<Numbers> fold_gather_nd(const KnownNode& node) {
    const Numbers* const data = node.input(0);
    const Numbers* const indices = node.input(1);
    const std::int64_t batch = node.integer("batch_dims", 0);
    if (data == nullptr || indices == nullptr || batch < 0) {
        return std::nullopt;
    }
    const auto rows = rows_of(*data, *indices, static_cast<std::size_t>(batch));
    if (!rows || !count_numbers(extents_of_parts(*rows))) {
        return std::nullopt;
    }
    Numbers result{.type = data->type, .extents = extents_of_parts(*rows), .values = {}};
    const std::size_t size = *count_numbers(rows->part);
    const std::size_t parts = *count_numbers(rows->indexed);
    const std::size_t count = *count_numbers(rows->extents);
    const std::size_t batches = *count_numbers(
        {data->extents.begin(), data->extents.begin() + static_cast<std::ptrdiff_t>(batch)});
    for (std::size_t row = 0; row < count; ++row) {
        const auto part = part_of(*rows, *indices, row);
        const std::size_t first = row / (count / batches) * parts;
        for (std::size_t i = 0; i < size; ++i) {
            result.values.push_back(part ? data->values[(first + *part) * size + i] : std::nullopt);
        }
    }
    return result;
}

// Where two rows name one part, ONNX does not say which of them is written last.
std::optional<Numbers> fold_scatter_nd(const KnownNode& node) {
    const Numbers* const data = node.input(0);
    const Numbers* const indices = node.input(1);
    const Numbers* const updates = node.input(2);
    const auto* const reduction = find_attribute(node.node, "reduction");
    if (data == nullptr || indices == nullptr || updates == nullptr ||
        (reduction != nullptr && reduction->s() != "none")) {
        return std::nullopt;
    }
    const auto rows = rows_of(*data, *indices, 0);
    if (!rows || updates->extents != extents_of_parts(*rows) || updates->type != data->type) {
        return std::nullopt;
    }
    Numbers result = *data;
    const std::size_t size = *count_numbers(rows->part);
    std::vector<bool> is_written(data->values.size(), false);
    for (std::size_t row = 0; row < *count_numbers(rows->extents); ++row) {
        const auto part = part_of(*rows, *indices, row);
        if (!part) {  // it may be any
            result.values.assign(result.values.size(), std::nullopt);
            return result;
        }
        for (std::size_t i = 0; i < size; ++i) {
            const std::size_t place = *part * size + i;
            const Numbers::Value& update = updates->values[row * size + i];
            result.values[place] =
                is_written[place] && result.values[place] != update ? Numbers::Value() : update;
            is_written[place] = true;
        }
    }
    return result;
}

constexpr NamedFold indexed[] = {{"GatherND", fold_gather_nd}, {"ScatterND", fold_scatter_nd}};

}  // namespace

Fold find_indexed(std::string_view name) {
    return find_fold(indexed, name);
}

}  // namespace hora::read
