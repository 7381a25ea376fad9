// What do strings such as "gres:gpu:titanx:4" or "gpu:a100:2(IDX:0,2)" ask for, or hold?
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::slurm {

// One item of a TRES or GRES list. Written "gpu", "gpu:2", "gpu=2", "gpu:a100:2", each also after
// "gres:" or "gres/"; a missing count is 1.
struct Tres {
    std::string name;  // "gpu", "cpu", "license/matlab"; never with "gres"
    std::string type;  // "a100", empty where none is said
    std::uint64_t count = 1;
    std::vector<std::uint32_t> indices;    // of "(IDX:0,2-3)", ascending
    bool is_gres = false;                  // "gres:" or "gres/" stood before it
    std::vector<std::uint32_t> sockets{};  // of "(S:0-1)", ascending; empty where none are said

    friend bool operator==(const Tres&, const Tres&) = default;
};

// Null and empty text are an empty list. Fails on anything that is not such a list, and on more
// than 1024 items, 4096 indices, or counts beyond 2^53.
Expected<std::vector<Tres>> parse_tres(std::string_view text);

struct GpuCount {
    std::uint64_t all = 0;
    std::vector<Tres> typed;  // those that name a type
    bool is_said = false;     // "gpu" stands in the list at all, be it with 0
};

// The GPUs of a list: an untyped total of "gres/gpu=4,gres/gpu:a100=4" is not counted twice.
GpuCount count_gpus(const std::vector<Tres>& list);

// Does a list ask for nothing but CPUs, as --cpus-per-task does since 23.11, or for nothing at all?
// False of what is no list.
bool asks_only_for_cpus(std::string_view text);

// "gres:gpu:2" up to 23.02, "gres/gpu:2" later; the type may be empty.
std::string format_gpus(std::uint32_t version, std::string_view type, std::uint64_t count);

// The same of one version, for code that knows no versions.
std::function<std::string(std::string_view type, std::uint64_t count)> gpu_spelling(
    std::uint32_t version);

}  // namespace hora::slurm
