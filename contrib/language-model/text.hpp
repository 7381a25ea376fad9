// The text that a language model learns, as numbers of words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::trainer {

// Where Debian's dict-gcide keeps a dictionary of 5.7 M words.
constexpr const char* default_text = "/usr/share/dictd/gcide.dict.dz";

struct Text {
    // Words are 0 … vocabulary − 1: 0 is the most frequent in training, and the last one stands for
    // all that have no number of their own.
    std::uint32_t vocabulary = 0;
    std::vector<std::uint32_t> training;  // in the order of the text
    std::vector<std::uint32_t> test;      // each 20th block of 200 words, never trained on
    std::uint32_t checksum = 0;           // two runs with the same sum saw the same words
};

// The first `words` words of a text file, gzip'd or not, in at most `vocabulary` numbers (at least
// 2). A word is of ASCII letters, which are read as small ones, of digits, of whatever is not
// ASCII, and of apostrophes within it; it is cut after 64 bytes.
Expected<Text> read_text(const std::string& path, std::uint64_t words, std::uint32_t vocabulary);

}  // namespace hora::trainer
