// Is this text JSON, and if not, where does it go wrong?
#include "libplanner/read/format/json_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using nlohmann::json;

std::string place_of(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, std::min(byte > 0 ? byte - 1 : 0, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.rfind('\n');
    const std::size_t column = before.size() - (start == before.npos ? 0 : start + 1) + 1;
    return fmt::format("line {}, column {}", line, column);
}

// "[json.exception.parse_error.101] parse error at line 1, column 3: syntax error while … - why"
std::string reason_of(const json::parse_error& error) {
    const std::string_view what = error.what();
    const std::size_t reason = what.find(" - ");
    const std::size_t place = what.find(": ");
    const std::size_t start = reason != what.npos ? reason + 3 : place != what.npos ? place + 2 : 0;
    return std::string(what.substr(start));
}

// What the parser would pass over: of two values of one key it keeps the last.
class TwiceNamed {
  public:
    bool operator()(int, json::parse_event_t event, json& parsed) {
        if (event == json::parse_event_t::object_start) {
            keys_.emplace_back();
        } else if (event == json::parse_event_t::object_end) {
            keys_.pop_back();
        } else if (event == json::parse_event_t::key && problem.empty()) {
            const auto& key = parsed.get_ref<const std::string&>();
            if (!keys_.back().insert(key).second) {
                problem = fmt::format("names the key {} of one object twice", read::quoted(key));
            }
        }
        return true;
    }

    std::string problem;

  private:
    std::vector<std::set<std::string, std::less<>>> keys_;
};

}  // namespace

Expected<json> parse_json(std::string_view text) {
    TwiceNamed twice;
    try {
        json document = json::parse(text, std::ref(twice));
        if (!twice.problem.empty()) {
            return wrong_use(twice.problem);
        }
        return document;
    } catch (const json::parse_error& error) {
        return wrong_use(
            fmt::format("{}: no JSON: {}", place_of(text, error.byte), reason_of(error)));
    } catch (const json::out_of_range& error) {
        return wrong_use(fmt::format("a number is too large: {}", error.what()));
    }
}

}  // namespace hora::read
