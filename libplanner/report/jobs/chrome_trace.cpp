// What did all ranks of a job do, as a trace that Perfetto and chrome://tracing open?
#include "libplanner/report/jobs/chrome_trace.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace hora::report {
namespace {

constexpr std::size_t piece = std::size_t{1} << 16;

std::string in_quotes(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

double microseconds(Seconds time) {
    return time.count() * 1e6;
}

class Writer {
  public:
    Writer(const trace::Timeline& timeline, const std::function<void(std::string_view)>& write)
        : timeline_(timeline), write_(write) {}

    void write_all(std::optional<Seconds> waiting);

  private:
    void write_names(std::size_t record, std::uint32_t rows);
    void write_calls(std::size_t record);
    void write_steps(std::size_t record);
    void write_mark(const trace::Mark& mark);
    template <class... Values>
    void add(fmt::format_string<Values...> format, Values&&... values);

    const trace::Timeline& timeline_;
    const std::function<void(std::string_view)>& write_;
    std::vector<std::vector<std::uint32_t>> rows_;  // of each record's calls
    std::string text_;
    bool is_first_ = true;
};

// One event.
template <class... Values>
void Writer::add(fmt::format_string<Values...> format, Values&&... values) {
    text_ += is_first_ ? "\n{" : ",\n{";
    is_first_ = false;
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += '}';
    if (text_.size() >= piece) {
        write_(text_);
        text_.clear();
    }
}

void Writer::write_names(std::size_t record, std::uint32_t rows) {
    const domain::RankRecord& one = timeline_.records[record];
    std::string name = fmt::format("rank {} on {}", one.rank, one.host);
    if (!one.device.type.empty()) {
        name += fmt::format(", {}", one.device.type);
    }
    add(R"("ph":"M","pid":{},"name":"process_name","args":{{"name":{}}})", one.rank,
        in_quotes(name));
    add(R"("ph":"M","pid":{0},"name":"process_sort_index","args":{{"sort_index":{0}}})", one.rank);
    for (std::uint32_t row = 0; row < rows; ++row) {
        add(R"("ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":"{}"}})", one.rank,
            row, row == 0 ? "calls" : "calls beside them");
    }
}

void Writer::write_calls(std::size_t record) {
    const domain::RankRecord& one = timeline_.records[record];
    std::vector<std::string> operations;
    for (const std::string& name : one.operations) {
        operations.push_back(in_quotes(name));
    }
    std::vector<std::string> communicators;
    for (const auto& communicator : one.communicators) {
        communicators.push_back(in_quotes(communicator.name));
    }
    for (std::size_t i = 0; i < one.calls.size(); ++i) {
        const domain::RecordedCall& call = one.calls[i];
        const Seconds begin = timeline_.time_of(record, call.begin);
        const Seconds end = timeline_.time_of(record, call.end);
        add(R"("ph":"X","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f},"name":{},"cat":"{}",)"
            R"("args":{{"comm":{},"seq":{},"bytes":{:.0f}{}{}}})",
            one.rank, rows_[record][i], microseconds(begin), microseconds(end - begin),
            operations[call.operation], call.peer ? "point-to-point" : "collective",
            communicators[call.communicator], call.sequence, call.bytes.count(),
            call.peer ? fmt::format(",\"peer\":{}", *call.peer) : "",
            call.ahead != 0 ? fmt::format(",\"ahead\":{}", call.ahead) : "");
    }
}

void Writer::write_steps(std::size_t record) {
    const domain::RankRecord& one = timeline_.records[record];
    for (const domain::RecordedStep& step : one.steps) {
        add(R"("ph":"i","s":"p","pid":{},"tid":0,"ts":{:.3f},"name":"step {}","cat":"step")",
            one.rank, microseconds(timeline_.time_of(record, step.at)), step.step);
    }
}

void Writer::write_mark(const trace::Mark& mark) {
    const domain::RankRecord& one = timeline_.records[mark.part.record];
    const bool is_late = mark.kind == trace::MarkKind::late;
    const domain::RecordedCall& call = one.calls[mark.part.call];
    add(R"("ph":"i","s":"t","pid":{},"tid":{},"ts":{:.3f},"name":"{}","cat":"{}",)"
        R"("args":{{{}{}}})",
        one.rank, rows_[mark.part.record][mark.part.call],
        microseconds(timeline_.time_of(mark.part.record, is_late ? call.begin : call.end)),
        is_late ? "late" : fmt::format("ahead of rank {}", timeline_.records[mark.other].rank),
        is_late ? "late" : "ahead",
        mark.pieces != 0 ? fmt::format("\"pieces\":{}", mark.pieces)
                         : fmt::format("\"microseconds\":{:.3f}", microseconds(mark.by)),
        is_late ? "" : fmt::format(",\"rank\":{}", timeline_.records[mark.other].rank));
}

void Writer::write_all(std::optional<Seconds> waiting) {
    text_ = fmt::format(
        R"({{"displayTimeUnit":"ms","otherData":{{"version":1{}}},"traceEvents":[)",
        waiting ? fmt::format(R"(,"waiting_of_step":{:.9f})", waiting->count()) : std::string());
    for (std::size_t record = 0; record < timeline_.records.size(); ++record) {
        rows_.push_back(trace::rows_of(timeline_.records[record]));
        std::uint32_t count = 1;
        for (const std::uint32_t row : rows_[record]) {
            count = std::max(count, row + 1);
        }
        write_names(record, count);
        write_calls(record);
        write_steps(record);
    }
    for (const trace::Mark& mark : timeline_.marks) {
        write_mark(mark);
    }
    text_ += "\n]}\n";
    write_(text_);
}

}  // namespace

void write_chrome_trace(const trace::Timeline& timeline, std::optional<Seconds> waiting,
                        const std::function<void(std::string_view)>& write) {
    Writer(timeline, write).write_all(waiting);
}

}  // namespace hora::report
