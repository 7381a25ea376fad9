// Numbers from which nothing of what they were made from can be seen.
#pragma once

#include <cstdint>

namespace hora {

// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014): one to one on 64 bits.
constexpr std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ value >> 30U) * 0xbf58476d1ce4e5b9U;
    value = (value ^ value >> 27U) * 0x94d049bb133111ebU;
    return value ^ value >> 31U;
}

}  // namespace hora
