// Are a key and a value of a TOML file shown and taken as they should be?
#include "libplanner/read/format/toml_value.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "libplanner/read/format/toml_table.hpp"

namespace hora::read {
namespace {

struct Key {
    const char* sentence;
    std::string_view key;
    std::string shown;
};

const Key keys[] = {
    {"an ordinary key is shown as it is", "max_gpus", "max_gpus"},
    {"letters beyond ASCII are kept", "gr\xc3\xb6n", "gr\xc3\xb6n"},
    {"control characters of ASCII are replaced", "a\x1b[2J\x7f\n", "a?[2J??"},
    {"U+0080, the first of the C1 control characters, is replaced", "a\xc2\x80", "a?"},
    {"U+009B, which begins a terminal's command, is replaced", "\xc2\x9bJ", "?J"},
    {"U+009F, the last of the C1 control characters, is replaced", "\xc2\x9fz", "?z"},
    {"U+00A0 is a character of text", "\xc2\xa0", "\xc2\xa0"},
};

TEST(ShownKey, HoldsNoControlCharacter) {
    for (const Key& test : keys) {
        EXPECT_EQ(shown_key(test.key), test.shown) << test.sentence;
    }
}

TEST(ShownKey, IsCutAfter64Characters) {
    const std::string longest(64, 'a');
    EXPECT_EQ(shown_key(longest), longest);
    EXPECT_EQ(shown_key(longest + 'b'), fmt::format("{}...", longest));
}

TEST(ShownKey, IsUsedByMessages) {
    auto root = read_toml("\"a\xc2\x9bJ\" = 1\n", "x.toml");
    ASSERT_TRUE(root) << root.error().message;
    const auto done = root->finish();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message, "x.toml:1:1: unknown key \"a?J\"; known here: version");
}

}  // namespace
}  // namespace hora::read
