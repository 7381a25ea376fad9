// Llama 2 7B and 13B (Touvron and others 2023) and Llama 3 8B (Dubey and others 2024). Positions
// are rotations of queries and keys: they have no table, and are not counted. Attention is fused,
// as its authors trained it (Touvron and others 2023, "LLaMA", section 2.4).
#include <fmt/core.h>

#include "libplanner/model/networks/families.hpp"
#include "libplanner/model/networks/transformer_parts.hpp"

namespace hora::model {
namespace {

struct Llama {
    std::uint64_t layers;
    std::uint64_t width;
    std::uint64_t inner;  // of the feed-forward layers
    std::uint64_t heads;
    std::uint64_t key_value_heads;
    std::uint64_t vocabulary;
};

// silu(gate) * up, and down again; no dense layer has a bias.
void gated_feed_forward(NetworkBuilder& net, const std::string& name, const Llama& size) {
    const Shape input = net.shape();
    net.add(name + ".gate", Dense{.width = size.inner, .has_bias = false});
    net.add(name + ".silu", Activation{});
    const Shape gate = net.shape();
    net.continue_from(input);
    net.add(name + ".up", Dense{.width = size.inner, .has_bias = false});
    net.join(name + ".multiply", ElementWise{}, {gate, net.shape()});
    net.add(name + ".down", Dense{.width = size.width, .has_bias = false});
}

void layer(NetworkBuilder& net, const std::string& name, const Llama& size) {
    net.add(name + ".norm1", rms_norm);
    net.add(name + ".attention", Attention{.heads = size.heads,
                                           .key_value_heads = size.key_value_heads,
                                           .has_bias = false,
                                           .is_fused = true});
    net.add(name + ".add1", ElementWise{});
    net.add(name + ".norm2", rms_norm);
    gated_feed_forward(net, name, size);
    net.add(name + ".add2", ElementWise{});
}

Expected<domain::Network> llama(std::string name, std::uint64_t sequence, const Llama& size) {
    NetworkBuilder net(std::move(name), {sequence});
    net.add("words", Embedding{.vocabulary = size.vocabulary, .width = size.width});
    for (std::uint64_t i = 1; i <= size.layers; ++i) {
        layer(net, fmt::format("layer{}", i), size);
    }
    net.add("norm", rms_norm);
    net.add("head", Dense{.width = size.vocabulary, .has_bias = false});
    return std::move(net).finish();
}

}  // namespace

Expected<domain::Network> llama_7b(std::string name, std::uint64_t sequence) {
    return llama(std::move(name), sequence,
                 {.layers = 32,
                  .width = 4096,
                  .inner = 11008,
                  .heads = 32,
                  .key_value_heads = 32,
                  .vocabulary = 32000});
}

Expected<domain::Network> llama_8b(std::string name, std::uint64_t sequence) {
    return llama(std::move(name), sequence,
                 {.layers = 32,
                  .width = 4096,
                  .inner = 14336,
                  .heads = 32,
                  .key_value_heads = 8,
                  .vocabulary = 128256});
}

Expected<domain::Network> llama_13b(std::string name, std::uint64_t sequence) {
    return llama(std::move(name), sequence,
                 {.layers = 40,
                  .width = 5120,
                  .inner = 13824,
                  .heads = 40,
                  .key_value_heads = 40,
                  .vocabulary = 32000});
}

}  // namespace hora::model
