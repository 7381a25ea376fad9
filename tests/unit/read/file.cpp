// Is a file read whole up to its bound, and is what cannot be read named?
#include "libplanner/read/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace hora::read {
namespace {

// A file of these bytes, as long as the object lives.
class OnDisk {
  public:
    explicit OnDisk(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }
    OnDisk(const OnDisk&) = delete;
    ~OnDisk() { std::remove(path_.c_str()); }

    const std::string& path() const { return path_; }

  private:
    std::string path_ = ::testing::TempDir() + "hora-file-" + std::to_string(getpid());
};

TEST(File, IsReadWhole) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{65536},
                                   std::size_t{65537}, std::size_t{200000}}) {
        std::string text(size, '\0');
        for (std::size_t i = 0; i < size; ++i) {
            text[i] = static_cast<char>(i * 7 % 256);
        }
        const OnDisk file(text);
        const auto read = read_file(file.path());
        ASSERT_TRUE(read) << size;
        EXPECT_TRUE(*read == text) << size;
    }
}

TEST(File, HasABound) {
    const OnDisk file(std::string(70000, 'x'));
    EXPECT_TRUE(read_file(file.path(), 70000));
    EXPECT_EQ(
        read_file(file.path(), 69999).error().message,
        "\"" + file.path() + "\" is larger than 69999 bytes, the most that is read of such a file");
    EXPECT_FALSE(read_file("/dev/zero", 100000)) << "a file without an end";
    EXPECT_FALSE(read_file(file.path(), 0));
    const OnDisk empty("");
    EXPECT_TRUE(read_file(empty.path(), 0));
}

TEST(File, IsNamedWhereItCannotBeRead) {
    EXPECT_EQ(read_file("/nowhere/at all").error().message,
              "cannot open \"/nowhere/at all\": No such file or directory");
    EXPECT_EQ(read_file("/nowhere/a\nhora: b\x1b[2J").error().message,
              "cannot open \"/nowhere/a?hora: b?[2J\": No such file or directory")
        << "a name is its user's, and ends no line of a message";
    EXPECT_EQ(read_file("/").error().message, "cannot read \"/\": Is a directory");
}

TEST(File, IsRegularWhereSomebodyElseMayHavePutIt) {
    constexpr unsigned longest = 60;  // seconds, after which the signal ends the test
    const OnDisk file("text");
    const std::string link = file.path() + ".link";
    const std::string fifo = file.path() + ".fifo";
    ASSERT_EQ(symlink(file.path().c_str(), link.c_str()), 0);
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    const auto said = [](const std::string& path, Links links) {
        const auto text = read_regular_file(path, links);
        return text ? *text : text.error().message;
    };
    alarm(longest);
    EXPECT_EQ(said(file.path(), Links::refuse), "text");
    EXPECT_EQ(said(link, Links::follow), "text");
    EXPECT_EQ(said(link, Links::refuse),
              "cannot open \"" + link + "\": Too many levels of symbolic links");
    EXPECT_EQ(said(fifo, Links::refuse), "\"" + fifo + "\" is no regular file");
    EXPECT_EQ(said("/dev/zero", Links::refuse), "\"/dev/zero\" is no regular file");
    EXPECT_EQ(said("/", Links::follow), "\"/\" is no regular file");
    EXPECT_EQ(
        read_regular_file(file.path(), Links::refuse, 3).error().message,
        "\"" + file.path() + "\" is larger than 3 bytes, the most that is read of such a file");
    alarm(0);
    std::remove(link.c_str());
    std::remove(fifo.c_str());
}

}  // namespace
}  // namespace hora::read
