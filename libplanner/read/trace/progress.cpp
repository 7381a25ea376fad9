// What stands in a progress file (HORA_PROGRESS)?
#include "libplanner/read/trace/progress.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using nlohmann::json;

// Empty where the key has another value than a whole number up to 2^53; 0 where it is missing.
std::optional<std::uint64_t> whole_number(const json& line, const char* key) {
    const auto found = line.find(key);
    if (found == line.end()) {
        return 0;
    }
    constexpr std::uint64_t largest = std::uint64_t{1} << 53;
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() > largest) {
        return std::nullopt;
    }
    return found->get<std::uint64_t>();
}

// Measured as it is, it may come out as anything at first: that spoils no line.
std::uint64_t noise_scale(const json& line) {
    const auto found = line.find("noise_scale");
    const double scale = found != line.end() && found->is_number() ? found->get<double>() : 0;
    if (!std::isfinite(scale) || scale <= 0) {
        return 0;
    }
    constexpr auto largest = static_cast<double>(domain::largest_noise_scale);
    return static_cast<std::uint64_t>(std::clamp(std::round(scale), 1.0, largest));
}

std::optional<domain::ProgressReport> read_line(std::string_view text) {
    if (text.size() > longest_progress_line) {
        return std::nullopt;
    }
    const json line = json::parse(text, nullptr, false);
    if (!line.is_object() || !line.contains("step")) {
        return std::nullopt;
    }
    const auto seconds = line.find("seconds");
    if (seconds == line.end() || !seconds->is_number()) {
        return std::nullopt;
    }
    const auto elapsed = seconds->get<double>();
    const auto step = whole_number(line, "step");
    const auto epoch = whole_number(line, "epoch");
    const auto samples = whole_number(line, "samples");
    if (!step || !epoch || !samples || !std::isfinite(elapsed) || elapsed < 0) {
        return std::nullopt;
    }
    return domain::ProgressReport{*step, *epoch, *samples, Seconds(elapsed), noise_scale(line)};
}

// The lines from the end, so that of an endless file the newest are kept.
std::string_view take_last_line(std::string_view& text) {
    const auto before = text.rfind('\n');
    const std::string_view line = text.substr(before == text.npos ? 0 : before + 1);
    text = text.substr(0, before == text.npos ? 0 : before);
    return line;
}

}  // namespace

Expected<Progress> read_progress(std::string_view text) {
    Progress progress;
    std::string_view sample;
    while (!text.empty() && progress.reports.size() < most_progress_reports) {
        const std::string_view line = take_last_line(text);
        if (line.empty()) {
            continue;
        }
        if (const auto report = read_line(line)) {
            progress.reports.push_back(*report);
        } else {
            ++progress.unreadable;
            sample = line;
        }
    }
    if (progress.reports.empty() && progress.unreadable > 0) {
        return failure("no progress line is readable, the first is " + quoted(sample) +
                       R"(; a line is {"step":1,"epoch":1,"samples":64,"seconds":0.5})");
    }
    std::ranges::reverse(progress.reports);
    return progress;
}

}  // namespace hora::read
