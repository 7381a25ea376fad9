// Which hosts does "n[1-4,07-12]x" mean, and how is a list of hosts written short?
#include "libplanner/read/slurm/hostlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "libplanner/read/quoted.hpp"
#include "libplanner/read/words.hpp"

namespace hora::read {
namespace {

// Numbers of at most 18 digits fit std::uint64_t with room for one more.
constexpr std::size_t most_digits = 18;
// A host name of DNS is no longer, and Slurm counts in five dimensions at most. Each head is copied
// once a group, so without a bound a long name with many groups takes all of the memory.
constexpr std::size_t longest_name = 255;
constexpr int most_groups = 8;

struct Range {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::size_t width = 0;  // digits to pad to with zeros
};

bool is_number(std::string_view text) {
    return !text.empty() && text.size() <= most_digits &&
           text.find_first_not_of("0123456789") == text.npos;
}

std::uint64_t to_number(std::string_view digits) {
    std::uint64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

std::optional<Range> parse_range(std::string_view text) {
    const bool is_single = text.find('-') == text.npos;
    const std::string_view first = take_until(text, '-');
    const std::string_view last = is_single ? first : text;
    if (!is_number(first) || !is_number(last) || to_number(last) < to_number(first)) {
        return std::nullopt;
    }
    return Range{to_number(first), to_number(last), first.size()};
}

// One name: its text pieces, and the groups of ranges between them.
class Expansion {
  public:
    Expansion(std::string_view text, std::size_t limit) : text_(text), limit_(limit) {}

    // Appends the hosts of one name; an empty answer is success.
    std::optional<std::string> append(std::string_view name, std::vector<std::string>& hosts) {
        std::vector<std::string> heads{""};
        for (int groups = 0; !name.empty(); ++groups) {
            const std::size_t open = std::min(name.find('['), name.size());
            const bool has_group = open < name.size();
            if (longest(heads) + open > longest_name || (has_group && groups == most_groups)) {
                return beyond_bounds();
            }
            for (std::string& head : heads) {
                head += name.substr(0, open);
            }
            name.remove_prefix(open);
            if (name.empty()) {
                break;
            }
            const std::size_t close = name.find(']');
            if (close == name.npos) {
                return fmt::format("host list {} has a '[' that is never closed", quoted(text_));
            }
            auto problem = multiply(heads, name.substr(1, close - 1), hosts.size());
            if (problem) {
                return problem;
            }
            name.remove_prefix(close + 1);
        }
        if (longest(heads) > longest_name) {
            return beyond_bounds();
        }
        for (std::string& head : heads) {
            hosts.push_back(std::move(head));
        }
        return std::nullopt;
    }

  private:
    // The numbers of a range may differ in length.
    static std::size_t longest(const std::vector<std::string>& heads) {
        std::size_t size = 0;
        for (const std::string& head : heads) {
            size = std::max(size, head.size());
        }
        return size;
    }

    std::string beyond_bounds() const {
        return fmt::format("host list {} has a name of more than {} letters or {} groups",
                           quoted(text_), longest_name, most_groups);
    }

    std::optional<std::string> multiply(std::vector<std::string>& heads, std::string_view group,
                                        std::size_t already) const {
        std::vector<std::string> result;
        std::vector<Range> ranges;
        std::uint64_t count = 0;
        do {
            const std::string_view piece = take_until(group, ',');
            const auto range = parse_range(piece);
            if (!range) {
                return fmt::format("host list {} has the bad range {}", quoted(text_),
                                   quoted(piece));
            }
            count += range->last - range->first + 1;
            ranges.push_back(*range);
            if (count > limit_ || count * heads.size() + already > limit_) {
                return fmt::format("host list {} names more than {} hosts", quoted(text_), limit_);
            }
        } while (!group.empty());
        result.reserve(heads.size() * count);
        for (const std::string& head : heads) {
            for (const Range& range : ranges) {
                for (std::uint64_t number = range.first; number <= range.last; ++number) {
                    result.push_back(fmt::format("{}{:0{}}", head, number, range.width));
                }
            }
        }
        heads = std::move(result);
        return std::nullopt;
    }

    std::string_view text_;
    std::size_t limit_;
};

// The next name of the list: commas inside brackets do not end it.
std::string_view take_name(std::string_view& text) {
    std::size_t end = 0;
    for (bool is_inside = false; end < text.size(); ++end) {
        is_inside = text[end] == '[' || (is_inside && text[end] != ']');
        if (text[end] == ',' && !is_inside) {
            break;
        }
    }
    const std::string_view name = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return name;
}

// A host name cut around its last number: "rack2-n07x" is "rack2-n", "07", "x".
struct Parts {
    std::string_view head;
    std::string_view digits;
    std::string_view tail;
};

Parts split(std::string_view name) {
    const std::size_t end = name.find_last_of("0123456789") + 1;  // npos + 1 is 0
    std::size_t begin = end;
    while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9' &&
           end - begin < most_digits) {
        --begin;
    }
    return {name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)};
}

// Whether `next` may follow `previous` in one range: the padding must come out the same.
bool follows(const Range& range, std::string_view digits) {
    const std::uint64_t number = to_number(digits);
    return number == range.last + 1 && digits == fmt::format("{:0{}}", number, range.width);
}

std::string to_text(const Range& range) {
    const std::string first = fmt::format("{:0{}}", range.first, range.width);
    return range.first == range.last ? first
                                     : fmt::format("{}-{:0{}}", first, range.last, range.width);
}

std::string to_text(const Parts& parts, const std::vector<Range>& ranges) {
    if (ranges.empty()) {
        return std::string(parts.head) + std::string(parts.tail);
    }
    if (ranges.size() == 1 && ranges[0].first == ranges[0].last) {
        return fmt::format("{}{}{}", parts.head, to_text(ranges[0]), parts.tail);
    }
    std::string list;
    for (const Range& range : ranges) {
        list += (list.empty() ? "" : ",") + to_text(range);
    }
    return fmt::format("{}[{}]{}", parts.head, list, parts.tail);
}

}  // namespace

Expected<std::vector<std::string>> expand_hostlist(std::string_view text, std::size_t limit) {
    std::vector<std::string> hosts;
    Expansion expansion(text, limit);
    std::string_view rest = text;
    if (text.empty() || text.back() == ',') {
        return wrong_use(fmt::format("host list {} has an empty name", quoted(text)));
    }
    while (!rest.empty()) {
        const std::string_view name = take_name(rest);
        if (name.empty() || name.find_first_of(" \t\n") != name.npos) {
            return wrong_use(
                fmt::format("host list {} has an empty name or a blank", quoted(text)));
        }
        if (hosts.size() >= limit) {
            return wrong_use(
                fmt::format("host list {} names more than {} hosts", quoted(text), limit));
        }
        if (auto problem = expansion.append(name, hosts)) {
            return wrong_use(std::move(*problem));
        }
    }
    return hosts;
}

std::string fold_hostlist(std::span<const std::string> hosts) {
    std::string text;
    Parts open;
    std::vector<Range> ranges;
    const auto close = [&] {
        if (!open.head.empty() || !open.tail.empty() || !ranges.empty()) {
            text += (text.empty() ? "" : ",") + to_text(open, ranges);
        }
    };
    for (const std::string& host : hosts) {
        const Parts parts = split(host);
        const bool belongs = !ranges.empty() && !parts.digits.empty() && parts.head == open.head &&
                             parts.tail == open.tail;
        if (belongs && follows(ranges.back(), parts.digits)) {
            ranges.back().last += 1;
            continue;
        }
        if (!belongs) {
            close();
            open = parts;
            ranges.clear();
        }
        if (!parts.digits.empty()) {
            const std::uint64_t number = to_number(parts.digits);
            ranges.push_back({number, number, parts.digits.size()});
        }
    }
    close();
    return text;
}

}  // namespace hora::read
