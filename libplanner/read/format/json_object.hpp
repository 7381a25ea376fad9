// What stands in a JSON object, read strictly: each key is asked for, nothing else may be there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::read {

// The first thing found wrong in a document; readers go on with defaults and ask at the end.
class JsonProblem {
  public:
    bool is_there() const { return message_.has_value(); }
    void report(std::string message) {
        if (!message_) {
            message_ = std::move(message);
        }
    }
    Error error() const { return {message_.value_or("")}; }

  private:
    std::optional<std::string> message_;
};

struct NumberRange {
    double min = 0;
    double max = 1e30;
};

// One object of the document, which must outlive it. A key that is missing, of the wrong type or
// out of bounds becomes the problem, and the value returned is then a default.
class JsonObject {
  public:
    static constexpr std::size_t only_one = static_cast<std::size_t>(-1);

    // "partitions", 3: how messages call it.
    JsonObject(const nlohmann::json& value, std::string_view what, std::size_t index,
               JsonProblem& problem);

    std::uint64_t whole(const char* key, std::uint64_t max);
    std::uint32_t count(const char* key);
    std::uint32_t index(const char* key, std::size_t bound);  // < bound
    std::int64_t seconds_since_epoch(const char* key);
    double number(const char* key, NumberRange range = {});
    bool flag(const char* key);
    std::string text(const char* key, std::size_t max_length = 256);
    const std::string& long_text(const char* key);
    std::vector<std::string> texts(const char* key, std::size_t max_count, std::size_t max_length);
    // Without control characters, which begin lines of their own and move a terminal's cursor.
    std::string plain_text(const char* key, std::size_t max_length = 256);
    std::vector<std::string> plain_texts(const char* key, std::size_t max_count,
                                         std::size_t max_length);
    std::vector<std::uint32_t> indices(const char* key, std::size_t bound);  // "0-3,7"
    // [0,0,1,1], each below the bound; empty where the key is not there.
    std::vector<std::uint32_t> numbers_if_there(const char* key, std::size_t max_count,
                                                std::uint32_t bound);
    bool has(const char* key) const;
    bool is_null(const char* key);  // then the key is taken, and not asked for again
    // Null where the value is not limited or not known.
    std::optional<std::uint32_t> count_or_null(const char* key);
    std::optional<std::uint32_t> count_if_there(const char* key);  // likewise where it is missing
    std::optional<double> number_or_null(const char* key, NumberRange range = {});
    std::optional<std::string> text_or_null(const char* key, std::size_t max_length = 256);

    const nlohmann::json& list(const char* key, std::size_t max_count);
    JsonObject object(const char* key);
    // Names the first key that was not asked for.
    void finish();

    void reject(std::string_view key, std::string_view message);
    bool is_good() const { return !problem_->is_there(); }

  private:
    const nlohmann::json* find(std::string_view key);

    const nlohmann::json* value_;
    std::string_view what_;
    std::size_t index_;
    JsonProblem* problem_;
    std::vector<std::string_view> asked_;
};

// The JSON object that is all of a file which Hora has written. Fails where there are more than
// `most` bytes, and where they are none: then with the advice, if there is any.
Expected<nlohmann::json> parse_object(std::string_view text, std::size_t most,
                                      std::string_view advice = {});

}  // namespace hora::read
