// BERT (Devlin and others 2018: the encoder with its pooler) and GPT-2 (Radford and others 2019,
// with the head tied to the embedding).
#include <fmt/core.h>

#include "libplanner/model/networks/families.hpp"
#include "libplanner/model/networks/transformer_parts.hpp"

namespace hora::model {
namespace {

// Normalises after each sum.
void bert_layer(NetworkBuilder& net, const std::string& name, const Transformer& size) {
    net.add(name + ".attention", Attention{.heads = size.heads});
    net.add(name + ".add1", ElementWise{});
    net.add(name + ".norm1", layer_norm);
    add_feed_forward(net, name, size.width);
    net.add(name + ".add2", ElementWise{});
    net.add(name + ".norm2", layer_norm);
}

Expected<domain::Network> bert(std::string name, std::uint64_t sequence, const Transformer& size) {
    NetworkBuilder net(std::move(name), {sequence});
    const Shape tokens = net.shape();
    net.add("words", Embedding{.vocabulary = 30522, .width = size.width});
    net.continue_from(tokens);
    net.add("positions", Embedding{.vocabulary = 512, .width = size.width});
    net.continue_from(tokens);
    net.add("segments", Embedding{.vocabulary = 2, .width = size.width});
    net.add("add", ElementWise{});
    net.add("norm", layer_norm);
    for (std::uint64_t i = 1; i <= size.layers; ++i) {
        bert_layer(net, fmt::format("layer{}", i), size);
    }
    net.continue_from({size.width});  // the pooler looks at the first position only
    net.add("pooler", Dense{.width = size.width});
    net.add("tanh", Activation{});
    return std::move(net).finish();
}

Expected<domain::Network> gpt(std::string name, std::uint64_t sequence, const Transformer& size) {
    constexpr std::uint64_t vocabulary = 50257;
    NetworkBuilder net(std::move(name), {sequence});
    const Shape tokens = net.shape();
    net.add("words", Embedding{.vocabulary = vocabulary, .width = size.width, .is_tied = true});
    net.continue_from(tokens);
    net.add("positions", Embedding{.vocabulary = 1024, .width = size.width});
    net.add("add", ElementWise{});
    add_prenormalized_layers(net, size);
    net.add("head", Dense{.width = vocabulary, .has_bias = false, .is_tied = true});
    return std::move(net).finish();
}

}  // namespace

Expected<domain::Network> bert_base(std::string name, std::uint64_t sequence) {
    return bert(std::move(name), sequence, {.layers = 12, .width = 768, .heads = 12});
}

Expected<domain::Network> bert_large(std::string name, std::uint64_t sequence) {
    return bert(std::move(name), sequence, {.layers = 24, .width = 1024, .heads = 16});
}

Expected<domain::Network> gpt2(std::string name, std::uint64_t sequence) {
    return gpt(std::move(name), sequence, {.layers = 12, .width = 768, .heads = 12});
}

Expected<domain::Network> gpt2_medium(std::string name, std::uint64_t sequence) {
    return gpt(std::move(name), sequence, {.layers = 24, .width = 1024, .heads = 16});
}

Expected<domain::Network> gpt2_large(std::string name, std::uint64_t sequence) {
    return gpt(std::move(name), sequence, {.layers = 36, .width = 1280, .heads = 20});
}

Expected<domain::Network> gpt2_xl(std::string name, std::uint64_t sequence) {
    return gpt(std::move(name), sequence, {.layers = 48, .width = 1600, .heads = 25});
}

}  // namespace hora::model
