// What do the layers cost that work on positions: embedding, recurrence, attention?
#include <fmt/core.h>

#include "libplanner/model/measure.hpp"

namespace hora::model {
namespace {

struct Cell {
    RecurrentKind kind;
    const char* name;
    std::uint64_t gates;
    std::uint64_t states;  // what a position writes beside its gates
};

constexpr Cell cells[] = {
    {RecurrentKind::rnn, "rnn", 1, 1},
    {RecurrentKind::lstm, "lstm", 4, 2},
    {RecurrentKind::gru, "gru", 3, 1},
};

const Cell& cell_of(RecurrentKind kind) {
    return cells[static_cast<std::size_t>(kind)];
}

// More layers than anybody stacks; it also bounds the loop.
constexpr std::uint64_t max_recurrent_layers = 1024;

Expected<void> check_positions(const Shape& input) {
    if (input.size() != 2) {
        return failure(
            fmt::format("it needs positions x width, but comes after {}", to_text(input)));
    }
    return {};
}

}  // namespace

Expected<Measured> measure(const Embedding& spec, const Shape& input) {
    if (spec.vocabulary == 0 || spec.width == 0) {
        return failure("vocabulary and width are at least 1");
    }
    Shape output = input;
    output.push_back(spec.width);
    const Count table = Count(spec.vocabulary) * Count(spec.width);
    return Measured{.type = "embedding",
                    .output = output,
                    .kind = {},
                    .mac = {},
                    .parameters = table,
                    .weights = spec.is_tied ? Count(0) : table,
                    .activations = elements(output)};
}

// A position costs gates * H (in + H) multiply-adds in each layer and direction.
Expected<Measured> measure(const Recurrent& spec, const Shape& input) {
    if (const Expected<void> checked = check_positions(input); !checked) {
        return unexpected(checked.error());
    }
    if (spec.width == 0 || spec.layers == 0 || spec.layers > max_recurrent_layers) {
        return failure(
            fmt::format("width is at least 1 and layers from 1 to {}", max_recurrent_layers));
    }
    const Cell& cell = cell_of(spec.kind);
    const Count directions(spec.is_bidirectional ? 2 : 1);
    const Count width(spec.width);
    const Count positions(input[0]);
    Count weights;
    Count inner(input[1]);
    for (std::uint64_t layer = 0; layer < spec.layers; ++layer) {
        weights += directions * Count(cell.gates) * width * (inner + width);
        inner = directions * width;
    }
    const Count chains = directions * Count(spec.layers);
    const Count biases = chains * Count(2 * cell.gates) * width;
    return Measured{.type = cell.name,
                    .output = {input[0], inner.value()},
                    .kind = domain::LayerKind::recurrent,
                    .mac = positions * weights,
                    .parameters = weights + (spec.has_bias ? biases : Count(0)),
                    .weights = weights,
                    .activations = positions * chains * Count(cell.gates + cell.states) * width};
}

// With T positions of width D that read S positions of width E: query and output cost T D D each,
// key and value S E D each, the scores and their use T S D each. Grouped queries shrink key and
// value. A sequence that reads itself has S = T and E = D.
Expected<Measured> measure(const Attention& spec, std::span<const Shape> inputs) {
    const Shape& input = inputs.front();
    const Shape& read = inputs.back();
    for (const Shape* shape : {&input, &read}) {
        if (const Expected<void> checked = check_positions(*shape); !checked) {
            return unexpected(checked.error());
        }
    }
    const std::uint64_t key_value_heads = spec.key_value_heads.value_or(spec.heads);
    if (spec.heads == 0 || input[1] % spec.heads != 0) {
        return failure(
            fmt::format("heads = {} does not divide the width {}", spec.heads, input[1]));
    }
    if (key_value_heads == 0 || spec.heads % key_value_heads != 0) {
        return failure(fmt::format("key_value_heads = {} does not divide heads = {}",
                                   key_value_heads, spec.heads));
    }
    const Count positions(input[0]);
    const Count positions_read(read[0]);
    const Count width(input[1]);
    const Count narrow(input[1] / spec.heads * key_value_heads);
    const Count query_output = width + width;
    const Count key_value = narrow + narrow;
    const Count weights = width * query_output + Count(read[1]) * key_value;
    const Count scores = spec.is_fused ? Count(0) : Count(spec.heads) * positions * positions_read;
    return Measured{
        .type = "attention",
        .output = input,
        .kind = domain::LayerKind::attention,
        .mac = positions * width * query_output + positions_read * Count(read[1]) * key_value +
               Count(2) * positions * positions_read * width,
        .parameters = weights + (spec.has_bias ? query_output + key_value : Count(0)),
        .weights = weights,
        .activations =
            positions * (query_output + width) + positions_read * key_value + scores + scores};
}

}  // namespace hora::model
