// How likely is a word after all those before it in its window?
#pragma once

#include <memory>

#include "contrib/language-model/word_network.hpp"

namespace hora::trainer {

// Windows of length + 1 words, all predicted but the first (length >= 1):
// hidden_t = tanh(W · [x_t, hidden_{t−1}] + b), and 0 before a window (Elman's network). Its
// gradient goes back to the beginning of the window. The same seed gives the same parameters.
std::unique_ptr<WordNetwork> make_recurrent(WordNetwork::Sizes sizes, std::size_t length,
                                            std::uint64_t seed);

}  // namespace hora::trainer
