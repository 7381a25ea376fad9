// Which few numbers of a network travel to the planner?
#include "libplanner/model/workload.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

namespace hora::model {
namespace {

using domain::LayerCost;

std::uint64_t bounded_sum(std::uint64_t a, std::uint64_t b) {
    return std::min(domain::max_workload_number, a + b);  // both are bounded: no overflow
}

std::uint64_t bounded_bytes(std::uint64_t elements, std::uint64_t size) {
    return elements > domain::max_workload_number / size ? domain::max_workload_number
                                                         : elements * size;
}

LayerCost cost_of(const domain::Layer& layer, std::uint64_t size) {
    return {.mac = std::min(domain::max_workload_number, layer.mac),
            .weight_bytes = bounded_bytes(layer.weights, size),
            .activation_bytes = bounded_bytes(layer.activations, size),
            .kind = layer.kind};
}

bool is_embedding(const domain::Layer& layer) {
    return layer.type == "embedding" && !layer.output.empty() && layer.output.back() > 0;
}

// Of a table that is looked up.
std::uint64_t rows_of(const domain::Layer& embedding) {
    return embedding.parameters / embedding.output.back();
}

// The words of a network: those that its largest embedding knows.
struct Vocabulary {
    std::uint64_t size = 0;   // 0: it has none
    std::uint64_t words = 0;  // of a sample

    bool has_row_a_word(const domain::Layer& layer) const {
        return layer.weights >= size && layer.weights % size == 0;
    }
    bool is_looked_up_in(const domain::Layer& layer) const {
        return is_embedding(layer) && rows_of(layer) == size && has_row_a_word(layer);
    }
    bool may_be_predicted_by(const domain::Layer& layer) const {
        return layer.kind == domain::LayerKind::dense && !layer.output.empty() &&
               layer.output.back() == size && has_row_a_word(layer);
    }
};

// A language model's sample has one word more than it looks up: the last one that it predicts.
Vocabulary vocabulary_of(const domain::Network& network) {
    Vocabulary known;
    for (const domain::Layer& layer : network.layers) {
        if (is_embedding(layer)) {
            known.size = std::max(known.size, rows_of(layer));
        }
    }
    if (known.size == 0) {
        return known;
    }
    known.words = 1;
    for (const domain::Layer& layer : network.layers) {
        if (is_embedding(layer) && rows_of(layer) == known.size) {
            known.words = bounded_sum(known.words,
                                      std::accumulate(layer.output.begin(), layer.output.end() - 1,
                                                      std::uint64_t{1}, std::multiplies<>()));
        }
    }
    return known;
}

// The last of the layers that are as wide as there are words: those before it are mostly as wide by
// chance, where a network has more positions than words, and as many as a position has numbers.
// Past the last layer where there is none.
std::size_t output_of(const domain::Network& network, const Vocabulary& vocabulary) {
    std::size_t output = network.layers.size();
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        output = vocabulary.may_be_predicted_by(network.layers[i]) ? i : output;
    }
    return output;
}

// Those beyond the most that travel count as other layers.
void add_rows(std::vector<LayerCost>& layers, const domain::Network& network, std::uint64_t size) {
    const Vocabulary vocabulary = vocabulary_of(network);
    if (vocabulary.size == 0) {
        return;
    }
    const std::size_t output = output_of(network, vocabulary);
    std::size_t left = domain::max_workload_tables;
    for (std::size_t i = 0; i < layers.size() && left > 0; ++i) {
        const domain::Layer& layer = network.layers[i];
        if (i == output || vocabulary.is_looked_up_in(layer)) {
            layers[i].row_bytes = bounded_bytes(layer.weights / vocabulary.size, size);
            layers[i].words = vocabulary.words;
            --left;
        }
    }
}

// Both count as the kind of the one that does more arithmetic.
LayerCost merged(const LayerCost& a, const LayerCost& b) {
    return {.mac = bounded_sum(a.mac, b.mac),
            .weight_bytes = bounded_sum(a.weight_bytes, b.weight_bytes),
            .activation_bytes = bounded_sum(a.activation_bytes, b.activation_bytes),
            .kind = a.mac >= b.mac ? a.kind : b.kind};
}

std::uint64_t size_of(const LayerCost& layer) {
    return layer.mac + layer.weight_bytes + layer.activation_bytes;
}

// Nothing is lost where neither layer multiplies: both take what they move. Of the other pairs
// little is lost where a small layer's own place on the roofline is forgotten. A table's rows are
// forgotten last.
std::tuple<bool, bool, std::uint64_t> loss_by_merging(const LayerCost& a, const LayerCost& b) {
    return {a.has_rows() || b.has_rows(), a.mac > 0 || b.mac > 0, size_of(a) + size_of(b)};
}

// The first layers of up to `excess` disjoint pairs of neighbours, the least loss first.
std::vector<bool> pairs_to_merge(const std::vector<LayerCost>& layers, std::size_t excess) {
    std::vector<std::size_t> order(layers.size() - 1);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return loss_by_merging(layers[a], layers[a + 1]) <
               loss_by_merging(layers[b], layers[b + 1]);
    });
    std::vector<bool> is_taken(layers.size());
    std::vector<bool> is_first(layers.size());
    for (const std::size_t i : order) {
        if (excess == 0) {
            break;
        }
        if (!is_taken[i] && !is_taken[i + 1]) {
            is_taken[i] = is_taken[i + 1] = is_first[i] = true;
            --excess;
        }
    }
    return is_first;
}

// At least a third of the pairs go in each round, so the rounds are few.
std::vector<LayerCost> merge_once(const std::vector<LayerCost>& layers, std::size_t excess) {
    const std::vector<bool> is_first = pairs_to_merge(layers, excess);
    std::vector<LayerCost> result;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (is_first[i]) {
            result.push_back(merged(layers[i], layers[i + 1]));
            ++i;
        } else {
            result.push_back(layers[i]);
        }
    }
    return result;
}

}  // namespace

domain::Workload to_workload(const domain::Network& network, std::optional<domain::DataType> type) {
    std::vector<LayerCost> layers;
    for (const domain::Layer& layer : network.layers) {
        layers.push_back(cost_of(layer, domain::element_size(type)));
    }
    add_rows(layers, network, domain::element_size(type));
    if (layers.empty()) {
        layers.emplace_back();
    }
    while (layers.size() > domain::max_workload_layers) {
        layers = merge_once(layers, layers.size() - domain::max_workload_layers);
    }
    return {.data_type = type, .layers = std::move(layers)};
}

}  // namespace hora::model
