// Which words does a list have, and which one was meant?
#include "libplanner/read/words.hpp"

#include <gtest/gtest.h>

namespace hora::read {
namespace {

using Words = std::vector<std::string_view>;

TEST(Words, ArePartedByCommas) {
    EXPECT_EQ(split_words("a,bc,d"), (Words{"a", "bc", "d"}));
    EXPECT_EQ(split_words("a"), Words{"a"});
    EXPECT_EQ(split_words(""), Words{""});
    EXPECT_EQ(split_words(",a,,"), (Words{"", "a", "", ""}));
    EXPECT_EQ(split_words(" a, b"), (Words{" a", " b"}));
}

TEST(Words, AreFoundAmongThoseAllowed) {
    const std::string_view allowed[] = {"ring", "tree", "server"};
    EXPECT_EQ(find_word("ring", allowed), 0U);
    EXPECT_EQ(find_word("server", allowed), 2U);
    EXPECT_EQ(find_word("tre", allowed).error().message,
              "\"tre\" is none of ring, tree, server; did you mean \"tree\"?");
    EXPECT_EQ(find_word("automatic", allowed).error().message,
              "\"automatic\" is none of ring, tree, server");
    EXPECT_EQ(find_word("Ring", allowed).error().kind, ErrorKind::wrong_use);
    EXPECT_FALSE(find_word("", allowed));
}

}  // namespace
}  // namespace hora::read
