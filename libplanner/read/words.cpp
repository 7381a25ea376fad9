// Which words does a value hold, and are they allowed?
#include "libplanner/read/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "libplanner/base/nearest.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {

std::vector<std::string_view> split_words(std::string_view list) {
    std::vector<std::string_view> words;
    for (std::size_t start = 0; start <= list.size();) {
        const std::size_t comma = std::min(list.find(',', start), list.size());
        words.push_back(list.substr(start, comma - start));
        start = comma + 1;
    }
    return words;
}

Expected<std::size_t> find_word(std::string_view word, std::span<const std::string_view> allowed) {
    const auto found = std::find(allowed.begin(), allowed.end(), word);
    if (found == allowed.end()) {
        const std::string guess = did_you_mean(word, allowed);
        return wrong_use(
            fmt::format("{} is none of {}{}", quoted(word), fmt::join(allowed, ", "), guess));
    }
    return static_cast<std::size_t>(std::distance(allowed.begin(), found));
}

}  // namespace hora::read
