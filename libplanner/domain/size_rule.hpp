// Which numbers of GPUs may a job have, besides the range that it may have?
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace hora::domain {

struct SizeRule {
    enum class Kind { any, powers, nodes, listed };

    Kind kind = Kind::any;
    std::vector<std::uint32_t> listed;  // ascending, each once

    // `gpus_of_node`: that a whole node has.
    bool allows(std::uint32_t gpus, std::uint32_t gpus_of_node) const {
        switch (kind) {
            case Kind::powers:
                return std::has_single_bit(gpus);
            case Kind::nodes:
                return gpus_of_node > 0 && gpus % gpus_of_node == 0;
            case Kind::listed:
                return std::binary_search(listed.begin(), listed.end(), gpus);
            case Kind::any:
                break;
        }
        return true;
    }

    // Those from `min` >= 1 to `max`, ascending. Of any: all of them.
    std::vector<std::uint32_t> sizes(std::uint32_t min, std::uint32_t max,
                                     std::uint32_t gpus_of_node) const {
        std::vector<std::uint32_t> found;
        const auto add = [&](std::uint64_t gpus) {
            if (gpus >= min && gpus <= max) {
                found.push_back(static_cast<std::uint32_t>(gpus));
            }
        };
        if (kind == Kind::listed) {
            std::for_each(listed.begin(), listed.end(), add);
        } else if (kind == Kind::powers) {
            for (std::uint64_t gpus = 1; gpus <= max; gpus *= 2) {
                add(gpus);
            }
        } else if (const std::uint64_t step = kind == Kind::any ? 1 : gpus_of_node; step > 0) {
            for (std::uint64_t gpus = (min + step - 1) / step * step; gpus <= max; gpus += step) {
                add(gpus);
            }
        }
        return found;
    }

    friend bool operator==(const SizeRule&, const SizeRule&) = default;
};

// As it is typed: "powers", "1,2,4".
inline std::string text_of(const SizeRule& rule) {
    constexpr const char* words[] = {"any", "powers", "nodes"};
    if (rule.kind != SizeRule::Kind::listed) {
        return words[static_cast<std::size_t>(rule.kind)];
    }
    std::string text;
    for (const std::uint32_t gpus : rule.listed) {
        text += (text.empty() ? "" : ",") + std::to_string(gpus);
    }
    return text;
}

}  // namespace hora::domain
