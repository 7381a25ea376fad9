// T5 (Raffel and others 2019) as Hugging Face transformers has it: one table of words for encoder,
// decoder and head, and relative positions in 32 buckets that the layers of a side share.
#include <fmt/core.h>

#include "libplanner/model/networks/families.hpp"
#include "libplanner/model/networks/transformer_parts.hpp"

namespace hora::model {
namespace {

void attention(NetworkBuilder& net, const std::string& name, const Transformer& size) {
    net.add(name + ".norm", rms_norm);
    net.add(name, Attention{.heads = size.heads, .has_bias = false});
    net.add(name + ".add", ElementWise{});
}

void feed_forward(NetworkBuilder& net, const std::string& name, const Transformer& size) {
    net.add(name + ".norm", rms_norm);
    net.add(name + ".expand", Dense{.width = 4 * size.width, .has_bias = false});
    net.add(name + ".relu", Activation{});
    net.add(name + ".contract", Dense{.width = size.width, .has_bias = false});
    net.add(name + ".add", ElementWise{});
}

// One bias for each head and pair of positions.
void positions(NetworkBuilder& net, const std::string& name, const Transformer& size) {
    const Shape words = net.shape();
    net.continue_from({words[0], words[0]});
    net.add(name, Embedding{.vocabulary = 32, .width = size.heads});
    net.continue_from(words);
}

void encoder(NetworkBuilder& net, const Transformer& size) {
    positions(net, "encoder.positions", size);
    for (std::uint64_t i = 1; i <= size.layers; ++i) {
        const std::string name = fmt::format("encoder{}", i);
        attention(net, name + ".attention", size);
        feed_forward(net, name + ".dense", size);
    }
    net.add("encoder.norm", rms_norm);
}

void decoder(NetworkBuilder& net, const Transformer& size, const Shape& encoded) {
    positions(net, "decoder.positions", size);
    for (std::uint64_t i = 1; i <= size.layers; ++i) {
        const std::string name = fmt::format("decoder{}", i);
        attention(net, name + ".attention", size);
        net.add(name + ".cross.norm", rms_norm);
        net.join(name + ".cross", Attention{.heads = size.heads, .has_bias = false},
                 {net.shape(), encoded});
        net.add(name + ".cross.add", ElementWise{});
        feed_forward(net, name + ".dense", size);
    }
    net.add("decoder.norm", rms_norm);
}

// One sample is an input and a target, each of `sequence` positions; both look up one table.
Expected<domain::Network> t5(std::string name, std::uint64_t sequence, const Transformer& size) {
    constexpr std::uint64_t vocabulary = 32128;
    const Shape side{sequence, size.width};
    NetworkBuilder net(std::move(name), {2 * sequence});
    net.add("words", Embedding{.vocabulary = vocabulary, .width = size.width, .is_tied = true});
    net.continue_from(side);
    encoder(net, size);
    net.continue_from(side);
    decoder(net, size, side);
    net.add("head", Dense{.width = vocabulary, .has_bias = false, .is_tied = true});
    return std::move(net).finish();
}

}  // namespace

Expected<domain::Network> t5_base(std::string name, std::uint64_t sequence) {
    return t5(std::move(name), sequence, {.layers = 12, .width = 768, .heads = 12});
}

Expected<domain::Network> t5_large(std::string name, std::uint64_t sequence) {
    return t5(std::move(name), sequence, {.layers = 24, .width = 1024, .heads = 16});
}

}  // namespace hora::model
