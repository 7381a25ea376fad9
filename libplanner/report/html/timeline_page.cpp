// One page that shows what all ranks of a job did: a lane for each, from left to right in time.
#include "libplanner/report/html/timeline_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "libplanner/base/counted.hpp"
#include "libplanner/report/duration.hpp"
#include "libplanner/report/html/page_frame.hpp"
#include "libplanner/report/html/page_text.hpp"
#include "libplanner/report/short_count.hpp"
#include "libplanner/report/text/characters.hpp"

namespace hora::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_marks_in_table = 500;

// -- the numbers that the script draws ---------------------------------------

// Tenths of a microsecond: clocks are not aligned better than that.
Json microseconds(Seconds time) {
    return std::round(time.count() * 1e7) / 10;
}

Json shown(std::string_view text) {
    constexpr std::size_t longest = 80;
    return utf8_of(characters_of(text).substr(0, longest));
}

// The place of a name in the list; a new one goes to the end.
std::size_t place_in(Json& names, const Json& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        names.push_back(name);
        return names.size() - 1;
    }
    return static_cast<std::size_t>(found - names.begin());
}

std::string name_of(const domain::RankRecord& record) {
    return fmt::format("{} on {}", record.rank, record.host);
}

class Data {
  public:
    explicit Data(const trace::Timeline& timeline) : timeline_(timeline) {}

    std::string text();

  private:
    Json rank(std::size_t record);
    Json marks() const;

    const trace::Timeline& timeline_;
    Json operations_ = Json::array();
    Json communicators_ = Json::array();
    std::vector<std::vector<std::size_t>> places_;  // by record and call: where the page has it
};

// Eight numbers a call, ascending by begin.
Json Data::rank(std::size_t record) {
    const domain::RankRecord& one = timeline_.records[record];
    std::vector<std::size_t> operations;
    for (const std::string& name : one.operations) {
        operations.push_back(place_in(operations_, shown(name)));
    }
    std::vector<std::size_t> communicators;
    for (const auto& communicator : one.communicators) {
        communicators.push_back(place_in(communicators_, shown(communicator.name)));
    }
    const auto rows = trace::rows_of(one);
    std::vector<std::size_t> order(one.calls.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return one.calls[i].begin; });
    auto& places = places_.emplace_back(one.calls.size());
    Json calls = Json::array();
    for (std::size_t place = 0; place < order.size(); ++place) {
        const domain::RecordedCall& call = one.calls[order[place]];
        places[order[place]] = place;
        const Seconds begin = timeline_.time_of(record, call.begin);
        calls.push_back(microseconds(begin));
        calls.push_back(microseconds(timeline_.time_of(record, call.end) - begin));
        calls.push_back(operations[call.operation]);
        calls.push_back(communicators[call.communicator]);
        calls.push_back(call.sequence);
        calls.push_back(call.bytes.count());
        calls.push_back(call.peer ? Json(*call.peer) : Json(-1));
        calls.push_back(rows[order[place]]);
    }
    Json steps = Json::array();
    for (const domain::RecordedStep& step : one.steps) {
        steps.push_back({step.step, microseconds(timeline_.time_of(record, step.at))});
    }
    return {{"name", shown(name_of(one))},
            {"rank", one.rank},
            {"calls", std::move(calls)},
            {"steps", std::move(steps)}};
}

// [lane, call, lane of the rank that was late, microseconds, pieces]; of a late rank both lanes are
// its own.
Json Data::marks() const {
    Json marks = Json::array();
    for (const trace::Mark& mark : timeline_.marks) {
        marks.push_back({mark.part.record, places_[mark.part.record][mark.part.call], mark.other,
                         microseconds(mark.by), mark.pieces});
    }
    return marks;
}

std::string Data::text() {
    Json ranks = Json::array();
    for (std::size_t record = 0; record < timeline_.records.size(); ++record) {
        ranks.push_back(rank(record));
    }
    return Json{{"version", 1},
                {"operations", operations_},
                {"communicators", communicators_},
                {"ranks", std::move(ranks)},
                {"marks", marks()}}
        .dump(-1, ' ', true, Json::error_handler_t::replace);
}

// -- the same in tables -------------------------------------------------------

// Without counting twice where calls overlap.
Seconds time_in_calls(const domain::RankRecord& record) {
    std::vector<std::pair<Seconds, Seconds>> spans;
    for (const auto& call : record.calls) {
        spans.emplace_back(call.begin, call.end);
    }
    std::ranges::sort(spans);
    Seconds sum;
    Seconds covered;
    for (const auto& [begin, end] : spans) {
        if (end > covered) {
            sum += end - std::max(begin, covered);
            covered = end;
        }
    }
    return sum;
}

std::string rank_table(const trace::Timeline& timeline) {
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < timeline.records.size(); ++i) {
        const domain::RankRecord& record = timeline.records[i];
        const trace::Clock& clock = timeline.alignment.clocks[i];
        const auto count = [&](trace::MarkKind kind) {
            return std::ranges::count_if(timeline.marks, [&](const trace::Mark& mark) {
                return mark.kind == kind && mark.part.record == i;
            });
        };
        constexpr double most_bytes = 1e19;  // of what 64 bits hold
        double bytes = 0;
        for (const auto& call : record.calls) {
            bytes += call.bytes.count();
        }
        rows.push_back({fmt::format("{}", record.rank), record.host,
                        record.device.type.empty() ? "-" : record.device.type,
                        fmt::format("{}", record.calls.size()),
                        short_bytes(static_cast<std::uint64_t>(std::min(bytes, most_bytes))),
                        duration(time_in_calls(record)),
                        fmt::format("{}", count(trace::MarkKind::late)),
                        fmt::format("{}", count(trace::MarkKind::went_ahead)),
                        clock.collectives == 0 ? "-" : duration(clock.scatter),
                        fmt::format("{:+.2f}", clock.drift * 1e6)});
    }
    return html_table("Each rank",
                      {"Rank", "Host", "Device", "Calls", "Bytes", "In calls", "Late", "Went ahead",
                       "Scatter of its clock", "Drift (ppm)"},
                      rows);
}

std::string mark_table(const trace::Timeline& timeline) {
    std::vector<std::vector<std::string>> rows;
    for (const trace::Mark& mark : timeline.marks) {
        if (rows.size() == most_marks_in_table) {
            break;
        }
        const domain::RankRecord& record = timeline.records[mark.part.record];
        const domain::RecordedCall& call = record.calls[mark.part.call];
        const std::uint32_t other = timeline.records[mark.other].rank;
        rows.push_back(
            {fmt::format("{:.6f} s", timeline.time_of(mark.part.record, call.begin).count()),
             fmt::format("{}", record.rank), record.operations[call.operation],
             record.communicators[call.communicator].name, fmt::format("{}", call.sequence),
             mark.kind == trace::MarkKind::late
                 ? "late by " + duration(mark.by)
                 : fmt::format("{} ahead of rank {}",
                               mark.pieces != 0 ? counted(mark.pieces, "piece") : duration(mark.by),
                               other)});
    }
    const std::string caption =
        timeline.marks.size() > most_marks_in_table
            ? fmt::format("The first {} of {} marks", most_marks_in_table, timeline.marks.size())
            : "Late ranks, and those that went ahead of them";
    return html_table(caption, {"At", "Rank", "Function", "Communicator", "Number", "What"}, rows);
}

std::string body(const trace::Timeline& timeline, const std::vector<std::string>& remarks,
                 std::string_view title) {
    std::string text = fmt::format("<h1>{}</h1>\n", escaped_html(title));
    text += "<p>All times are on one clock, by the ends of collectives.</p>\n";
    for (const std::string& remark : remarks) {
        text += fmt::format("<p>{}.</p>\n", escaped_html(remark));
    }
    text +=
        "<noscript><p>The chart needs JavaScript; the tables say what matters.</p></noscript>\n"
        "<section>\n<h2 id=\"lanes-title\">Calls of each rank</h2>\n"
        "<p>Wheel or + and - zoom, dragging or the arrow keys move, 0 shows all.</p>\n"
        "<p class=\"key\" id=\"key\"></p>\n"
        "<p><button id=\"closer\">Zoom in</button> <button id=\"wider\">Zoom out</button> "
        "<button id=\"all\">Show all</button> <button id=\"next\">Next mark</button></p>\n"
        "<p id=\"call\" aria-live=\"polite\">Point at a call.</p>\n"
        "<div class=\"chart\" id=\"lanes-box\"><canvas id=\"lanes\" tabindex=\"0\" role=\"img\" "
        "aria-labelledby=\"lanes-title\" aria-describedby=\"ranks\">Calls of each rank over time"
        "</canvas></div>\n</section>\n<section id=\"ranks\">\n";
    text += rank_table(timeline) + "</section>\n";
    if (!timeline.marks.empty()) {
        text += "<details><summary>Marks as a table</summary>\n" + mark_table(timeline) +
                "</details>\n";
    }
    return text;
}

// "0, 1, 5 and 3 more"
std::string list_of(const std::vector<std::uint32_t>& ranks) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(ranks.size(), most); ++i) {
        text += fmt::format("{}{}", i == 0 ? "" : ", ", ranks[i]);
    }
    return ranks.size() > most ? fmt::format("{} and {} more", text, ranks.size() - most) : text;
}

}  // namespace

std::vector<std::string> timeline_remarks(const trace::Timeline& timeline,
                                          std::optional<Seconds> waiting) {
    std::vector<std::string> remarks;
    std::vector<std::uint32_t> cut;
    for (const domain::RankRecord& record : timeline.records) {
        if (record.is_cut) {
            cut.push_back(record.rank);
        }
    }
    if (const std::size_t missing = trace::missing_records(timeline); missing > 0) {
        remarks.push_back(fmt::format("the records of {} of {} are missing", missing,
                                      counted(timeline.records.size() + missing, "rank")));
    }
    if (!cut.empty()) {
        remarks.push_back("killed while a line was written, which is ignored: rank " +
                          list_of(cut));
    }
    if (timeline.alignment.groups > 1) {
        for (std::uint32_t group = 0; group < std::min(timeline.alignment.groups, 8u); ++group) {
            std::vector<std::uint32_t> ranks;
            for (std::size_t i = 0; i < timeline.records.size(); ++i) {
                if (timeline.alignment.clocks[i].group == group) {
                    ranks.push_back(timeline.records[i].rank);
                }
            }
            remarks.push_back(fmt::format(
                "no collective joins these to the others, so they begin at 0 of a clock of their "
                "own: rank {}",
                list_of(ranks)));
        }
    }
    if (waiting && *waiting > Seconds(0)) {
        remarks.push_back(
            fmt::format("a step waits {} for late ranks (median); hora plan --lateness says what "
                        "that costs",
                        duration(*waiting)));
    }
    return remarks;
}

Expected<std::string> timeline_html(const trace::Timeline& timeline,
                                    const std::vector<std::string>& remarks, std::string_view title,
                                    std::string_view chart_library) {
    std::size_t calls = 0;
    for (const domain::RankRecord& record : timeline.records) {
        calls += record.calls.size();
    }
    if (timeline.records.size() > most_page_ranks || calls > most_page_calls) {
        return wrong_use(fmt::format(
            "a page shows up to {} ranks and {} calls, and these are {} with {}; without --html "
            "the trace is for Perfetto, which shows more",
            most_page_ranks, most_page_calls, counted(timeline.records.size(), "rank"),
            counted(calls, "call")));
    }
    return framed(title, body(timeline, remarks, title), Data(timeline).text(), chart_library,
                  timeline_script);
}

}  // namespace hora::report
