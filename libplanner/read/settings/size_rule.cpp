// Which numbers of GPUs does "powers", or "1,2,4,8", mean?
#include "libplanner/read/settings/size_rule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "libplanner/read/quoted.hpp"
#include "libplanner/read/whole_number.hpp"
#include "libplanner/read/words.hpp"

namespace hora::read {
namespace {

using domain::SizeRule;

constexpr WholeRange gpus_range{1, 1'000'000};
constexpr std::size_t most_sizes = 16;  // as many as are kept with a plan, whatever they are

Expected<SizeRule> parse_list(std::string_view text) {
    const std::vector<std::string_view> words = split_words(text);
    if (words.size() > most_sizes) {
        return wrong_use(fmt::format("names {} sizes; give at most {}", words.size(), most_sizes));
    }
    std::vector<std::uint32_t> sizes;
    for (const std::string_view word : words) {
        const auto gpus = parse_whole_number(word, gpus_range);
        if (!gpus) {
            return unexpected(gpus.error());
        }
        sizes.push_back(static_cast<std::uint32_t>(*gpus));
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return SizeRule{SizeRule::Kind::listed, std::move(sizes)};
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

Expected<SizeRule> parse_size_rule(std::string_view text) {
    if (text.find(',') != std::string_view::npos || is_number(text)) {
        return parse_list(text);
    }
    using Kind = SizeRule::Kind;
    constexpr std::string_view names[] = {"any", "powers", "nodes"};
    constexpr Kind kinds[] = {Kind::any, Kind::powers, Kind::nodes};
    const auto index = find_word(text, names);
    if (index) {
        return SizeRule{kinds[*index], {}};
    }
    if (index.error().message.ends_with('?')) {  // a guess at what was meant
        return unexpected(index.error());
    }
    return wrong_use(fmt::format("{} is none of {}, nor a list of numbers of GPUs", quoted(text),
                                 fmt::join(names, ", ")));
}

}  // namespace hora::read
