// Which decision does a job's administrator's comment keep?
#include "libplanner/read/state/decision_token.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "libplanner/domain/mode_names.hpp"
#include "libplanner/read/whole_number.hpp"
#include "libplanner/read/words.hpp"

namespace hora::read {
namespace {

using nlohmann::json;

constexpr std::string_view word_start = "hora=";
constexpr std::size_t longest_record = 65536;

std::string text_of(const json& value) {
    std::string text = value.get<std::string>();
    std::replace(text.begin(), text.end(), '~', ' ');
    return text;
}

// Thrown beside the parser's own exceptions, and caught where they are.
struct OutOfRange {};

// The parser turns any number into any other.
template <class Number>
Number whole_of(const json& value) {
    if (!value.is_number_integer() ||
        !(value.is_number_unsigned() ? std::in_range<Number>(value.get<std::uint64_t>())
                                     : std::in_range<Number>(value.get<std::int64_t>()))) {
        throw OutOfRange();
    }
    return value.get<Number>();
}

std::optional<Seconds> seconds_of(const json& value) {
    return value.is_null() ? std::nullopt : std::optional(Seconds(value.get<double>()));
}

// The first of them where the name is none.
template <class Enum, std::size_t count>
Enum named(const std::string_view (&names)[count], const json& value) {
    const auto* const found =
        std::find(std::begin(names), std::end(names), value.get<std::string>());
    return found == std::end(names) ? Enum() : static_cast<Enum>(found - std::begin(names));
}

domain::Mode mode_of(const json& value) {
    return named<domain::Mode>(domain::mode_names, value);
}

// No other number is a rate: then all gradients travel.
double rate_of(const json& value) {
    const double rate = value.is_number() ? value.get<double>() : 1;
    return rate >= 0 && rate <= 1 ? rate : 1;
}

void read_plan(const json& plan, domain::Decision& decision) {
    decision.has_plan = true;
    decision.mode = mode_of(plan.at("mode"));
    decision.waits = plan.at("waits").get<bool>();
    decision.gpus = whole_of<std::uint32_t>(plan.at("gpus"));
    if (plan.contains("if_idle")) {
        decision.gpus_if_idle = whole_of<std::uint32_t>(plan.at("if_idle"));
    }
    decision.nodes = whole_of<std::uint32_t>(plan.at("nodes"));
    decision.where = text_of(plan.at("where"));
    decision.seconds = seconds_of(plan.at("seconds"));
    decision.step_seconds = Seconds(plan.at("step").get<double>());
    decision.breakdown = {.compute = Seconds(plan.at("compute").get<double>()),
                          .exchange = Seconds(plan.at("exchange").get<double>()),
                          .overhead = Seconds(plan.at("overhead").get<double>())};
    if (plan.contains("travels")) {
        const json& travels = plan.at("travels");
        decision.exchange = {.kind = named<domain::Exchange>(domain::exchange_names, travels.at(0)),
                             .bytes = Bytes(travels.at(1).get<double>()),
                             .sample_rate = rate_of(travels.at(2))};
    }
    if (plan.contains("measured")) {
        const json& measured = plan.at("measured");
        decision.correction = {.compute = measured.at(0).get<double>(),
                               .exchange = measured.at(1).get<double>(),
                               .runs = whole_of<std::uint32_t>(measured.at(2)),
                               .users = whole_of<std::uint32_t>(measured.at(3))};
    }
    if (plan.contains("late")) {
        const json& late = plan.at("late");
        decision.lateness = {.waiting = Seconds(late.at(0).get<double>()),
                             .bypassed = Seconds(late.at(1).get<double>())};
    }
    for (const json& use : plan.at("uses")) {
        const bool is_memory = use.at(2).get<std::string>() == "memory";
        decision.uses.push_back({text_of(use.at(0)), FlopRate(use.at(1).get<double>()),
                                 is_memory ? domain::Bound::memory : domain::Bound::compute,
                                 use.size() > 3 && use.at(3) == "tf32"});
    }
}

domain::Placement placement_of(const json& value) {
    return {.promise = value.at("promise") == "guaranteed" ? domain::Promise::guaranteed
                                                           : domain::Promise::preferred,
            .what = text_of(value.at("what")),
            .is_enforced = value.at("enforced").get<bool>(),
            .is_free = value.at("free").get<bool>(),
            .wait = Seconds(value.at("wait").get<double>()),
            .relaxed = whole_of<std::int64_t>(value.at("relaxed"))};
}

domain::Decision read_object(const json& object) {
    domain::Decision decision;
    decision.operating = text_of(object.at("operating"));
    decision.submitted = whole_of<std::int64_t>(object.at("submitted"));
    decision.snapshot = whole_of<std::int64_t>(object.at("snapshot"));
    decision.partition = text_of(object.at("partition"));
    decision.remark = text_of(object.at("remark"));
    if (!object.at("plan").is_null()) {
        read_plan(object.at("plan"), decision);
    }
    if (object.contains("placement")) {
        decision.placement = placement_of(object.at("placement"));
    }
    if (object.contains("replanned")) {
        const json& replanned = object.at("replanned");
        decision.replanned = {.when = whole_of<std::int64_t>(replanned.at(0)),
                              .times = whole_of<std::uint32_t>(replanned.at(1)),
                              .from = text_of(replanned.at(2)),
                              .why = text_of(replanned.at(3))};
    }
    for (const json& option : object.at("options")) {
        decision.options.emplace_back(text_of(option.at(0)), text_of(option.at(1)));
    }
    for (const json& change : object.at("changes")) {
        decision.changes.push_back(
            {text_of(change.at(0)), text_of(change.at(1)), text_of(change.at(2))});
    }
    for (const json& other : object.at("rejected")) {
        decision.rejected.push_back({.mode = mode_of(other.at(0)),
                                     .gpus = whole_of<std::uint32_t>(other.at(1)),
                                     .where = text_of(other.at(2)),
                                     .seconds = seconds_of(other.at(3)),
                                     .reason = text_of(other.at(4))});
    }
    return decision;
}

// "2n" of which `unit` is "n".
std::optional<std::uint32_t> whole_of(std::string_view text, std::string_view unit) {
    if (!text.ends_with(unit)) {
        return std::nullopt;
    }
    text.remove_suffix(unit.size());
    const auto number = parse_whole_number(text, {0, 0xffffffffU});
    return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
}

// "step=0.25s"
std::optional<Seconds> seconds_of(std::string_view text, std::string_view name) {
    if (!text.starts_with(name) || !text.ends_with('s')) {
        return std::nullopt;
    }
    text.remove_prefix(name.size());
    text.remove_suffix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole = error == std::errc() && end == text.data() + text.size();
    return is_whole && std::isfinite(value) ? std::optional(Seconds(value)) : std::nullopt;
}

// What follows the mode of operation: "8xh100,2n,sync,step=0.25s,total=60s".
bool read_summary(std::string_view text, domain::PlanWord& word) {
    const auto gpus = whole_of(take_until(text, 'x'), "");
    word.type = take_until(text, ',');
    const auto nodes = whole_of(take_until(text, ','), "n");
    const std::string_view mode = take_until(text, ',');
    const auto step = seconds_of(take_until(text, ','), "step=");
    if (!gpus || !nodes || !step) {
        return false;
    }
    word.has_plan = true;
    word.gpus = *gpus;
    word.nodes = *nodes;
    word.mode = mode_of(json(mode));
    word.step_seconds = *step;
    word.seconds = seconds_of(text, "total=");
    return true;
}

}  // namespace

bool is_plan_word(std::string_view word) {
    if (!word.starts_with(word_start)) {
        return false;
    }
    word.remove_prefix(word_start.size());
    return word.starts_with('{') || is_plan_key(word.substr(0, word.find(',')));
}

std::string_view find_word(std::string_view comment) {
    while (!comment.empty()) {
        if (const std::string_view word = take_until(comment, ' '); is_plan_word(word)) {
            return word;
        }
    }
    return {};
}

bool is_plan_key(std::string_view text) {
    constexpr std::size_t longest = 32;
    return !text.empty() && text.size() <= longest &&
           text.find_first_not_of("0123456789abcdef-") == std::string_view::npos;
}

Expected<domain::Decision> read_record(std::string_view text) {
    if (text.size() > longest_record) {
        return failure("the plan kept with the job is longer than any that Hora writes");
    }
    try {
        const json object = json::parse(text);
        if (object.at("version") != 1) {
            return failure("the plan kept with the job is of another version of Hora");
        }
        return read_object(object);
    } catch (const json::exception&) {
        return failure("the plan kept with the job is damaged");
    } catch (const OutOfRange&) {
        return failure("the plan kept with the job is damaged");
    }
}

Expected<std::optional<domain::Decision>> find_decision(std::string_view comment) {
    std::string_view word = find_word(comment);
    word.remove_prefix(std::min(word_start.size(), word.size()));
    if (!word.starts_with('{')) {
        return std::nullopt;
    }
    return read_record(word).map(
        [](domain::Decision&& decision) { return std::optional(std::move(decision)); });
}

std::optional<domain::PlanWord> find_plan_word(std::string_view comment) {
    std::string_view rest = find_word(comment);
    rest.remove_prefix(std::min(word_start.size(), rest.size()));
    domain::PlanWord word;
    word.key = take_until(rest, ',');
    word.operating = take_until(rest, ',');
    if (!is_plan_key(word.key)) {
        return std::nullopt;
    }
    return rest == "none" || read_summary(rest, word) ? std::optional(std::move(word))
                                                      : std::nullopt;
}

}  // namespace hora::read
