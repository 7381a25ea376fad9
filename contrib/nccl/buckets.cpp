// Which gradients travel together? A bucket leaves as soon as its last layer is computed.
#include "contrib/nccl/buckets.hpp"

#include <numeric>

namespace hora::trainer {

std::vector<Bucket> to_buckets(std::span<const std::size_t> sizes, std::size_t least) {
    std::vector<Bucket> buckets;
    std::size_t begin = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    std::size_t count = 0;
    for (std::size_t layer = 0; layer < sizes.size(); ++layer) {
        begin -= sizes[layer];
        count += sizes[layer];
        const bool is_last = layer + 1 == sizes.size();
        if (count > 0 && (count >= least || is_last)) {
            buckets.push_back({.begin = begin, .count = count, .layers = layer + 1});
            count = 0;
        }
    }
    return buckets;
}

}  // namespace hora::trainer
