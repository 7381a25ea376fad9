// What does a running job report of itself, and how is that written?
#include "plugins/slurm/report/report_message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "libplanner/domain/progress.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/whole_number.hpp"
#include "libplanner/read/words.hpp"

namespace hora::slurm {
namespace {

constexpr std::uint64_t version = 1;
constexpr std::string_view refused = "refused ";

struct Kind {
    ReportKind kind;
    std::string_view name;
    std::size_t words;     // of the whole text
    std::size_t more = 0;  // that may follow
};
constexpr std::array<Kind, 5> kinds{{{ReportKind::progress, "progress", 10, 2},
                                     {ReportKind::checkpoint, "checkpoint", 5},
                                     {ReportKind::ended, "ended", 4},
                                     {ReportKind::resize, "resize", 5},
                                     {ReportKind::force, "force", 5}}};

// Every number stays exact as a double.
constexpr std::uint64_t largest_count = std::uint64_t{1} << 53;
constexpr read::WholeRange counts{0, largest_count};
constexpr read::WholeRange jobs{1, 0xfffffffd};  // NO_VAL and INFINITE name no job
constexpr read::WholeRange starts{0, 0xffff};    // Slurm counts them in 16 bits
// Eleven days, of a step. As a double of seconds such a number comes back exactly: it has been
// rounded twice then, each time by 2^-53 of itself at most, which is less than a quarter.
constexpr std::uint64_t longest_step = 1'000'000'000'000'000;
constexpr read::WholeRange step_times{0, longest_step};
constexpr read::WholeRange machines{0, 1'000'000};
constexpr read::WholeRange noise_scales{1, domain::largest_noise_scale};

const Kind& info(ReportKind kind) {
    return *std::find_if(kinds.begin(), kinds.end(),
                         [kind](const Kind& known) { return known.kind == kind; });
}

// Reads one number after another; the first that is wrong is remembered.
class Numbers {
  public:
    explicit Numbers(const std::vector<std::string_view>& words) : words_(words) {}

    std::uint64_t take(std::size_t word, const char* what, read::WholeRange range) {
        const auto number = read::parse_whole_number(words_[word], range);
        if (!number && !problem_) {
            problem_ = number.error().within(what);
        }
        return number.value_or(0);
    }
    const std::optional<Error>& problem() const { return problem_; }

  private:
    const std::vector<std::string_view>& words_;
    std::optional<Error> problem_;
};

std::uint64_t nanoseconds(Seconds time) {
    const double count = std::round(time.count() * 1e9);
    // Also false for what is no number.
    return count >= 0 && count <= static_cast<double>(longest_step)
               ? static_cast<std::uint64_t>(count)
               : 0;
}

Seconds seconds_of(std::uint64_t nanoseconds) {
    return Seconds(static_cast<double>(nanoseconds) / 1e9);
}

}  // namespace

std::string to_text(const Report& report) {
    std::string text =
        fmt::format("{} {} {} {}", version, report.job, report.restarts, info(report.kind).name);
    if (asks_for_gpus(report.kind)) {
        text += fmt::format(" {}", report.gpus);
    } else if (report.kind != ReportKind::ended) {
        text += fmt::format(" {}", report.step);
    }
    if (report.kind == ReportKind::progress) {
        text += fmt::format(" {} {} {} {} {}", report.epoch, report.samples,
                            nanoseconds(report.step_seconds), report.gpus, report.nodes);
        const std::uint64_t noise_scale = std::min(report.noise_scale, noise_scales.max);
        text += noise_scale > 0 || report.late ? fmt::format(" {}", noise_scale) : std::string();
        text += report.late ? fmt::format(" {}", nanoseconds(*report.late)) : std::string();
    }
    return text;
}

Expected<Report> read_report(std::string_view text) {
    if (text.size() > longest_report) {
        return failure(fmt::format("the report is longer than {} characters", longest_report));
    }
    const std::vector<std::string_view> words = read::split_words(text, ' ');
    if (words.size() < 4) {
        return failure(fmt::format("{} is no report", read::quoted(text)));
    }
    Numbers numbers(words);
    numbers.take(0, "version", {version, version});
    Report report;
    report.job = static_cast<std::uint32_t>(numbers.take(1, "job", jobs));
    report.restarts = static_cast<std::uint32_t>(numbers.take(2, "restarts", starts));
    const auto* const kind = std::find_if(
        kinds.begin(), kinds.end(), [&](const Kind& known) { return known.name == words[3]; });
    if (kind == kinds.end() || words.size() < kind->words ||
        words.size() > kind->words + kind->more) {
        return failure(fmt::format("{} is no report", read::quoted(text)));
    }
    report.kind = kind->kind;
    if (asks_for_gpus(report.kind)) {
        report.gpus = static_cast<std::uint32_t>(numbers.take(4, "GPUs", machines));
    } else if (report.kind != ReportKind::ended) {
        report.step = numbers.take(4, "step", counts);
    }
    if (report.kind == ReportKind::progress) {
        report.epoch = numbers.take(5, "epoch", counts);
        report.samples = numbers.take(6, "samples", counts);
        report.step_seconds = seconds_of(numbers.take(7, "nanoseconds of a step", step_times));
        report.gpus = static_cast<std::uint32_t>(numbers.take(8, "GPUs", machines));
        report.nodes = static_cast<std::uint32_t>(numbers.take(9, "nodes", machines));
        const bool has_late = words.size() > kind->words + 1;
        if (words.size() > kind->words) {
            report.noise_scale = numbers.take(kind->words, "noise scale",
                                              {has_late ? 0 : noise_scales.min, noise_scales.max});
        }
        if (has_late) {
            report.late =
                seconds_of(numbers.take(kind->words + 1, "nanoseconds for late ranks", step_times));
        }
    }
    if (numbers.problem()) {
        return unexpected(numbers.problem()->within("report"));
    }
    return report;
}

std::string answer_text(const Expected<void>& outcome) {
    if (outcome) {
        return "ok";
    }
    const std::string text = std::string(refused) + outcome.error().message;
    return read::printable(text.substr(0, longest_answer), longest_answer);
}

Expected<void> read_answer(std::string_view text) {
    if (text == "ok") {
        return {};
    }
    if (text.starts_with(refused) && text.size() <= longest_answer) {
        return failure(std::string(text.substr(refused.size())));
    }
    return failure(fmt::format("{} is no answer to a report", read::quoted(text.substr(0, 80))));
}

}  // namespace hora::slurm
