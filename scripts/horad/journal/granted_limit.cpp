// Which time limit has Hora given a job, and what is it worth on the GPUs that it was stated for?
#include "scripts/horad/journal/granted_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "libplanner/elastic/worth/gpu_time.hpp"
#include "libplanner/read/leading_number.hpp"
#include "plugins/slurm/jobs/comment_word.hpp"

namespace hora::horad {
namespace {

constexpr std::string_view key = "hora-limit=";

// "OWN:LIMIT", in seconds; a torn word is none.
std::optional<GrantedLimit> parse(std::string_view word) {
    std::uint32_t own = 0;
    std::uint32_t limit = 0;
    if (!read::take_number(word, own) || !word.starts_with(':')) {
        return std::nullopt;
    }
    word.remove_prefix(1);
    if (!read::take_number(word, limit) || !word.empty()) {
        return std::nullopt;
    }
    return GrantedLimit{.limit = Seconds(limit), .own = Seconds(own)};
}

}  // namespace

std::optional<GrantedLimit> find_granted(std::string_view comment) {
    return slurm::value_of_word(comment, key, parse);
}

std::string with_granted(std::string_view comment, const GrantedLimit& granted) {
    return slurm::with_word(
        comment, key,
        fmt::format("{:.0f}:{:.0f}", std::floor(std::max(0.0, granted.own.count())),
                    granted.limit.count()));
}

std::string without_granted(std::string_view comment) {
    return slurm::without_word(comment, key);
}

Seconds own_limit(const slurm::Job& job, std::uint32_t gpus, std::uint32_t stated_for) {
    const double stretch = elastic::limit_stretch(gpus, stated_for);
    const auto granted = find_granted(job.admin_comment);
    return granted && stated_for > 0 && granted->limit == job.time_limit
               ? granted->own
               : *job.time_limit / stretch;
}

}  // namespace hora::horad
