// What can an MPI program ask of Hora in its own words?
//
// MPI_Allreduce and MPI_Iallreduce are Hora's in a program that is linked with libhora_mpi before
// MPI, or has it preloaded, and asks for it: choose_allreduce(), or HORA_ALLREDUCE.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <type_traits>

namespace hora::mpi {

// "mpi", "ring" or "bypass" (spank_hora(8)), before MPI_Init; the environment comes first.
inline void choose_allreduce(const char* whose) {
    setenv("HORA_ALLREDUCE", whose, 0);
}

enum class Start {
    same,            // on all ranks
    sizes_differ,    // nothing was changed
    content_differs  // what arrived on some rank is not what rank 0 has
};

namespace detail {

// Of the bytes in their order; so many bits differ by chance once in 2^64.
inline std::uint64_t digest(std::span<const std::byte> bytes, std::uint64_t before) {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;
    std::uint64_t value = before + bytes.size() * odd;
    while (!bytes.empty()) {
        std::uint64_t word = 0;
        const std::size_t size = std::min(bytes.size(), sizeof word);
        std::memcpy(&word, bytes.data(), size);
        value = (value ^ word) * odd;
        value ^= value >> 29U;
        bytes = bytes.subspan(size);
    }
    return value;
}

inline bool is_same_on_all(std::uint64_t value, MPI_Comm communicator) {
    std::array<std::uint64_t, 2> ends = {value, ~value};
    MPI_Allreduce(MPI_IN_PLACE, ends.data(), 2, MPI_UINT64_T, MPI_MIN, communicator);
    return ends[0] == ~ends[1];
}

}  // namespace detail

// Rank 0's start on all ranks, parameters and the optimiser's state (P3): by all of them together,
// each with the same parts, before the first step or after rank 0 has read a checkpoint. The same
// on all ranks: what does not hold on one is known to all.
inline Start broadcast_start(MPI_Comm communicator, std::span<const std::span<std::byte>> parts) {
    std::uint64_t sizes = parts.size();
    for (const std::span<std::byte> part : parts) {
        const std::uint64_t size = part.size();
        sizes = detail::digest(std::as_bytes(std::span(&size, 1)), sizes);
    }
    if (!detail::is_same_on_all(sizes, communicator)) {
        return Start::sizes_differ;
    }
    constexpr std::size_t longest = std::size_t{1} << 30U;  // MPI counts in int
    std::uint64_t content = 0;
    for (const std::span<std::byte> part : parts) {
        for (std::size_t begin = 0; begin < part.size(); begin += longest) {
            const auto piece = part.subspan(begin, std::min(longest, part.size() - begin));
            MPI_Bcast(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, 0, communicator);
        }
        content = detail::digest(part, content);
    }
    return detail::is_same_on_all(content, communicator) ? Start::same : Start::content_differs;
}

// The same of any arrays: broadcast_start(MPI_COMM_WORLD, std::span(parameters), std::span(state)).
template <class... T>
Start broadcast_start(MPI_Comm communicator, std::span<T>... arrays) {
    static_assert((std::is_trivially_copyable_v<T> && ...), "only bytes travel");
    const std::array<std::span<std::byte>, sizeof...(T)> parts = {
        std::as_writable_bytes(arrays)...};
    return broadcast_start(communicator, std::span<const std::span<std::byte>>(parts));
}

}  // namespace hora::mpi
