#include "contrib/trainer/digits/digits.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>

#include "tests/unit/scratch_folder.hpp"

namespace hora::trainer {
namespace {

std::string line_of(const std::string& pixel, const std::string& label) {
    std::string line;
    for (std::size_t i = 0; i < image_size; ++i) {
        line += pixel + ",";
    }
    return line + label + "\n";
}

struct Case {
    const char* sentence;
    std::string text;
    std::string message;  // after the name of the file; empty: it is read
};

std::string five_lines() {
    std::string text;
    for (int i = 0; i < 5; ++i) {
        text += line_of("16", "7");
    }
    return text;
}

const std::string wrong_line = ": not 64 pixels from 0 to 16 and a digit, between commas";
const Case cases[] = {
    {"five images are enough for a split", five_lines(), ""},
    {"a float is a number as well", five_lines() + line_of("1.5", "7"), ""},
    {"a pixel is not above 16", five_lines() + line_of("17", "7"), ", line 6" + wrong_line},
    {"a pixel is not below 0", line_of("-1", "7"), ", line 1" + wrong_line},
    {"a label has one digit", line_of("1", "10"), ", line 1" + wrong_line},
    {"a label is a whole number", line_of("1", "7.5"), ", line 1" + wrong_line},
    {"a line has 65 numbers", "1,2,3\n", ", line 1" + wrong_line},
    {"words are no pixels", "pixel,pixel\n", ", line 1" + wrong_line},
    {"an empty file is too small", "", " holds 0 images; at least 5 are needed"},
};

TEST(Digits, AreReadFromCsv) {
    for (const Case& test : cases) {
        const tests::ScratchFolder scratch;
        scratch.write("digits.csv", test.text);
        const auto digits = read_digits(scratch.file("digits.csv"), 1);
        EXPECT_EQ(digits.has_value(), test.message.empty()) << test.sentence;
        if (!digits) {
            EXPECT_EQ(digits.error().message,
                      "\"" + scratch.file("digits.csv") + "\"" + test.message)
                << test.sentence;
        }
    }
}

TEST(Digits, SayWhereToGetAMissingFile) {
    const auto digits = read_digits("/nonexistent/digits.csv.gz", 1);
    ASSERT_FALSE(digits.has_value());
    EXPECT_EQ(digits.error().message,
              "cannot read the digits from \"/nonexistent/digits.csv.gz\": No such file or "
              "directory; install python3-sklearn or name the file with --data");
}

TEST(Digits, AreNotReadInPart) {
    const tests::ScratchFolder scratch;
    std::string lines;
    for (int i = 0; i < 1'000; ++i) {
        lines += line_of(std::to_string(i * i % 17), std::to_string(i * 7 % 10));
    }
    const std::string path = scratch.file("digits.csv.gz");
    gzFile packed = gzopen(path.c_str(), "wb");
    gzwrite(packed, lines.data(), static_cast<unsigned>(lines.size()));
    ASSERT_EQ(gzclose(packed), Z_OK);
    ASSERT_TRUE(read_digits(path, 1));
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    const auto digits = read_digits(path, 1);
    ASSERT_FALSE(digits);
    EXPECT_EQ(digits.error().message, "\"" + path + "\" is damaged; name another file with --data");
}

TEST(Digits, AreTheRealOnes) {
    if (!std::filesystem::exists(default_digits)) {
        GTEST_SKIP() << "python3-sklearn is not installed";
    }
    const auto digits = read_digits(default_digits, 1);
    ASSERT_TRUE(digits.has_value()) << digits.error().message;
    EXPECT_EQ(digits->training.size(), 1437u);
    EXPECT_EQ(digits->test.size(), 360u);
    const auto again = read_digits(default_digits, 1);
    EXPECT_EQ(again->test.front().pixels, digits->test.front().pixels);
}

}  // namespace
}  // namespace hora::trainer
