// P4's two language models: vocabulary 49,036, input and hidden layer 1,024, 5-grams for the
// feed-forward one.
#include "libplanner/model/network_builder.hpp"
#include "libplanner/model/networks/families.hpp"

namespace hora::model {
namespace {

constexpr std::uint64_t vocabulary = 49036;
constexpr std::uint64_t width = 1024;
constexpr std::uint64_t history = 4;  // words that a 5-gram goes by

}  // namespace

// One sample is a sentence. P4 does not say how long: builtin.cpp has the Brown corpus's mean.
Expected<domain::Network> recurrent_language_model(std::string name, std::uint64_t sequence) {
    NetworkBuilder net(std::move(name), {sequence});
    net.add("words", Embedding{.vocabulary = vocabulary, .width = width});
    net.add("hidden", Recurrent{.kind = RecurrentKind::rnn, .width = width});
    net.add("output", Dense{.width = vocabulary});
    net.add("softmax", Softmax{});
    return std::move(net).finish();
}

// One sample is a 5-gram: the embeddings of four words side by side predict the fifth.
Expected<domain::Network> feed_forward_language_model(std::string name, std::uint64_t) {
    NetworkBuilder net(std::move(name), {history});
    net.add("words", Embedding{.vocabulary = vocabulary, .width = width});
    net.add("flatten", Flatten{});
    net.add("hidden", Dense{.width = width});
    net.add("tanh", Activation{});
    net.add("output", Dense{.width = vocabulary});
    net.add("softmax", Softmax{});
    return std::move(net).finish();
}

}  // namespace hora::model
