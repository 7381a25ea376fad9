// Which words has a text, and what number has each?
#include "contrib/language-model/text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
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
        {"and any other mark", "a/b:c@d[e`f{g\x7Fh", 8, 8},
        {"in small letters", "Word WORD word", 3, 1},
        {"from a to z", "AMZ amz", 2, 1},
        {"with digits", "1913 web1913", 2, 2},
        {"from 0 to 9", "a0b a9b", 2, 2},
        {"with apostrophes", "don't dont don 't t' 't'", 6, 4},
        {"two apostrophes end it", "a''b", 2, 2},
        {"in any language", "n\xC3\xA9 ne n", 3, 3},
        {"of any bytes that are not ASCII", "a\x80z a\xFFz", 2, 2},
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

TEST(Text, NumbersWordsByNameWhateverComesFirst) {
    const auto text = read(filled("d b c a"), whole, 100);
    ASSERT_TRUE(text);
    const std::vector<std::uint32_t> begin(text->training.begin(), text->training.begin() + 4);
    EXPECT_EQ(begin, (std::vector<std::uint32_t>{4, 2, 3, 1}));
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

TEST(Text, HoldsOutTheLastOfTwentyBlocks) {
    std::string content;
    for (std::size_t i = 0; i < 8'100; ++i) {
        content += i / 200 % 20 == 19 ? "out " : "in ";
    }
    const auto text = read(content, whole, 1'000);
    ASSERT_TRUE(text);
    EXPECT_EQ(text->vocabulary, 2U);
    EXPECT_EQ(text->training, std::vector<std::uint32_t>(7'700, 0));
    EXPECT_EQ(text->test, std::vector<std::uint32_t>(400, 1));
}

// "b" is more frequent than "c" in training, and less in the whole text.
TEST(Text, CountsInTrainingAlone) {
    std::string content = "b b b c c";
    for (std::size_t i = 5; i < enough; ++i) {
        content += i < 3'800 ? " zz" : " c";
    }
    const auto text = read(content, whole, 100);
    ASSERT_TRUE(text);
    const std::vector<std::uint32_t> begin(text->training.begin(), text->training.begin() + 5);
    EXPECT_EQ(begin, (std::vector<std::uint32_t>{1, 1, 1, 2, 2}));
    EXPECT_EQ(text->test, std::vector<std::uint32_t>(200, 2));
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

// What comes after the last word that is wanted is not unpacked, so it may be damaged.
TEST(Text, IsReadNoFurtherThanWanted) {
    const tests::ScratchFolder folder;
    std::string content;
    for (std::size_t i = 0; i < 60'000; ++i) {
        content += fmt::format("word{} ", i * i % 997);
    }
    gzFile packed = gzopen(folder.file("packed").c_str(), "wb");
    ASSERT_EQ(gzwrite(packed, content.data(), static_cast<unsigned>(content.size())),
              static_cast<int>(content.size()));
    ASSERT_EQ(gzclose(packed), Z_OK);
    std::filesystem::resize_file(folder.file("packed"),
                                 std::filesystem::file_size(folder.file("packed")) - 1);
    EXPECT_TRUE(read_text(folder.file("packed"), enough, 500));
    EXPECT_FALSE(read_text(folder.file("packed"), whole, 500));
}

TEST(Text, HasAChecksumOfItsWords) {
    const auto one = read(filled("a b"), whole, 100);
    const auto same = read(filled("A, B"), whole, 100);
    const auto other = read(filled("b a a"), whole, 100);
    ASSERT_TRUE(one && same && other);
    EXPECT_EQ(one->checksum, same->checksum);
    EXPECT_NE(one->checksum, other->checksum);
}

TEST(Text, HasAChecksumOfEveryWord) {
    const auto checksum_with = [](std::size_t place) {
        std::string content;
        for (std::size_t i = 0; i < enough; ++i) {
            content += i == 0 || i == place ? "a " : "zz ";
        }
        const auto text = read(content, whole, 100);
        return text ? text->checksum : 0;
    };
    std::set<std::uint32_t> checksums;
    const std::size_t places[] = {1, 3'799, 3'800, 3'999};  // the last two are held out
    for (const std::size_t place : places) {
        checksums.insert(checksum_with(place));
    }
    EXPECT_EQ(checksums.size(), std::size(places));
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

TEST(Text, NeedsOneBlockThatIsHeldOut) {
    std::string content;
    for (std::size_t i = 0; i < enough - 1; ++i) {
        content += "word ";
    }
    EXPECT_FALSE(read(content, whole, 100));
    EXPECT_TRUE(read(content + "word", whole, 100));
}

}  // namespace
}  // namespace hora::trainer
