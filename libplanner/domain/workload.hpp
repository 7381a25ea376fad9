// What travels from the submit side to the planner: bounded numbers, no names of files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "libplanner/domain/data_type.hpp"
#include "libplanner/domain/layer_kind.hpp"

namespace hora::domain {

// At most this many layers travel; a deeper network has neighbours merged (model/workload.hpp).
constexpr std::size_t max_workload_layers = 256;
// Longest text of a workload (read/workload_text.hpp).
constexpr std::size_t max_workload_text = 8192;
// At most this many of them are tables with a row a word.
constexpr std::size_t max_workload_tables = 8;
// Bound of each number: 2^50 keeps every sum of 256 of them exact in a double.
constexpr std::uint64_t max_workload_number = std::uint64_t{1} << 50;

// One layer (or several merged): what one forward pass costs.
struct LayerCost {
    std::uint64_t mac = 0;               // multiply-adds of one sample
    std::uint64_t weight_bytes = 0;      // read once a pass whatever the batch; also the gradient
    std::uint64_t activation_bytes = 0;  // written for one sample
    LayerKind kind = LayerKind::memory;
    // A table with a row for each word of a vocabulary, whose weights are nothing else: bytes of a
    // row, at most weight_bytes, and the words of one sample. Both 0: no such table.
    std::uint64_t row_bytes = 0;
    std::uint64_t words = 0;

    bool has_rows() const { return row_bytes > 0; }
    friend bool operator==(const LayerCost&, const LayerCost&) = default;
};

struct Workload {
    std::optional<DataType> data_type;  // empty: the framework's choice (cost/formats.hpp)
    std::vector<LayerCost> layers;      // in the order of the forward pass, never empty

    friend bool operator==(const Workload&, const Workload&) = default;
};

// Bytes of a number that is kept or sent.
constexpr std::size_t element_size(std::optional<DataType> type) {
    return info(type.value_or(DataType::fp32)).size;
}

}  // namespace hora::domain
