// Which length of time is meant by one in Slurm's notation?
#include "libplanner/read/slurm/slurm_time.hpp"

#include <fmt/format.h>

#include <vector>

#include "libplanner/read/quoted.hpp"
#include "libplanner/read/whole_number.hpp"

namespace hora::read {
namespace {

constexpr WholeRange any_number{0, 1'000'000'000};
constexpr Seconds longest(366 * 86400.0);

// The numbers between colons, three at most; empty where there is anything else.
std::vector<double> numbers_of(std::string_view text) {
    std::vector<double> numbers;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t colon = std::min(text.find(':', start), text.size());
        const auto number = parse_whole_number(text.substr(start, colon - start), any_number);
        if (!number || numbers.size() == 3) {
            return {};
        }
        numbers.push_back(static_cast<double>(*number));
        start = colon + 1;
    }
    return numbers;
}

}  // namespace

Expected<Seconds> parse_slurm_time(std::string_view text) {
    const auto bad = wrong_use(fmt::format(
        "{} is no time; give minutes, hours:minutes:seconds or days-hours", quoted(text)));
    const std::size_t dash = text.find('-');
    const bool has_days = dash != std::string_view::npos;
    const auto days = has_days ? parse_whole_number(text.substr(0, dash), any_number)
                               : Expected<std::uint64_t>(0);
    std::vector<double> numbers = numbers_of(has_days ? text.substr(dash + 1) : text);
    if (!days || numbers.empty()) {
        return bad;
    }
    // What is left out: after days the last ones, else the hours, and one number is minutes.
    if (!has_days && numbers.size() < 3) {
        numbers.insert(numbers.begin(), 0);
    }
    numbers.resize(3, 0);
    const Seconds time(86400.0 * static_cast<double>(*days) + 3600 * numbers[0] + 60 * numbers[1] +
                       numbers[2]);
    if (longest < time) {
        return wrong_use(fmt::format("{} is more than a year", quoted(text)));
    }
    return time;
}

}  // namespace hora::read
