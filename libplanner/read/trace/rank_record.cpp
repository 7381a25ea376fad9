// What stands in the record of one process (hora-trace(5))?
#include "libplanner/read/trace/rank_record.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "libplanner/read/format/json_object.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using domain::RankRecord;
using nlohmann::json;

constexpr std::size_t most_communicators = 65536;
constexpr std::size_t most_operations = 1024;
constexpr std::size_t longest_name = 256;
constexpr std::size_t longest_operation = 64;
constexpr std::uint32_t most_ranks = std::uint32_t{1} << 24;
constexpr std::uint64_t largest_number = std::uint64_t{1} << 53;
constexpr double latest = 1e12;  // seconds

// Places by name, in the order in which the names were added.
using Places = std::map<std::string, std::uint32_t, std::less<>>;

class Reader {
  public:
    Expected<void> read_line(const json& line);
    bool has_head() const { return has_head_; }
    RankRecord& record() { return record_; }

  private:
    void read_head(JsonObject line);
    void read_communicator(JsonObject line);
    void read_call(JsonObject line);
    void read_step(JsonObject line);
    std::uint32_t operation_at(JsonObject& line);

    RankRecord record_;
    bool has_head_ = false;
    Places communicators_;
    Places operations_;
    JsonProblem problem_;
};

void Reader::read_head(JsonObject line) {
    if (const std::uint64_t version = line.whole("version", largest_number); version != 1) {
        line.reject("version", fmt::format("is {}, this reads 1", version));
    }
    record_.host = line.text("host", longest_name);
    record_.process = line.count("pid");
    record_.rank = static_cast<std::uint32_t>(line.whole("rank", most_ranks - 1));
    if (!line.is_null("device")) {
        JsonObject device = line.object("device");
        record_.device = {device.text("type", longest_name), device.text("uuid", longest_name),
                          device.text("busid", longest_name)};
        device.finish();
    }
    line.finish();
    has_head_ = true;
}

void Reader::read_communicator(JsonObject line) {
    domain::RecordedCommunicator one;
    one.name = line.text("comm", longest_name);
    one.ranks = static_cast<std::uint32_t>(line.whole("ranks", most_ranks));
    if (one.ranks == 0) {
        line.reject("ranks", "is 0");
    }
    one.rank = line.index("rank", one.ranks);
    one.nodes = static_cast<std::uint32_t>(line.whole("nodes", one.ranks));
    line.finish();
    if (communicators_.size() == most_communicators) {
        line.reject("comm", fmt::format("is one of more than {}", most_communicators));
    } else if (!communicators_.emplace(one.name, communicators_.size()).second) {
        line.reject("comm", fmt::format("describes {} a second time", read::quoted(one.name)));
    }
    record_.communicators.push_back(std::move(one));
}

std::uint32_t Reader::operation_at(JsonObject& line) {
    std::string name = line.text("op", longest_operation);
    if (const auto known = operations_.find(name); known != operations_.end()) {
        return known->second;
    }
    if (operations_.size() == most_operations) {
        line.reject("op", fmt::format("is one of more than {}", most_operations));
        return 0;
    }
    record_.operations.push_back(name);
    return operations_.emplace(std::move(name), operations_.size()).first->second;
}

void Reader::read_call(JsonObject line) {
    domain::RecordedCall call;
    const std::string& name = line.long_text("comm");
    const auto found = communicators_.find(name);
    if (found == communicators_.end()) {
        line.reject("comm", fmt::format("names {}, which no line before this one describes",
                                        read::quoted(name)));
        return;
    }
    call.communicator = found->second;
    call.operation = operation_at(line);
    call.sequence = line.whole("seq", largest_number);
    call.bytes = Bytes(static_cast<double>(line.whole("bytes", largest_number)));
    call.begin = Seconds(line.number("begin", {0, latest}));
    call.end = Seconds(line.number("end", {0, latest}));
    if (call.end < call.begin) {
        line.reject("end", "is before begin");
    }
    if (line.has("peer")) {
        call.peer = line.index("peer", record_.communicators[call.communicator].ranks);
    }
    if (line.has("ahead")) {
        call.ahead = line.whole("ahead", largest_number);
    }
    line.finish();
    record_.calls.push_back(call);
}

void Reader::read_step(JsonObject line) {
    domain::RecordedStep step;
    step.step = line.whole("step", largest_number);
    step.at = Seconds(line.number("at", {0, latest}));
    line.finish();
    record_.steps.push_back(step);
}

Expected<void> Reader::read_line(const json& line) {
    constexpr auto one = JsonObject::only_one;
    if (!has_head_) {
        if (!line.is_object() || !line.contains("version")) {
            return failure(
                "no record of calls: its first line is "
                R"({"version":1,"host":…,"pid":…,"rank":…,"device":…}, see hora-trace(5))");
        }
        read_head(JsonObject(line, "head", one, problem_));
    } else if (!line.is_object()) {
        return failure("is no JSON object");
    } else if (line.contains("op")) {
        read_call(JsonObject(line, "call", one, problem_));
    } else if (line.contains("comm")) {
        read_communicator(JsonObject(line, "communicator", one, problem_));
    } else if (line.contains("step")) {
        read_step(JsonObject(line, "step", one, problem_));
    } else {
        return failure("is none of a communicator (comm), a call (op) and a step (step)");
    }
    return problem_.is_there() ? Expected<void>(unexpected(problem_.error())) : Expected<void>();
}

std::string_view without_zeros(std::string_view text) {
    const auto last = text.find_last_not_of('\0');
    return text.substr(0, last == text.npos ? 0 : last + 1);
}

}  // namespace

Expected<RankRecord> read_rank_record(std::string_view text) {
    text = without_zeros(text);
    if (text.size() > largest_rank_record) {
        return failure(fmt::format("{} bytes, at most {}", text.size(), largest_rank_record));
    }
    Reader reader;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        const std::string place = fmt::format("line {}", number);
        if (line.size() > longest_record_line) {
            return failure(
                fmt::format("{}: longer than {} characters", place, longest_record_line));
        }
        const json parsed = json::parse(line, nullptr, false);
        if (parsed.is_discarded()) {
            if (end == text.npos && reader.has_head()) {
                reader.record().is_cut = true;
                break;
            }
            if (reader.has_head()) {
                return failure(fmt::format("{}: no JSON: {}", place, read::quoted(line)));
            }
        }
        if (auto done = reader.read_line(parsed); !done) {
            return unexpected(done.error().within(place));
        }
    }
    if (!reader.has_head()) {
        return failure("is empty");
    }
    return std::move(reader.record());
}

}  // namespace hora::read
