// How are GPUs written in a request to Slurm?
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace hora::request {

// "gres:gpu:a100:2", as the release that is asked reads it; the type may be empty.
using SpellGpus = std::function<std::string(std::string_view type, std::uint64_t count)>;

}  // namespace hora::request
