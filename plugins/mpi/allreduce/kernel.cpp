// How are two vectors reduced to one?
#include "plugins/mpi/allreduce/kernel.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

namespace hora::mpi {
namespace {

struct Sum {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>) {
            using Wrapping = std::make_unsigned_t<T>;
            return static_cast<T>(
                static_cast<Wrapping>(static_cast<Wrapping>(a) + static_cast<Wrapping>(b)));
        } else {
            return a + b;
        }
    }
};

struct Min {
    template <class T>
    T operator()(T a, T b) const {
        return std::min(a, b);
    }
};

struct Max {
    template <class T>
    T operator()(T a, T b) const {
        return std::max(a, b);
    }
};

template <class T, class Op>
void reduce(std::byte* out, const std::byte* a, const std::byte* b, std::size_t count) {
    auto* const result = reinterpret_cast<T*>(out);
    const auto* const left = reinterpret_cast<const T*>(a);
    const auto* const right = reinterpret_cast<const T*>(b);
    for (std::size_t i = 0; i < count; ++i) {
        result[i] = Op()(left[i], right[i]);
    }
}

struct Entry {
    std::size_t size;
    std::array<Kernel, 3> kernels;  // by Operation
};

template <class T>
constexpr Entry entry_of() {
    return {sizeof(T), {reduce<T, Sum>, reduce<T, Min>, reduce<T, Max>}};
}

// By Element.
constexpr std::array entries = {entry_of<std::int8_t>(),   entry_of<std::int16_t>(),
                                entry_of<std::int32_t>(),  entry_of<std::int64_t>(),
                                entry_of<std::uint8_t>(),  entry_of<std::uint16_t>(),
                                entry_of<std::uint32_t>(), entry_of<std::uint64_t>(),
                                entry_of<float>(),         entry_of<double>()};

}  // namespace

std::size_t size_of(Element element) {
    return entries[static_cast<std::size_t>(element)].size;
}

Kernel kernel_of(Element element, Operation operation) {
    return entries[static_cast<std::size_t>(element)].kernels[static_cast<std::size_t>(operation)];
}

}  // namespace hora::mpi
