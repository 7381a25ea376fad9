// Below a row of boxes some pairs are joined by brackets: on which line does each run, and where
// does it leave its boxes?
#include "libplanner/report/svg/brackets.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace hora::report {
namespace {

// Those that stay near the boxes leave them at the sides, the others nearer to the middle.
using Depth = std::tuple<bool, std::uint32_t, std::size_t>;

Depth depth_of(const std::vector<Bracket>& brackets, std::size_t i) {
    return {brackets[i].is_outer, brackets[i].b - brackets[i].a, i};
}

// The brackets that leave one box to one side, the deepest first.
using Ends = std::vector<std::size_t>;

void place_ends(std::vector<Bracket>& brackets, const std::vector<double>& middles, double room,
                double step) {
    std::vector<Ends> to_left(middles.size());
    std::vector<Ends> to_right(middles.size());
    for (std::size_t i = 0; i < brackets.size(); ++i) {
        to_right[brackets[i].a].push_back(i);
        to_left[brackets[i].b].push_back(i);
    }
    const auto is_deeper = [&](std::size_t i, std::size_t j) {
        return depth_of(brackets, j) < depth_of(brackets, i);
    };
    for (std::size_t box = 0; box < middles.size(); ++box) {
        for (Ends* const ends : {&to_left[box], &to_right[box]}) {
            std::sort(ends->begin(), ends->end(), is_deeper);
            const double between =
                std::min(step, room / 2 / std::max(1.0, static_cast<double>(ends->size())));
            for (std::size_t i = 0; i < ends->size(); ++i) {
                const double away = between * static_cast<double>(i + 1);
                Bracket& one = brackets[(*ends)[i]];
                (ends == &to_left[box] ? one.right : one.left) =
                    middles[box] + (ends == &to_left[box] ? -away : away);
            }
        }
    }
}

// Below all lines so far that it would touch.
std::size_t line_below(const std::vector<Bracket>& brackets, const std::vector<std::size_t>& placed,
                       const Bracket& one, std::size_t least) {
    constexpr double clearance = 4;
    std::size_t line = least;
    for (const std::size_t i : placed) {
        const Bracket& other = brackets[i];
        if (other.left < one.right + clearance && one.left < other.right + clearance) {
            line = std::max(line, other.line + 1);
        }
    }
    return line;
}

}  // namespace

std::size_t lay_brackets(std::vector<Bracket>& brackets, const std::vector<double>& middles,
                         double room, double step) {
    std::vector<std::size_t> by_depth(brackets.size());
    for (std::size_t i = 0; i < brackets.size(); ++i) {
        Bracket& one = brackets[i];
        if (one.b < one.a) {
            std::swap(one.a, one.b);
        }
        by_depth[i] = i;
    }
    place_ends(brackets, middles, room, step);
    std::sort(by_depth.begin(), by_depth.end(), [&](std::size_t i, std::size_t j) {
        return depth_of(brackets, i) < depth_of(brackets, j);
    });
    std::size_t inner_lines = 0;
    std::vector<std::size_t> placed;
    for (const std::size_t i : by_depth) {
        Bracket& one = brackets[i];
        one.line = line_below(brackets, placed, one, one.is_outer ? inner_lines : 0);
        inner_lines = one.is_outer ? inner_lines : std::max(inner_lines, one.line + 1);
        placed.push_back(i);
    }
    return inner_lines;
}

}  // namespace hora::report
