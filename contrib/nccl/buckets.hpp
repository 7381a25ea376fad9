// Which gradients travel together? A bucket leaves as soon as its last layer is computed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hora::trainer {

struct Bucket {
    std::size_t begin = 0;  // in the array of all gradients
    std::size_t count = 0;
    std::size_t layers = 0;  // computed so far when it may leave

    friend bool operator==(const Bucket&, const Bucket&) = default;
};

// The sizes of layers, in the order in which they are computed: from the array's end to its begin.
// A bucket is closed as soon as it holds `least` elements; the last one takes what is left.
std::vector<Bucket> to_buckets(std::span<const std::size_t> sizes, std::size_t least);

}  // namespace hora::trainer
