// How likely is a word after the four before it?
#pragma once

#include <memory>

#include "contrib/language-model/word_network.hpp"

namespace hora::trainer {

// Windows of five words, of which the last is predicted: hidden = tanh(W · [x₁ … x₄] + b). The same
// seed gives the same parameters.
std::unique_ptr<WordNetwork> make_feed_forward(WordNetwork::Sizes sizes, std::uint64_t seed);

}  // namespace hora::trainer
