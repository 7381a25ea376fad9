#include "contrib/trainer/data_file.hpp"

#include <gmock/gmock.h>
#include <zlib.h>

#include <filesystem>
#include <functional>
#include <random>

#include "tests/unit/scratch_folder.hpp"

namespace hora::trainer {
namespace {

// Nothing that can be packed well, so that there are several parts of it either way.
std::string some_text() {
    std::mt19937_64 random(1);
    std::string text(300'000, '\0');
    for (char& one : text) {
        one = static_cast<char>(random() % 251);
    }
    return text;
}

std::string packed(const std::string& text) {
    const tests::ScratchFolder folder;
    gzFile file = gzopen(folder.file("packed").c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    return folder.read("packed");
}

struct Outcome {
    std::string text;
    std::string problem;
};
Outcome read(const std::string& path, std::size_t most = ~std::size_t{0}) {
    Outcome outcome;
    const auto done = read_parts({.path = path, .what = "the text", .package = "some-text"},
                                 [&](std::span<const char> part) {
                                     outcome.text.append(part.data(), part.size());
                                     return outcome.text.size() < most;
                                 });
    outcome.problem = done ? "" : done.error().message;
    return outcome;
}

TEST(DataFile, IsReadPackedOrNot) {
    const tests::ScratchFolder folder;
    for (const std::string& text : {std::string(), std::string("x"), some_text()}) {
        for (const std::string& bytes : {text, packed(text), packed("") + packed(text)}) {
            folder.write("file", bytes);
            const Outcome outcome = read(folder.file("file"));
            EXPECT_EQ(outcome.problem, "") << text.size();
            EXPECT_TRUE(outcome.text == text) << text.size();
        }
    }
    EXPECT_EQ(read("/dev/null").problem, "");
}

TEST(DataFile, IsReadNoFurtherThanItIsNeeded) {
    const tests::ScratchFolder folder;
    std::string bytes = packed(some_text());
    bytes.resize(bytes.size() / 2);
    folder.write("file", bytes);
    const Outcome outcome = read(folder.file("file"), 1);
    EXPECT_EQ(outcome.problem, "");
    EXPECT_LE(outcome.text.size(), std::size_t{1} << 16);
    EXPECT_EQ(read("/dev/zero", 1).problem, "");
}

TEST(DataFile, IsKnownToBeDamaged) {
    struct Case {
        const char* name;
        std::function<void(std::string&)> harm;
    };
    const Case cases[] = {
        {"its end is missing", [](std::string& bytes) { bytes.pop_back(); }},
        {"half of it is missing", [](std::string& bytes) { bytes.resize(bytes.size() / 2); }},
        {"a bit differs", [](std::string& bytes) { bytes[bytes.size() / 2] ^= 1; }},
        {"its checksum differs", [](std::string& bytes) { bytes[bytes.size() - 5] ^= 1; }},
        {"its length differs", [](std::string& bytes) { bytes[bytes.size() - 1] ^= 1; }},
    };
    const tests::ScratchFolder folder;
    for (const Case& c : cases) {
        std::string bytes = packed(some_text());
        c.harm(bytes);
        folder.write("file", bytes);
        EXPECT_EQ(read(folder.file("file")).problem,
                  "\"" + folder.file("file") + "\" is damaged; name another file with --data")
            << c.name;
    }
}

TEST(DataFile, SaysWhyItCannotBeRead) {
    const tests::ScratchFolder folder;
    const auto expected = [](const std::string& path, const char* why) {
        return "cannot read the text from \"" + path + "\": " + why +
               "; install some-text or name the file with --data";
    };
    EXPECT_EQ(read(folder.file("none")).problem,
              expected(folder.file("none"), "No such file or directory"));
    EXPECT_EQ(read(folder.path()).problem, expected(folder.path(), "Is a directory"));
    EXPECT_EQ(read("/proc/self/mem").problem, expected("/proc/self/mem", "Input/output error"));
}

}  // namespace
}  // namespace hora::trainer
