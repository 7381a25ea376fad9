// How do a workload's numbers travel as one short line of text?
//
// "2.fp32.cMAC.WEIGHTS.ACTIVATIONS*COUNT-mMAC.WEIGHTS.ACTIVATIONS...": the version, the data type
// ("auto": the framework's choice), and the layers with "-" between them; each begins with the
// letter of its kind (domain/layer_kind.hpp). A table with a row a word has two more numbers,
// ".ROW.WORDS". Numbers have the digits 0-9A-Za-z (base 62), and "*COUNT" says that the layer comes
// that many times in a row. Neither a shell nor Slurm gives any of these characters a meaning of
// its own.
#pragma once

#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/workload.hpp"

namespace hora::read {

// At most max_workload_text characters for each workload within the bounds of domain/workload.hpp:
// a letter, three numbers below 62^9 and three separators a layer, and for few layers two more.
std::string to_text(const domain::Workload& workload);

// Takes only what to_text writes: anything else, a number or a count out of bounds, a leading zero
// or a layer that should have been counted fails with the place in the text.
Expected<domain::Workload> read_workload_text(std::string_view text);

}  // namespace hora::read
