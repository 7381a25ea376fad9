// How are two vectors reduced to one?
#pragma once

#include <cstddef>
#include <cstdint>

namespace hora::mpi {

enum class Element : std::uint8_t {
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float32,
    float64
};
enum class Operation : std::uint8_t { sum, min, max };

std::size_t size_of(Element element);

// out[i] = a[i] op b[i]; `out` may be `a` or `b`, and overlaps neither otherwise. Sums of integers
// wrap around. Where one of a pair is not a number, which of both is taken depends on their order.
using Kernel = void (*)(std::byte* out, const std::byte* a, const std::byte* b, std::size_t count);

Kernel kernel_of(Element element, Operation operation);

}  // namespace hora::mpi
