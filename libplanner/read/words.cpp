// Which words does a value hold, and are they allowed?
#include "libplanner/read/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "libplanner/base/nearest.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {

std::string_view take_until(std::string_view& text, char separator) {
    const std::string_view taken = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(taken.size() + 1, text.size()));
    return taken;
}

std::vector<std::string_view> split_words(std::string_view list, char separator) {
    std::vector<std::string_view> words;
    for (std::size_t start = 0; start <= list.size();) {
        const std::size_t end = std::min(list.find(separator, start), list.size());
        words.push_back(list.substr(start, end - start));
        start = end + 1;
    }
    return words;
}

std::vector<std::string> given_words(std::string_view list) {
    std::vector<std::string> words;
    while (!list.empty()) {
        if (const std::string_view word = take_until(list, ','); !word.empty()) {
            words.emplace_back(word);
        }
    }
    return words;
}

std::string_view value_in(std::string_view list, std::string_view key) {
    while (!list.empty()) {
        std::string_view value = take_until(list, ',');
        if (take_until(value, '=') == key) {
            return value;
        }
    }
    return {};
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

Expected<domain::DataType> find_data_type(std::string_view word) {
    std::vector<std::string_view> names;
    for (const domain::DataTypeInfo& known : domain::data_types) {
        names.push_back(known.name);
    }
    return find_word(word, names).map([](std::size_t index) {
        return domain::data_types[index].type;
    });
}

}  // namespace hora::read
