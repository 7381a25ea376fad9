// In which order does a ring pass the GPUs that a step has on one node?
#include "plugins/spank/ring/gpu_order.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "libplanner/plan/ring/ring.hpp"
#include "libplanner/read/whole_number.hpp"
#include "libplanner/read/words.hpp"

namespace hora::spank {
namespace {

constexpr std::size_t most_gpus = 1024;

}  // namespace

Expected<GpuOrder> order_gpus(const domain::Topology& topology,
                              const std::vector<std::uint32_t>& gpus, GpuRules rules) {
    const auto strange = std::find_if(
        gpus.begin(), gpus.end(), [&](std::uint32_t gpu) { return gpu >= topology.gpus.size(); });
    if (strange != gpus.end()) {
        return failure(fmt::format(
            "it has {} GPUs, and the step has GPU {}; is it this node's, from 'hora topology "
            "--local --json'?",
            topology.gpus.size(), *strange));
    }
    const std::vector<Bandwidth> between = plan::bandwidths_between(topology, gpus);
    std::vector<std::uint32_t> given(gpus.size());
    std::iota(given.begin(), given.end(), 0);
    const plan::Ring slurms = rules.is_chain ? plan::chain_of(between, gpus.size(), given)
                                             : plan::ring_of(between, gpus.size(), given);
    const plan::Ring best = !rules.may_move  ? slurms
                            : rules.is_chain ? plan::best_chain(between, gpus.size())
                                             : plan::best_ring(between, gpus.size());
    const bool is_better =
        best.bottleneck > slurms.bottleneck ||
        (best.bottleneck == slurms.bottleneck && best.byte_time < slurms.byte_time);
    const plan::Ring& ring = is_better ? best : slurms;
    GpuOrder order{ring.order, {}, ring.bottleneck};
    for (const std::uint32_t position : ring.order) {
        order.gpus.push_back(gpus[position]);
    }
    return order;
}

std::optional<std::vector<std::uint32_t>> read_gpu_list(std::string_view text) {
    std::vector<std::uint32_t> gpus;
    for (const std::string_view word : read::split_words(text)) {
        const auto number = read::parse_whole_number(word, {0, 0xffff});
        if (!number || gpus.size() == most_gpus) {
            return std::nullopt;
        }
        gpus.push_back(static_cast<std::uint32_t>(*number));
    }
    return gpus;
}

std::optional<std::string> reorder(std::string_view words,
                                   const std::vector<std::uint32_t>& positions) {
    const std::vector<std::string_view> parts = read::split_words(words);
    if (parts.size() != positions.size()) {
        return std::nullopt;
    }
    std::vector<std::string_view> ordered;
    for (const std::uint32_t position : positions) {
        ordered.push_back(parts[position]);
    }
    return fmt::format("{}", fmt::join(ordered, ","));
}

}  // namespace hora::spank
