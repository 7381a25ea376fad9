// Which decision does a job's administrator's comment keep?
#include "libplanner/read/decision_token.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace hora::read {
namespace {

using nlohmann::json;

constexpr std::string_view token_start = "hora={";
constexpr std::size_t longest_token = 16384;

std::string text_of(const json& value) {
    std::string text = value.get<std::string>();
    std::replace(text.begin(), text.end(), '~', ' ');
    return text;
}

std::optional<Seconds> seconds_of(const json& value) {
    return value.is_null() ? std::nullopt : std::optional(Seconds(value.get<double>()));
}

domain::Mode mode_of(const json& value) {
    constexpr std::string_view names[] = {"independent", "sync", "async", "balanced"};
    const auto name = value.get<std::string>();
    const auto* found = std::find(std::begin(names), std::end(names), name);
    return found == std::end(names) ? domain::Mode::independent
                                    : static_cast<domain::Mode>(found - std::begin(names));
}

void read_plan(const json& plan, domain::Decision& decision) {
    decision.has_plan = true;
    decision.mode = mode_of(plan.at("mode"));
    decision.waits = plan.at("waits").get<bool>();
    decision.gpus = plan.at("gpus").get<std::uint32_t>();
    decision.nodes = plan.at("nodes").get<std::uint32_t>();
    decision.where = text_of(plan.at("where"));
    decision.seconds = seconds_of(plan.at("seconds"));
    decision.step_seconds = Seconds(plan.at("step").get<double>());
    decision.breakdown = {.compute = Seconds(plan.at("compute").get<double>()),
                          .exchange = Seconds(plan.at("exchange").get<double>()),
                          .overhead = Seconds(plan.at("overhead").get<double>())};
    if (plan.contains("measured")) {
        const json& measured = plan.at("measured");
        decision.correction = {.compute = measured.at(0).get<double>(),
                               .exchange = measured.at(1).get<double>(),
                               .runs = measured.at(2).get<std::uint32_t>(),
                               .users = measured.at(3).get<std::uint32_t>()};
    }
    for (const json& use : plan.at("uses")) {
        const bool is_memory = use.at(2).get<std::string>() == "memory";
        decision.uses.push_back({text_of(use.at(0)), FlopRate(use.at(1).get<double>()),
                                 is_memory ? domain::Bound::memory : domain::Bound::compute});
    }
}

domain::Placement placement_of(const json& value) {
    return {.promise = value.at("promise") == "guaranteed" ? domain::Promise::guaranteed
                                                           : domain::Promise::preferred,
            .what = text_of(value.at("what")),
            .is_enforced = value.at("enforced").get<bool>(),
            .is_free = value.at("free").get<bool>(),
            .wait = Seconds(value.at("wait").get<double>()),
            .relaxed = value.at("relaxed").get<std::int64_t>()};
}

domain::Decision read_object(const json& object) {
    domain::Decision decision;
    decision.operating = text_of(object.at("operating"));
    decision.submitted = object.at("submitted").get<std::int64_t>();
    decision.snapshot = object.at("snapshot").get<std::int64_t>();
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
        decision.replanned = {.when = replanned.at(0).get<std::int64_t>(),
                              .times = replanned.at(1).get<std::uint32_t>(),
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
                                     .gpus = other.at(1).get<std::uint32_t>(),
                                     .where = text_of(other.at(2)),
                                     .seconds = seconds_of(other.at(3)),
                                     .reason = text_of(other.at(4))});
    }
    return decision;
}

}  // namespace

Expected<std::optional<domain::Decision>> find_decision(std::string_view comment) {
    std::size_t start = comment.find(token_start);
    while (start != std::string_view::npos && start != 0 && comment[start - 1] != ' ') {
        start = comment.find(token_start, start + 1);
    }
    if (start == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view word = comment.substr(start, comment.find(' ', start) - start);
    if (word.size() > longest_token) {
        return failure("the plan kept with the job is longer than any that Hora writes");
    }
    try {
        const json object = json::parse(word.substr(token_start.size() - 1));
        if (object.at("version") != 1) {
            return failure("the plan kept with the job is of another version of Hora");
        }
        return read_object(object);
    } catch (const json::exception&) {
        return failure("the plan kept with the job is damaged");
    }
}

}  // namespace hora::read
