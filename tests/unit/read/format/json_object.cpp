#include "libplanner/read/format/json_object.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace hora::read {
namespace {

using Take = std::function<void(JsonObject&)>;

struct Case {
    const char* sentence;
    const char* text;
    Take take;
    std::string problem;  // "": none
};

// The message after the reads and finish().
std::string problem_of(const Case& test) {
    JsonProblem problem;
    const auto document = nlohmann::json::parse(test.text);
    JsonObject object(document, "items", 3, problem);
    test.take(object);
    object.finish();
    return problem.error().message;
}

const Case cases[] = {
    {"a whole number up to the most", R"({"a": 7})",
     [](auto& o) { EXPECT_EQ(o.whole("a", 7), 7U); }, ""},
    {"one above it", R"({"a": 8})", [](auto& o) { EXPECT_EQ(o.whole("a", 7), 0U); },
     "items[3].a is no whole number up to 7"},
    {"a negative one", R"({"a": -1})", [](auto& o) { EXPECT_EQ(o.whole("a", 7), 0U); },
     "items[3].a is no whole number up to 7"},
    {"one with a fraction", R"({"a": 1.5})", [](auto& o) { o.whole("a", 7); },
     "items[3].a is no whole number up to 7"},
    {"a key that is missing", R"({})", [](auto& o) { EXPECT_EQ(o.count("a"), 0U); },
     "items[3].a is missing"},
    {"a key that is not asked for", R"({"a": 1, "b": 2})", [](auto& o) { o.count("a"); },
     "items[3].\"b\" is not known"},
    {"the first problem is kept", R"({"a": "x", "b": "x"})",
     [](auto& o) {
         o.flag("b");
         o.flag("a");
     },
     "items[3].b is neither true nor false"},
    {"an index below its bound", R"({"a": 1})", [](auto& o) { EXPECT_EQ(o.index("a", 2), 1U); },
     ""},
    {"an index at its bound", R"({"a": 2})", [](auto& o) { EXPECT_EQ(o.index("a", 2), 0U); },
     "items[3].a is no whole number up to 1"},
    {"an index into an empty list", R"({"a": 0})", [](auto& o) { o.index("a", 0); },
     "items[3].a points into an empty list"},
    {"a number within its range", R"({"a": 0.5})",
     [](auto& o) {
         EXPECT_EQ(o.number("a", {0, 1}), 0.5);
     },
     ""},
    {"a number outside is taken for the least", R"({"a": 2})",
     [](auto& o) {
         EXPECT_EQ(o.number("a", {0.25, 1}), 0.25);
     },
     "items[3].a is no number between 0.25 and 1"},
    {"text is no number", R"({"a": "0.5"})",
     [](auto& o) {
         o.number("a", {-2, 1});
     },
     "items[3].a is no number between -2 and 1"},
    {"text of the greatest length", R"({"a": "abc"})",
     [](auto& o) { EXPECT_EQ(o.text("a", 3), "abc"); }, ""},
    {"longer text", R"({"a": "abcd"})", [](auto& o) { EXPECT_EQ(o.text("a", 3), ""); },
     "items[3].a is longer than 3 characters"},
    {"long text has no bound", R"({"a": "abcd"})",
     [](auto& o) { EXPECT_EQ(o.long_text("a"), "abcd"); }, ""},
    {"a number is no text", R"({"a": 1})", [](auto& o) { EXPECT_EQ(o.long_text("a"), ""); },
     "items[3].a is no text"},
    {"a count that is null is not limited", R"({"a": null})",
     [](auto& o) { EXPECT_EQ(o.count_or_null("a"), std::nullopt); }, ""},
    {"it may not be missing", R"({})", [](auto& o) { o.count_or_null("a"); },
     "items[3].a is missing"},
    {"unless it may", R"({})", [](auto& o) { EXPECT_EQ(o.count_if_there("a"), std::nullopt); }, ""},
    {"where it is there it is read", R"({"a": 4})",
     [](auto& o) { EXPECT_EQ(o.count_if_there("a"), 4U); }, ""},
    {"a list of the greatest length", R"({"a": [1, 2]})",
     [](auto& o) { EXPECT_EQ(o.list("a", 2).size(), 2U); }, ""},
    {"a longer list", R"({"a": [1, 2, 3]})", [](auto& o) { EXPECT_TRUE(o.list("a", 2).empty()); },
     "items[3].a is no list of up to 2"},
    {"texts of a list that are too long", R"({"a": ["x", "xyz"]})",
     [](auto& o) { EXPECT_TRUE(o.texts("a", 2, 2).empty()); },
     "items[3].a holds something else than text of up to 2 characters"},
    {"numbers of a list that is missing", R"({})",
     [](auto& o) { EXPECT_TRUE(o.numbers_if_there("a", 2, 4).empty()); }, ""},
    {"numbers at their bound", R"({"a": [3, 4]})",
     [](auto& o) { EXPECT_TRUE(o.numbers_if_there("a", 2, 4).empty()); },
     "items[3].a holds something else than whole numbers below 4"},
    {"the problem of an object inside names its key", R"({"a": {"b": 1}})",
     [](auto& o) { o.object("a").flag("b"); }, "a[3].b is neither true nor false"},
    {"an object inside has its own keys", R"({"a": {"b": 1}})",
     [](auto& o) { o.object("a").finish(); }, "a[3].\"b\" is not known"},
    {"another value in place of an object", R"([1])", [](auto&) {}, "items[3] is no object"},
};

TEST(JsonObject, SaysWhatIsWrongAndWhere) {
    for (const Case& test : cases) {
        SCOPED_TRACE(test.sentence);
        EXPECT_EQ(problem_of(test), test.problem);
    }
}

TEST(JsonObject, HasNoIndexWhereItIsTheOnlyOne) {
    JsonProblem problem;
    const nlohmann::json document = nlohmann::json::object();
    JsonObject(document, "snapshot", JsonObject::only_one, problem).count("a");
    EXPECT_EQ(problem.error().message, "snapshot.a is missing");
}

TEST(JsonObject, IsAllOfAFile) {
    const struct {
        const char* sentence;
        const char* text;
        const char* advice;
        const char* problem;
    } files[] = {
        {"an object", R"({"a": 1})", "", ""},
        {"of the greatest length", R"({"a":   1})", "", ""},
        {"a longer one", R"({"a":    1})", "write it anew", "11 bytes, at most 10"},
        {"the first half of one", R"({"a": )", "", "is torn or no JSON object"},
        {"what to do then", R"([1])", "write it anew", "is torn or no JSON object; write it anew"},
    };
    for (const auto& file : files) {
        const auto document = parse_object(file.text, 10, file.advice);
        EXPECT_EQ(document ? "" : document.error().message, file.problem) << file.sentence;
    }
}

}  // namespace
}  // namespace hora::read
