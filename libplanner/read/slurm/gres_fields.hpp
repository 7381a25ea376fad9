// What does one line of gres.conf say, key by key?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::read {

constexpr std::size_t most_gpus_of_a_line = 256;

// The values of a line; what Hora does not use is accepted and left out.
struct GresFields {
    std::string nodes;
    std::string name;
    std::string type;
    std::string file;   // one GPU each
    std::string files;  // of one GPU together: MultipleFiles
    std::string cores;
    std::string links;
    std::string count;
    std::string detect;
    std::vector<std::string> unknown;  // keys that Slurm has not either
};

// Keys are in any case, and there may be blanks around the sign. On failure: what is no KEY=VALUE.
Expected<GresFields> read_gres_fields(std::string_view line);

// "0,4-7" in any order; comes out ascending.
std::optional<std::vector<std::uint32_t>> read_gres_cores(std::string_view text);
// "-1,16,16,16"
std::optional<std::vector<std::int32_t>> read_gres_links(std::string_view text);

// Cuts off what stands before the first of the characters, and that one.
std::string_view cut_at(std::string_view& text, std::string_view ends);
std::string_view without_blanks(std::string_view text);

constexpr std::string_view gres_blanks = " \t\r";

}  // namespace hora::read
