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

TEST(Words, ArePartedByOtherLetters) {
    EXPECT_EQ(split_words("1 20  x,y", ' '), (Words{"1", "20", "", "x,y"}));
}

TEST(Words, AreTakenOffATextOneByOne) {
    std::string_view text = "a=b,,c";
    EXPECT_EQ(take_until(text, '='), "a");
    EXPECT_EQ(take_until(text, ','), "b");
    EXPECT_EQ(take_until(text, ','), "");
    EXPECT_EQ(take_until(text, ','), "c");
    EXPECT_EQ(text, "");
    EXPECT_EQ(take_until(text, ','), "");
}

TEST(Words, AreGivenWhereTheyAreNotEmpty) {
    EXPECT_EQ(given_words(",a,,bc,"), (std::vector<std::string>{"a", "bc"}));
    EXPECT_TRUE(given_words("").empty());
}

TEST(Words, HaveTheValueOfAKey) {
    EXPECT_EQ(value_in("cpu=4,mem=2G,x=a=b", "mem"), "2G");
    EXPECT_EQ(value_in("cpu=4,mem=2G,x=a=b", "x"), "a=b");
    EXPECT_EQ(value_in("memory=2G,mem", "mem"), "");
    EXPECT_EQ(value_in("", "mem"), "");
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

TEST(Words, NameNumberFormats) {
    for (const domain::DataTypeInfo& known : domain::data_types) {
        EXPECT_EQ(find_data_type(known.name), known.type) << known.name;
    }
    EXPECT_EQ(find_data_type("fp23").error().message,
              "\"fp23\" is none of fp32, tf32, fp16, bf16, fp8; did you mean \"fp32\"?");
    EXPECT_EQ(find_data_type("FP32").error().kind, ErrorKind::wrong_use);
    EXPECT_FALSE(find_data_type(""));
}

}  // namespace
}  // namespace hora::read
