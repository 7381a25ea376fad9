// How is a decision kept with its job: one word of its administrator's comment.
#include "libplanner/report/decision_token.hpp"

#include <nlohmann/json.hpp>

#include "libplanner/report/plan.hpp"

namespace hora::report {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view token_start = "hora={";
constexpr std::size_t longest_text = 256;

std::string plain(std::string_view text) {
    std::string result(text.substr(0, longest_text));
    for (char& letter : result) {
        const bool is_blank = letter == ' ' || letter == '~';
        const bool is_awkward = static_cast<unsigned char>(letter) < 0x21 || letter == '"' ||
                                letter == '\\' || letter == 0x7f;
        if (is_blank) {
            letter = '~';
        } else if (is_awkward) {
            letter = '\'';
        }
    }
    return result;
}

ordered_json number(const std::optional<Seconds>& seconds) {
    return seconds ? ordered_json(seconds->count()) : ordered_json(nullptr);
}

ordered_json plan_of(const domain::Decision& decision) {
    ordered_json uses = ordered_json::array();
    for (const domain::TypeUse& use : decision.uses) {
        uses.push_back({plain(use.type), use.attainable.count(),
                        use.bound == domain::Bound::memory ? "memory" : "compute"});
    }
    return {{"mode", name_of(decision.mode)},
            {"waits", decision.waits},
            {"gpus", decision.gpus},
            {"nodes", decision.nodes},
            {"where", plain(decision.where)},
            {"seconds", number(decision.seconds)},
            {"step", decision.step_seconds.count()},
            {"compute", decision.breakdown.compute.count()},
            {"exchange", decision.breakdown.exchange.count()},
            {"overhead", decision.breakdown.overhead.count()},
            {"uses", uses}};
}

ordered_json object_of(const domain::Decision& decision) {
    ordered_json object{{"version", 1}, {"operating", plain(decision.operating)}};
    object["submitted"] = decision.submitted;
    object["snapshot"] = decision.snapshot;
    object["partition"] = plain(decision.partition);
    object["plan"] = decision.has_plan ? plan_of(decision) : ordered_json(nullptr);
    object["remark"] = plain(decision.remark);
    object["options"] = ordered_json::array();
    for (const auto& [name, value] : decision.options) {
        object["options"].push_back({plain(name), plain(value)});
    }
    object["changes"] = ordered_json::array();
    for (const domain::FieldChange& change : decision.changes) {
        object["changes"].push_back(
            {plain(change.field), plain(change.before), plain(change.after)});
    }
    object["rejected"] = ordered_json::array();
    for (const domain::Alternative& other : decision.rejected) {
        object["rejected"].push_back({name_of(other.mode), other.gpus, plain(other.where),
                                      number(other.seconds), plain(other.reason)});
    }
    return object;
}

std::string text_of(const ordered_json& object) {
    return "hora=" + object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

std::string to_token(const domain::Decision& decision) {
    ordered_json object = object_of(decision);
    std::string token = text_of(object);
    for (const char* list : {"rejected", "changes", "options"}) {
        while (token.size() > longest_token && !object[list].empty()) {
            object[list].erase(object[list].size() - 1);
            token = text_of(object);
        }
    }
    return token;
}

std::string with_token(std::string_view comment, std::string_view token) {
    std::string result;
    while (!comment.empty()) {
        const std::size_t end = std::min(comment.find(' '), comment.size());
        const std::string_view word = comment.substr(0, end);
        comment.remove_prefix(std::min(end + 1, comment.size()));
        if (!word.empty() && !word.starts_with(token_start)) {
            result += std::string(word) + " ";
        }
    }
    return result + std::string(token);
}

}  // namespace hora::report
