// ViT-B/16 (Dosovitskiy and others 2020), as torchvision has it: pictures of 224 x 224.
#include "libplanner/model/networks/families.hpp"
#include "libplanner/model/networks/transformer_parts.hpp"

namespace hora::model {

Expected<domain::Network> vit_b_16(std::string name, std::uint64_t) {
    constexpr Transformer size{.layers = 12, .width = 768, .heads = 12};
    constexpr std::uint64_t patch = 16;
    NetworkBuilder net(std::move(name), {3, 224, 224});
    net.add("patches", Convolution{.channels = size.width, .kernel = patch, .stride = patch});
    const Shape patches{net.shape()[1] * net.shape()[2], size.width};
    net.continue_from({1});
    net.add("class", Embedding{.vocabulary = 1, .width = size.width});
    net.join("concat", Concatenation{}, {net.shape(), patches});
    const Shape tokens = net.shape();
    net.continue_from({tokens[0]});
    net.add("positions", Embedding{.vocabulary = tokens[0], .width = size.width});
    net.add("add", ElementWise{});
    add_prenormalized_layers(net, size);
    net.continue_from({size.width});  // the head looks at the class's position only
    net.add("head", Dense{.width = 1000});
    return std::move(net).finish();
}

}  // namespace hora::model
