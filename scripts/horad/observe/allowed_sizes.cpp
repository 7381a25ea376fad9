// Of the numbers of GPUs that a job may have, which did its owner choose (--hora-sizes)?
#include "scripts/horad/observe/allowed_sizes.hpp"

#include <algorithm>

namespace hora::horad {
namespace {

using Kind = domain::SizeRule::Kind;

std::uint32_t gpus_of_node(const domain::Decision& decision) {
    return std::max(1U, decision.gpus / std::max(1U, decision.nodes));
}

}  // namespace

std::vector<std::uint32_t> allowed_sizes(const JobMemory& job, std::uint32_t min,
                                         std::uint32_t max) {
    const domain::SizeRule& rule = job.options.sizes;
    return rule.kind == Kind::any ? std::vector<std::uint32_t>()
                                  : rule.sizes(min, max, gpus_of_node(job.decision));
}

bool allows(const JobMemory& job, std::uint32_t gpus) {
    return job.options.sizes.allows(gpus, gpus_of_node(job.decision));
}

bool has_whole_nodes(const domain::Decision& decision) {
    return std::any_of(decision.options.begin(), decision.options.end(), [](const auto& option) {
        return option.first == "hora-sizes" &&
               option.second == text_of(domain::SizeRule{Kind::nodes, {}});
    });
}

}  // namespace hora::horad
