// Does the program say that its checkpoint stands?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hora::watch {

struct Ready {
    std::uint64_t step = 0;
    std::uint32_t restarts = 0;  // SLURM_RESTART_COUNT of the start that wrote it

    friend bool operator==(const Ready&, const Ready&) = default;
};

// "STEP RESTART_COUNT", with a line's end or without. Nothing where it is something else.
std::optional<Ready> read_ready(std::string_view text);

// READY in the folder; nothing where there is none, or one that is no plain small file. The folder
// itself is opened anew, so that a network file system looks again.
std::optional<Ready> find_ready(const std::string& folder);

void remove_ready(const std::string& folder);

}  // namespace hora::watch
