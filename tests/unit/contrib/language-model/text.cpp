// Which words has a text, and what number has each?
#include "contrib/language-model/text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <set>

#include "tests/unit/scratch_folder.hpp"

namespace hora::trainer {
namespace {

constexpr std::uint64_t whole = 1'000'000;
constexpr std::size_t enough = 4'000;

// So much that a text is long enough; "zz" is its most frequent word.
std::string filled(std::string_view begin) {
    std::string text(begin);
    for (std::size_t i = 0; i < enough; ++i) {
        text += " zz";
    }
    return text;
}

Expected<Text> read(std::string_view content, std::uint64_t words, std::uint32_t vocabulary) {
    const tests::ScratchFolder folder;
    folder.write("text", std::string(content));
    return read_text(folder.file("text"), words, vocabulary);
}

TEST(Text, HasWords) {
    const struct {
        const char* what;
        std::string text;
        std::size_t words;      // before those that fill it
        std::size_t different;  // of them
    } cases[] = {
        {"between blanks", "a bc\td\n e", 4, 4},
        {"and marks", "a,b.c(d)[e]-f", 6, 6},
        {"in small letters", "Word WORD word", 3, 1},
        {"with digits", "1913 web1913", 2, 2},
        {"with apostrophes", "don't dont don 't t' 't'", 6, 4},
        {"two apostrophes end it", "a''b", 2, 2},
        {"in any language", "n\xC3\xA9 ne", 2, 2},
        {"as long as need be", std::string(63, 'x') + " " + std::string(64, 'x'), 2, 2},
        {"and no longer", std::string(65, 'x') + " " + std::string(64, 'x'), 2, 1},
        {"with zero bytes between", std::string("a\0b", 3), 2, 2},
    };
    for (const auto& test : cases) {
        const auto text = read(filled(test.text), whole, 1'000);
        ASSERT_TRUE(text) << text.error().message;
        EXPECT_EQ(text->training.size() + text->test.size(), test.words + enough) << test.what;
        const std::set<std::uint32_t> numbers(
            text->training.begin(),
            text->training.begin() + static_cast<std::ptrdiff_t>(test.words));
        EXPECT_EQ(numbers.size(), test.different) << test.what;
        EXPECT_EQ(text->vocabulary, test.different + 2) << test.what << ": zz and unknown words";
    }
}

TEST(Text, NumbersWordsByCountAndThenByName) {
    const auto text = read(filled("b c b a c d b"), whole, 100);
    ASSERT_TRUE(text);
    const std::vector<std::uint32_t> begin(text->training.begin(), text->training.begin() + 8);
    EXPECT_EQ(begin, (std::vector<std::uint32_t>{1, 2, 1, 3, 2, 4, 1, 0}));
}

TEST(Text, CountsRareWordsAsOne) {
    const auto text = read(filled("b c b a c d b"), whole, 3);
    ASSERT_TRUE(text);
    EXPECT_EQ(text->vocabulary, 3U);
    const std::vector<std::uint32_t> begin(text->training.begin(), text->training.begin() + 8);
    EXPECT_EQ(begin, (std::vector<std::uint32_t>{1, 2, 1, 2, 2, 2, 1, 0}));
}

// Block 19 of words 3,800 to 3,999 is held out, and so is block 39.
TEST(Text, HoldsOutEachTwentiethBlock) {
    std::string content;
    for (std::size_t i = 0; i < 8'100; ++i) {
        content += fmt::format("w{} ", i / 200);
    }
    const auto text = read(content, whole, 1'000);
    ASSERT_TRUE(text);
    EXPECT_EQ(text->test.size(), 400U);
    EXPECT_EQ(text->training.size(), 7'700U);
    // Their words occur nowhere else: nothing is known of them.
    EXPECT_EQ(text->vocabulary, 39U + 1);
    EXPECT_EQ(std::set<std::uint32_t>(text->test.begin(), text->test.end()),
              (std::set<std::uint32_t>{39}));
    EXPECT_FALSE(std::ranges::count(text->training, 39U));
}

TEST(Text, EndsAfterAsManyWordsAsAreWanted) {
    const auto text = read(filled("a b"), enough, 100);
    ASSERT_TRUE(text);
    EXPECT_EQ(text->training.size() + text->test.size(), enough);
    const auto more = read(filled("a b"), whole, 100);
    ASSERT_TRUE(more);
    EXPECT_EQ(more->training.size() + more->test.size(), enough + 2);
}

TEST(Text, IsTheSamePackedAndInParts) {
    const tests::ScratchFolder folder;
    std::string content;  // longer than what is read at a time
    for (std::size_t i = 0; i < 60'000; ++i) {
        content += fmt::format("word{} ", i * i % 997);
    }
    folder.write("plain", content);
    gzFile packed = gzopen(folder.file("packed").c_str(), "wb");
    ASSERT_EQ(gzwrite(packed, content.data(), static_cast<unsigned>(content.size())),
              static_cast<int>(content.size()));
    ASSERT_EQ(gzclose(packed), Z_OK);
    const auto one = read_text(folder.file("plain"), whole, 500);
    const auto other = read_text(folder.file("packed"), whole, 500);
    ASSERT_TRUE(one && other);
    EXPECT_EQ(one->training.size() + one->test.size(), 60'000U);
    EXPECT_EQ(one->vocabulary, 500U);
    EXPECT_EQ(one->training, other->training);
    EXPECT_EQ(one->test, other->test);
    EXPECT_EQ(one->checksum, other->checksum);

    std::filesystem::resize_file(folder.file("packed"),
                                 std::filesystem::file_size(folder.file("packed")) / 2);
    const auto damaged = read_text(folder.file("packed"), whole, 500);
    ASSERT_FALSE(damaged);
    EXPECT_EQ(damaged.error().message,
              "\"" + folder.file("packed") + "\" is damaged; name another file with --data");
}

TEST(Text, HasAChecksumOfItsWords) {
    const auto one = read(filled("a b"), whole, 100);
    const auto same = read(filled("A, B"), whole, 100);
    const auto other = read(filled("b a a"), whole, 100);
    ASSERT_TRUE(one && same && other);
    EXPECT_EQ(one->checksum, same->checksum);
    EXPECT_NE(one->checksum, other->checksum);
}

TEST(Text, SaysWhatIsWrongWithAFile) {
    const tests::ScratchFolder folder;
    const auto missing = read_text(folder.file("none"), whole, 100);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message,
              "cannot read a text from \"" + folder.file("none") +
                  "\": No such file or directory; install dict-gcide or name the file with --data");
    folder.write("short", "three words only");
    const auto few = read_text(folder.file("short"), whole, 100);
    ASSERT_FALSE(few);
    EXPECT_EQ(few.error().message,
              "\"" + folder.file("short") + "\" has 3 words; a language model needs at least 4000");
}

}  // namespace
}  // namespace hora::trainer
