// What stands in a JSON object, read strictly: each key is asked for, nothing else may be there.
#include "libplanner/read/format/json_object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "libplanner/read/index_ranges.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

// "partitions[3]", or "snapshot" where there is only one.
std::string place(std::string_view what, std::size_t index) {
    return index == JsonObject::only_one ? std::string(what) : fmt::format("{}[{}]", what, index);
}

const nlohmann::json empty_list = nlohmann::json::array();
const nlohmann::json empty_object = nlohmann::json::object();
const std::string empty_text;

}  // namespace

JsonObject::JsonObject(const nlohmann::json& value, std::string_view what, std::size_t index,
                       JsonProblem& problem)
    : value_(value.is_object() ? &value : &empty_object),
      what_(what),
      index_(index),
      problem_(&problem) {
    asked_.reserve(value_->size());
    if (!value.is_object()) {
        problem.report(place(what, index) + " is no object");
    }
}

void JsonObject::reject(std::string_view key, std::string_view message) {
    problem_->report(fmt::format("{}.{} {}", place(what_, index_), key, message));
}

const nlohmann::json* JsonObject::find(std::string_view key) {
    asked_.push_back(key);
    const auto found = value_->find(key);
    if (found == value_->end()) {
        reject(key, "is missing");
        return nullptr;
    }
    return &*found;
}

std::uint64_t JsonObject::whole(const char* key, std::uint64_t max) {
    const nlohmann::json* found = find(key);
    if (found == nullptr) {
        return 0;
    }
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() > max) {
        reject(key, fmt::format("is no whole number up to {}", max));
        return 0;
    }
    return found->get<std::uint64_t>();
}

std::uint32_t JsonObject::index(const char* key, std::size_t bound) {
    if (bound == 0) {
        reject(key, "points into an empty list");
        asked_.push_back(key);
        return 0;
    }
    return static_cast<std::uint32_t>(whole(key, bound - 1));
}

std::int64_t JsonObject::seconds_since_epoch(const char* key) {
    constexpr std::uint64_t far_future = std::uint64_t{1} << 40;
    return static_cast<std::int64_t>(whole(key, far_future));
}

double JsonObject::number(const char* key, NumberRange range) {
    const nlohmann::json* found = find(key);
    if (found == nullptr) {
        return range.min;
    }
    const double number = found->is_number() ? found->get<double>() : -1;
    if (!found->is_number() || !(number >= range.min && number <= range.max)) {
        reject(key, fmt::format("is no number between {} and {}", range.min, range.max));
        return range.min;
    }
    return number;
}

bool JsonObject::flag(const char* key) {
    const nlohmann::json* found = find(key);
    if (found == nullptr || found->is_boolean()) {
        return found != nullptr && found->get<bool>();
    }
    reject(key, "is neither true nor false");
    return false;
}

const std::string& JsonObject::long_text(const char* key) {
    const nlohmann::json* found = find(key);
    if (found == nullptr) {
        return empty_text;
    }
    if (!found->is_string()) {
        reject(key, "is no text");
        return empty_text;
    }
    return found->get_ref<const std::string&>();
}

std::string JsonObject::text(const char* key, std::size_t max_length) {
    const std::string& found = long_text(key);
    if (found.size() > max_length) {
        reject(key, fmt::format("is longer than {} characters", max_length));
        return {};
    }
    return found;
}

std::vector<std::string> JsonObject::texts(const char* key, std::size_t max_count,
                                           std::size_t max_length) {
    std::vector<std::string> values;
    for (const nlohmann::json& item : list(key, max_count)) {
        if (!item.is_string() || item.get_ref<const std::string&>().size() > max_length) {
            reject(key, fmt::format("holds something else than text of up to {} characters",
                                    max_length));
            return {};
        }
        values.push_back(item.get<std::string>());
    }
    return values;
}

std::string JsonObject::plain_text(const char* key, std::size_t max_length) {
    std::string found = text(key, max_length);
    if (has_control(found)) {
        reject(key, "holds a control character");
        return {};
    }
    return found;
}

std::vector<std::string> JsonObject::plain_texts(const char* key, std::size_t max_count,
                                                 std::size_t max_length) {
    std::vector<std::string> values = texts(key, max_count, max_length);
    if (std::any_of(values.begin(), values.end(), has_control)) {
        reject(key, "hold a control character");
        return {};
    }
    return values;
}

std::vector<std::uint32_t> JsonObject::indices(const char* key, std::size_t bound) {
    auto indices = expand_ranges(long_text(key), static_cast<std::uint32_t>(bound));
    if (!indices) {
        reject(key, indices.error().message);
        return {};
    }
    return *std::move(indices);
}

std::vector<std::uint32_t> JsonObject::numbers_if_there(const char* key, std::size_t max_count,
                                                        std::uint32_t bound) {
    std::vector<std::uint32_t> numbers;
    if (!value_->contains(key)) {
        return numbers;
    }
    for (const nlohmann::json& item : list(key, max_count)) {
        if (!item.is_number_unsigned() || item.get<std::uint64_t>() >= bound) {
            reject(key, fmt::format("holds something else than whole numbers below {}", bound));
            return {};
        }
        numbers.push_back(item.get<std::uint32_t>());
    }
    return numbers;
}

bool JsonObject::has(const char* key) const {
    return value_->contains(key);
}

bool JsonObject::is_null(const char* key) {
    const auto found = value_->find(key);
    if (found == value_->end() || !found->is_null()) {
        return false;
    }
    asked_.push_back(key);
    return true;
}

std::uint32_t JsonObject::count(const char* key) {
    return static_cast<std::uint32_t>(whole(key, std::numeric_limits<std::uint32_t>::max()));
}

std::optional<std::uint32_t> JsonObject::count_or_null(const char* key) {
    return is_null(key) ? std::nullopt : std::optional(count(key));
}

std::optional<std::uint32_t> JsonObject::count_if_there(const char* key) {
    return value_->contains(key) ? count_or_null(key) : std::nullopt;
}

std::optional<double> JsonObject::number_or_null(const char* key, NumberRange range) {
    if (is_null(key)) {
        return std::nullopt;
    }
    return number(key, range);
}

std::optional<std::string> JsonObject::text_or_null(const char* key, std::size_t max_length) {
    if (is_null(key)) {
        return std::nullopt;
    }
    return text(key, max_length);
}

const nlohmann::json& JsonObject::list(const char* key, std::size_t max_count) {
    const nlohmann::json* found = find(key);
    if (found == nullptr) {
        return empty_list;
    }
    if (!found->is_array() || found->size() > max_count) {
        reject(key, fmt::format("is no list of up to {}", max_count));
        return empty_list;
    }
    return *found;
}

JsonObject JsonObject::object(const char* key) {
    const nlohmann::json* found = find(key);
    return {found != nullptr ? *found : empty_object, key, index_, *problem_};
}

void JsonObject::finish() {
    if (problem_->is_there() || asked_.size() == value_->size()) {
        return;
    }
    for (const auto& item : value_->items()) {
        if (std::find(asked_.begin(), asked_.end(), item.key()) == asked_.end()) {
            reject(read::quoted(std::string_view(item.key())), "is not known");
        }
    }
}

Expected<nlohmann::json> parse_object(std::string_view text, std::size_t most,
                                      std::string_view advice) {
    if (text.size() > most) {
        return failure(fmt::format("{} bytes, at most {}", text.size(), most));
    }
    nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
    if (!document.is_object()) {
        return failure(
            fmt::format("is torn or no JSON object{}{}", advice.empty() ? "" : "; ", advice));
    }
    return document;
}

}  // namespace hora::read
