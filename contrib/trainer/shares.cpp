// Which samples of a batch are whose?
#include "contrib/trainer/shares.hpp"

#include <fmt/format.h>

#include <numeric>

namespace hora::trainer {

Expected<std::vector<std::uint64_t>> to_shares(std::span<const std::optional<std::uint64_t>> asked,
                                               std::uint64_t batch) {
    std::vector<std::uint64_t> shares(asked.size());
    std::uint64_t said = 0;
    for (std::size_t rank = 0; rank < asked.size(); ++rank) {
        said += asked[rank] ? 1 : 0;
        shares[rank] = asked[rank].value_or(0);
    }
    if (said == 0) {
        for (std::size_t rank = 0; rank < shares.size(); ++rank) {
            shares[rank] = batch / shares.size() + (rank < batch % shares.size() ? 1 : 0);
        }
        return shares;
    }
    const auto sum = std::accumulate(shares.begin(), shares.end(), std::uint64_t{0});
    if (said != asked.size() || sum != batch) {
        return wrong_use(fmt::format(
            "HORA_SHARE is set on {} of {} ranks and sums to {}, the batch is {}; set it on all "
            "ranks so that it sums to the batch, or on none",
            said, asked.size(), sum, batch));
    }
    return shares;
}

Slice slice_of(std::span<const std::uint64_t> shares, std::size_t rank, std::uint64_t size) {
    const auto first = shares.begin();
    const auto before =
        std::accumulate(first, first + static_cast<std::ptrdiff_t>(rank), std::uint64_t{0});
    const auto all = std::accumulate(first, shares.end(), std::uint64_t{0});
    return {before * size / all, (before + shares[rank]) * size / all};
}

}  // namespace hora::trainer
