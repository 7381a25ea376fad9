// How fast are the types of GPU of a job, one against another?
#include "libplanner/read/trace/speeds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

constexpr std::size_t most_types = 64;

Expected<TypeSpeed> read_item(std::string_view item) {
    const std::size_t colon = item.rfind(':');
    const std::string_view number =
        colon == std::string_view::npos ? std::string_view() : item.substr(colon + 1);
    double speed = 0;
    const char* const end = number.data() + number.size();
    const auto [stopped, status] = std::from_chars(number.data(), end, speed);
    if (colon == 0 || number.empty() || status != std::errc() || stopped != end ||
        !std::isfinite(speed) || speed <= 0) {
        return failure(
            fmt::format("{} is no speed; write TYPE:NUMBER, e.g. titanx:1.9", quoted(item)));
    }
    return TypeSpeed{std::string(item.substr(0, colon)), speed};
}

}  // namespace

Expected<std::vector<TypeSpeed>> read_speeds(std::string_view text) {
    std::vector<TypeSpeed> speeds;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t comma = std::min(text.find(',', start), text.size());
        auto item = read_item(text.substr(start, comma - start));
        if (!item) {
            return unexpected(item.error());
        }
        speeds.push_back(*std::move(item));
        if (speeds.size() > most_types) {
            return failure(fmt::format("more than {} types of GPU", most_types));
        }
        start = comma + 1;
    }
    return speeds;
}

}  // namespace hora::read
