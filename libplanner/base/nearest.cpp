// Which known name did the writer mean?
#include "libplanner/base/nearest.hpp"

#include <algorithm>
#include <iterator>
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

// More of them say that the name was too short to mean any.
constexpr std::size_t most_long_names = 4;

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// "resnet" is short for "resnet50", "batch" is not for "batches".
bool is_short_for(std::string_view name, std::string_view known) {
    return name.size() > 1 && known.size() > name.size() && known.starts_with(name) &&
           !is_letter(known[name.size()]);
}

std::vector<std::string_view> long_names(std::string_view name,
                                         std::span<const std::string_view> known) {
    std::vector<std::string_view> found;
    std::copy_if(known.begin(), known.end(), std::back_inserter(found),
                 [&](std::string_view candidate) { return is_short_for(name, candidate); });
    return found;
}

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
    std::vector<std::string_view> meant = long_names(name, known);
    if (meant.empty() || meant.size() > most_long_names) {
        meant = {nearest_name(name, known)};
    }
    if (meant.front().empty()) {
        return {};
    }
    std::string text = "; did you mean ";
    for (std::size_t i = 0; i < meant.size(); ++i) {
        const bool is_last = i + 1 == meant.size();
        text += i == 0 ? "" : (is_last ? " or " : ", ");
        text += "\"" + std::string(meant[i]) + "\"";
    }
    return text + "?";
}

}  // namespace hora
