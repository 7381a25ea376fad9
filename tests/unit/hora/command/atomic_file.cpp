// Does a reader see the old file or the new one, whatever is in its place and even after a kill?
#include "scripts/hora/command/atomic_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include <ctime>
#include <filesystem>
#include <optional>
#include <set>

#include "tests/unit/scratch_folder.hpp"

namespace hora::scripts {
namespace {

class AtomicFile : public testing::Test {
  protected:
    std::set<std::string> names() const {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
            names.insert(entry.path().filename().string());
        }
        return names;
    }
    mode_t mode(const char* name) const {
        struct stat status {};
        return ::stat(folder_.file(name).c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
    }

    const tests::ScratchFolder folder_;
    const std::string path_ = folder_.file("file");
};

TEST_F(AtomicFile, is_replaced_whole_with_its_mode_and_leaves_nothing_beside_it) {
    const mode_t before = ::umask(0777);
    for (const auto& [text, wanted] : {std::pair<std::string, mode_t>{"long enough", 0644},
                                       {std::string("a\0b", 3), 0600},
                                       {"", 0640},
                                       {std::string(1 << 20, 'x'), 0444}}) {
        ASSERT_TRUE(replace_file(path_, text, {.mode = wanted}));
        EXPECT_EQ(folder_.read("file"), text);
        EXPECT_EQ(mode("file"), wanted);
        EXPECT_EQ(names(), std::set<std::string>{"file"});
    }
    ::umask(before);
}

TEST_F(AtomicFile, of_a_user_has_the_mode_it_had_or_what_the_umask_leaves) {
    const struct {
        const char* sentence;
        mode_t umask;
        std::optional<mode_t> old;
        mode_t wanted;
    } cases[] = {
        {"a new one under a usual umask", 0022, {}, 0644},
        {"a new one that is private", 0077, {}, 0600},
        {"a new one of a group", 0002, {}, 0664},
        {"a new one without a umask", 0, {}, 0666},
        {"a private one stays private", 0022, 0600, 0600},
        {"one of a group stays its own", 0077, 0664, 0664},
        {"one that may not be written stays so", 0022, 0400, 0400},
        {"no right to act as its owner is handed on", 0022, 04755, 0755},
    };
    for (const auto& each : cases) {
        std::filesystem::remove(path_);
        if (each.old) {
            folder_.write("file", "old");
            ASSERT_EQ(::chmod(path_.c_str(), *each.old), 0);
        }
        const mode_t before = ::umask(each.umask);
        const auto written = replace_file(path_, "new");
        ::umask(before);
        EXPECT_TRUE(written) << each.sentence;
        EXPECT_EQ(mode("file"), each.wanted) << each.sentence;
        EXPECT_EQ(names(), std::set<std::string>{"file"}) << each.sentence;
    }
}

TEST_F(AtomicFile, stays_as_it_is_for_who_has_it_open) {
    folder_.write("file", "old");
    const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_TRUE(replace_file(path_, "new"));
    char text[4] = {};
    EXPECT_EQ(::read(file, text, 3), 3);
    EXPECT_STREQ(text, "old");
    ::close(file);
}

TEST_F(AtomicFile, that_cannot_be_written_leaves_nothing_behind) {
    const auto missing = replace_file(folder_.file("missing/file"), "text");
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find("missing/file"), std::string::npos);
    EXPECT_NE(missing.error().message.find("the old file, if any, is unchanged"),
              std::string::npos);
    std::filesystem::create_directory(folder_.file("folder"));
    EXPECT_FALSE(replace_file(folder_.file("folder"), "text"));
    EXPECT_EQ(names(), std::set<std::string>{"folder"});
}

TEST_F(AtomicFile, that_is_a_pipe_or_open_is_written_to) {
    ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    const int reader = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_TRUE(replace_file(path_, "text"));
    char text[5] = {};
    EXPECT_EQ(::read(reader, text, 4), 4);
    EXPECT_STREQ(text, "text");
    ::close(reader);
    EXPECT_TRUE(std::filesystem::is_fifo(path_));

    folder_.write("open", "");
    const int file = ::open(folder_.file("open").c_str(), O_WRONLY | O_CLOEXEC);
    for (const char* const place : {"/dev/fd/", "/proc/self/fd/"}) {
        ASSERT_TRUE(replace_file(place + std::to_string(file), "more"));
    }
    EXPECT_EQ(folder_.read("open"), "moremore") << "after what was written before";
    ::close(file);
    EXPECT_FALSE(replace_file("/dev/fd/" + std::to_string(file), "text")) << "closed";
    EXPECT_TRUE(replace_file("/dev/null", "text"));
    EXPECT_FALSE(replace_file("/dev/full", "text"));
}

TEST_F(AtomicFile, of_a_killed_writer_goes_after_a_while_and_nothing_else_does) {
    const std::time_t now = std::time(nullptr);
    const auto leave = [&](const std::string& name, std::time_t ago) {
        folder_.write(name, "half");
        const utimbuf times{now - ago, now - ago};
        ASSERT_EQ(::utime(folder_.file(name).c_str(), &times), 0);
    };
    leave("file.new-aB3xYz", 3600);
    leave("file.new-aB3xYy", 0);
    for (const char* const other :
         {"file", "file.backup", "file.aB3xYz", "file.new-aB3xY", "file.new-aB3xYz1",
          "file.new-aB3xY_", "file2.new-aB3xYz", "fil.new-aB3xYz", "fileXnew-aB3xYz",
          "xfile.new-aB3xYz", "file.new", "file.db-new"}) {
        leave(other, 3600);
    }
    std::filesystem::create_directory(folder_.file("file.new-folder"));
    std::filesystem::create_symlink(folder_.file("file"), folder_.file("file.new-link00"));
    std::set<std::string> wanted = names();
    wanted.erase("file.new-aB3xYz");
    remove_temporaries(path_, std::chrono::seconds(60));
    EXPECT_EQ(names(), wanted);
    remove_temporaries(folder_.file("missing/file"), std::chrono::seconds(0));
}

}  // namespace
}  // namespace hora::scripts
