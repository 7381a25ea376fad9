// Which known name did the writer mean?
#include "libplanner/base/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace hora {
namespace {

// Levenshtein's distance, one row at a time: O(|a| |b|) time, O(|b|) space.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

// Names longer than this are no slip of the fingers; the bound also bounds the work.
constexpr std::size_t longest_name = 64;

}  // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known) {
    if (name.size() > longest_name) {
        return {};
    }
    std::size_t best = std::max<std::size_t>(2, name.size() / 3) + 1;
    std::string_view nearest;
    for (const std::string_view candidate : known) {
        const std::size_t distance = edit_distance(name, candidate);
        if (distance < best) {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> known) {
    const std::string_view nearest = nearest_name(name, known);
    return nearest.empty() ? std::string() : "; did you mean \"" + std::string(nearest) + "\"?";
}

}  // namespace hora
