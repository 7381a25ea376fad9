// How is a decision kept with its job: one word of its administrator's comment, which holds all of
// it or names the record that does.
#include "libplanner/report/jobs/decision_token.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "libplanner/domain/mode_names.hpp"
#include "libplanner/read/state/decision_token.hpp"
#include "libplanner/read/words.hpp"

namespace hora::report {
namespace {

constexpr std::string_view word_start = "hora=";
constexpr std::size_t longest_text = 256;

// By letter: what stands for it in a word.
constexpr std::array<char, 256> plain_letters = [] {
    std::array<char, 256> letters{};
    for (std::size_t code = 0; code < letters.size(); ++code) {
        const bool is_awkward = code < 0x21 || code == '"' || code == '\\' || code == 0x7f;
        letters[code] = static_cast<char>(is_awkward ? '\'' : code);
    }
    letters[' '] = '~';
    return letters;
}();

// A text in quotes.
struct Word {
    std::string_view text;
};

// Null where there is none, or no finite one.
struct Number {
    std::optional<double> value;
};

Word word(std::string_view text) {
    return {text.substr(0, longest_text)};
}

Number number(double value) {
    return {std::isfinite(value) ? std::optional(value) : std::nullopt};
}

Number number(const std::optional<Seconds>& seconds) {
    return seconds ? number(seconds->count()) : Number();
}

}  // namespace
}  // namespace hora::report

// A submission waits for the token, and a tree of JSON values takes ten times as long to build and
// write as this line; the library is asked only where bytes may not be letters of UTF-8.
template <>
struct fmt::formatter<hora::report::Word> : fmt::formatter<std::string_view> {
    template <class Context>
    auto format(hora::report::Word word, Context& context) const {
        using Json = nlohmann::json;
        std::array<char, hora::report::longest_text + 2> quoted;
        unsigned all = 0;
        auto end = quoted.begin();
        *end++ = '"';
        for (const char letter : word.text) {
            const auto code = static_cast<unsigned char>(letter);
            *end++ = hora::report::plain_letters[code];
            all |= code;
        }
        *end++ = '"';
        const std::string_view text(quoted.data(), static_cast<std::size_t>(end - quoted.begin()));
        return fmt::formatter<std::string_view>::format(
            all < 0x80
                ? text
                : std::string_view(Json(text.substr(1, text.size() - 2))
                                       .dump(-1, ' ', false, Json::error_handler_t::replace)),
            context);
    }
};

template <>
struct fmt::formatter<hora::report::Number> : fmt::formatter<double> {
    template <class Context>
    auto format(hora::report::Number number, Context& context) const {
        return number.value ? fmt::formatter<double>::format(*number.value, context)
                            : fmt::format_to(context.out(), "null");
    }
};

namespace hora::report {
namespace {

// Into a buffer, which takes pieces faster than a string does.
template <class Format, class... Values>
std::string written(const Format& format, const Values&... values) {
    fmt::memory_buffer buffer;
    fmt::format_to(fmt::appender(buffer), format, values...);
    return fmt::to_string(buffer);
}

// Left out where nothing was measured.
std::string correction_of(const std::optional<domain::Correction>& correction) {
    return correction
               ? written(FMT_COMPILE(R"("measured":[{},{},{},{}],)"), number(correction->compute),
                         number(correction->exchange), correction->runs, correction->users)
               : std::string();
}

// Left out where none is expected.
std::string lateness_of(const std::optional<domain::Lateness>& lateness) {
    return lateness ? written(FMT_COMPILE(R"("late":[{},{}],)"), number(lateness->waiting.count()),
                              number(lateness->bypassed.count()))
                    : std::string();
}

// Left out where nothing travels.
std::string exchange_of(const domain::ExchangeUse& exchange) {
    return exchange.kind == domain::Exchange::automatic
               ? std::string()
               : written(FMT_COMPILE(R"("travels":["{}",{},{}],)"), name_of(exchange.kind),
                         number(exchange.bytes.count()), number(exchange.sample_rate));
}

// Left out where that is no faster.
std::string if_idle(const domain::Decision& decision) {
    return decision.gpus_if_idle == 0
               ? std::string()
               : written(FMT_COMPILE(R"("if_idle":{},)"), decision.gpus_if_idle);
}

std::string plan_of(const domain::Decision& decision) {
    std::string uses;
    for (const domain::TypeUse& use : decision.uses) {
        uses += written(FMT_COMPILE("{}[{},{},\"{}\"{}]"), uses.empty() ? "" : ",", word(use.type),
                        number(use.attainable.count()),
                        use.bound == domain::Bound::memory ? "memory" : "compute",
                        use.takes_tf32 ? ",\"tf32\"" : "");
    }
    const domain::Breakdown& parts = decision.breakdown;
    return written(
        FMT_COMPILE(
            R"({{"mode":"{}","waits":{},"gpus":{},{}"nodes":{},"where":{},"seconds":{},"step":{},)"
            R"("compute":{},"exchange":{},"overhead":{},{}{}{}"uses":[{}]}})"),
        name_of(decision.mode), decision.waits, decision.gpus, if_idle(decision), decision.nodes,
        word(decision.where), number(decision.seconds), number(decision.step_seconds.count()),
        number(parts.compute.count()), number(parts.exchange.count()),
        number(parts.overhead.count()), exchange_of(decision.exchange),
        correction_of(decision.correction), lateness_of(decision.lateness), uses);
}

// Left out where nothing is said of the GPUs' places.
std::string placement_of(const domain::Placement& placement) {
    if (placement.promise == domain::Promise::nothing) {
        return {};
    }
    return written(
        FMT_COMPILE(R"("placement":{{"promise":"{}","what":{},"enforced":{},"free":{},"wait":{},)"
                    R"("relaxed":{}}},)"),
        name_of(placement.promise), word(placement.what), placement.is_enforced, placement.is_free,
        number(placement.wait.count()), placement.relaxed);
}

// Left out where it is the plan of the submission.
std::string replanned_of(const domain::Replanned& replanned) {
    return replanned.times == 0
               ? std::string()
               : written(FMT_COMPILE(R"("replanned":[{},{},{},{}],)"), replanned.when,
                         replanned.times, word(replanned.from), word(replanned.why));
}

std::string head_of(const domain::Decision& decision) {
    return written(
        FMT_COMPILE(R"("version":1,"operating":{},"submitted":{},"snapshot":{},"partition":{},)"
                    R"("plan":{},{}{}"remark":{})"),
        word(decision.operating), decision.submitted, decision.snapshot, word(decision.partition),
        decision.has_plan ? plan_of(decision) : "null", placement_of(decision.placement),
        replanned_of(decision.replanned), word(decision.remark));
}

// A list whose last items go where there is no room for them. It knows its size, since a forged
// request may bring very many items.
class List {
  public:
    explicit List(std::string_view name) : name_(name) {}

    template <class Format, class... Values>
    void add(const Format& format, const Values&... values) {
        ends_.push_back(letters_.size());
        if (ends_.size() > 1) {
            letters_.push_back(',');
        }
        fmt::format_to(fmt::appender(letters_), format, values...);
    }
    void drop_last() {
        letters_.resize(ends_.back());
        ends_.pop_back();
    }
    bool is_empty() const { return ends_.empty(); }

    void append_to(std::string& object) const {
        object += ",\"";
        object += name_;
        object += "\":[";
        object.append(letters_.data(), letters_.size());
        object += ']';
    }
    std::size_t size() const {
        return std::string_view(",\"\":[]").size() + name_.size() + letters_.size();
    }

  private:
    std::string_view name_;
    fmt::memory_buffer letters_;
    std::vector<std::size_t> ends_;  // of the letters before each item
};

std::array<List, 3> lists_of(const domain::Decision& decision) {
    std::array<List, 3> lists = {List("options"), List("changes"), List("rejected")};
    auto& [options, changes, rejected] = lists;
    for (const auto& [name, value] : decision.options) {
        options.add(FMT_COMPILE("[{},{}]"), word(name), word(value));
    }
    for (const domain::FieldChange& change : decision.changes) {
        changes.add(FMT_COMPILE("[{},{},{}]"), word(change.field), word(change.before),
                    word(change.after));
    }
    for (const domain::Alternative& other : decision.rejected) {
        rejected.add(FMT_COMPILE("[\"{}\",{},{},{},{}]"), name_of(other.mode), other.gpus,
                     word(other.where), number(other.seconds), word(other.reason));
    }
    return lists;
}

std::string object_of(const domain::Decision& decision, std::size_t longest) {
    const std::string head = head_of(decision);
    std::array<List, 3> lists = lists_of(decision);
    std::size_t size = head.size() + std::string_view("{}").size();
    for (const List& list : lists) {
        size += list.size();
    }
    for (auto list = lists.rbegin(); list != lists.rend(); ++list) {
        while (size > longest && !list->is_empty()) {
            size -= list->size();
            list->drop_last();
            size += list->size();
        }
    }
    std::string object;
    object.reserve(size);
    object += '{';
    object += head;
    for (const List& list : lists) {
        list.append_to(object);
    }
    object += '}';
    return object;
}

// Of letters that neither end the word nor one of its parts.
std::string plain_name(std::string_view name, std::size_t longest) {
    std::string result(name.substr(0, longest));
    std::replace_if(
        result.begin(), result.end(),
        [](char letter) {
            const bool is_letter = (letter >= 'a' && letter <= 'z') ||
                                   (letter >= 'A' && letter <= 'Z') ||
                                   (letter >= '0' && letter <= '9');
            return !is_letter && letter != '-' && letter != '_' && letter != '.' && letter != '+';
        },
        '_');
    return result;
}

}  // namespace

std::string_view name_of(domain::Promise promise) {
    constexpr std::string_view names[] = {"nothing", "preferred", "guaranteed"};
    return names[static_cast<std::size_t>(promise)];
}

std::string to_token(const domain::Decision& decision) {
    return std::string(word_start) + object_of(decision, longest_token - word_start.size());
}

std::string to_record(const domain::Decision& decision) {
    return object_of(decision, longest_record);
}

std::string to_word(std::string_view key, const domain::Decision& decision) {
    constexpr std::size_t longest_mode = 8;
    const std::string head = written(FMT_COMPILE("{}{},{}"), word_start, key,
                                     plain_name(decision.operating, longest_mode));
    if (!decision.has_plan) {
        return head + ",none";
    }
    const std::string count = written(FMT_COMPILE(",{}x"), decision.gpus);
    const std::string tail = written(
        FMT_COMPILE(",{}n,{},step={:.4g}s{}"), decision.nodes, name_of(decision.mode),
        decision.step_seconds.count(),
        decision.seconds ? written(FMT_COMPILE(",total={:.6g}s"), decision.seconds->count()) : "");
    const std::size_t used = head.size() + count.size() + tail.size();
    const std::string type = decision.uses.empty() ? "gpu" : decision.uses.front().type;
    return head + count + plain_name(type, longest_word - std::min(used, longest_word)) + tail;
}

std::string with_token(std::string_view comment, std::string_view token) {
    std::string result;
    while (!comment.empty()) {
        const std::string_view word = read::take_until(comment, ' ');
        if (!word.empty() && !read::is_plan_word(word)) {
            result += std::string(word) + " ";
        }
    }
    return result + std::string(token);
}

}  // namespace hora::report
