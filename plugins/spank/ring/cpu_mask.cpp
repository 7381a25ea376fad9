// On which CPUs does a task belong, by the GPU it drives?
#include "plugins/spank/ring/cpu_mask.hpp"

#include <algorithm>
#include <iterator>

namespace hora::spank {
namespace {

constexpr std::size_t most_digits = 2048;  // four CPUs each
constexpr std::size_t most_masks = 4096;

// Empty on what is no mask.
Cpus read_mask(std::string_view text) {
    Cpus cpus;
    if (!text.starts_with("0x") || text.size() > most_digits) {
        return cpus;
    }
    text.remove_prefix(2);
    for (std::size_t i = 0; i < text.size(); ++i) {
        constexpr std::string_view digits = "0123456789abcdef0123456789ABCDEF";
        const std::size_t found = digits.find(text[text.size() - 1 - i]);
        if (found == digits.npos) {
            return {};
        }
        for (std::uint32_t bit = 0; bit < 4; ++bit) {
            if (((found % 16) >> bit & 1U) != 0) {
                cpus.push_back(static_cast<std::uint32_t>(i) * 4 + bit);
            }
        }
    }
    return cpus;
}

Cpus common(const Cpus& a, const Cpus& b) {
    Cpus both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
}

bool meet(const Cpus& a, const Cpus& b) {
    return !common(a, b).empty();
}

// By task: whose binding it takes over.
std::vector<std::size_t> trade(const std::vector<Cpus>& bound, const std::vector<Cpus>& near) {
    std::vector<std::size_t> from(bound.size());
    std::vector<std::size_t> unhappy;
    for (std::size_t task = 0; task < bound.size(); ++task) {
        from[task] = task;
        if (!meet(bound[task], near[task])) {
            unhappy.push_back(task);
        }
    }
    for (std::size_t i = 0; i < unhappy.size(); ++i) {
        const std::size_t task = unhappy[i];
        const auto better =
            std::find_if(unhappy.begin() + static_cast<std::ptrdiff_t>(i), unhappy.end(),
                         [&](std::size_t other) { return meet(bound[from[other]], near[task]); });
        if (better != unhappy.end()) {
            std::swap(from[task], from[*better]);
        }
    }
    return from;
}

}  // namespace

std::vector<Cpus> read_masks(std::string_view text) {
    std::vector<Cpus> masks;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t comma = std::min(text.find(',', start), text.size());
        masks.push_back(read_mask(text.substr(start, comma - start)));
        if (masks.back().empty() || masks.size() > most_masks) {
            return {};
        }
        start = comma + 1;
    }
    return masks;
}

Cpus choose_cpus(const TaskCpus& task) {
    if (task.task >= task.near.size()) {
        return task.own;
    }
    Cpus cpus = task.own;
    // What Slurm says is trusted only where the task finds itself bound so.
    if (task.bound.size() == task.near.size() && task.bound[task.task] == task.own) {
        cpus = task.bound[trade(task.bound, task.near)[task.task]];
    }
    Cpus nearest = common(cpus, task.near[task.task]);
    return nearest.size() < std::max<std::size_t>(1, task.asked) ? cpus : nearest;
}

}  // namespace hora::spank
