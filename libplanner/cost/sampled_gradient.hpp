// How many bytes of the gradients travel where only the rows of words that matter do?
//
// A step exchanges the rows of V_base ∪ V_α ∪ V_β of each table with a row a word (P4): the words
// of all its samples, the most frequent ones, and some drawn at random (domain/row_shares.hpp); of
// a table that is only looked up (mac 0) those of V_base, for no other row has a gradient; of other
// layers all. Words occur by Zipf's law with exponent 1, the k-th most frequent one with
// probability 1 / (k H_V), H_V = 1 + 1/2 + … + 1/V. Words of one dictionary, drawn at random: 6 %
// fewer rows than that at V = 49,036 and 5,120 words; one after the other: 34 % fewer.
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/workload.hpp"

namespace hora::cost {

struct SentGradient {
    std::vector<Bytes> layers;  // as Workload::layers
    Bytes words;                // before them: a bit a word, of which the ranks take the union

    Bytes total() const;  // without the words
};

// Does any layer have a row a word?
bool can_sample(const domain::Workload& workload);

// `rate` is from 0 to 1. At 1 all travels, and no words before it.
SentGradient sent_gradient(const domain::Workload& workload, std::uint64_t batch, double rate);

// Rows of a table of `rows` that a step of so many words exchanges, in the mean. O(log rows).
double expected_rows(std::uint64_t rows, double words, double rate);

}  // namespace hora::cost
