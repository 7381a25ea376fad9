// Is standard input read as it stands, whatever it is?
#include "scripts/hora/command/input.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <thread>

#include "libplanner/read/file.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::scripts {
namespace {

// Takes the place of standard input, as long as it lives.
class AsStandardInput {
  public:
    // Takes the descriptor over; below 0: standard input is closed.
    explicit AsStandardInput(int file) : before_(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 100)) {
        if (file < 0) {
            ::close(STDIN_FILENO);
            return;
        }
        ::dup2(file, STDIN_FILENO);
        ::close(file);
    }
    AsStandardInput(const AsStandardInput&) = delete;
    AsStandardInput& operator=(const AsStandardInput&) = delete;
    ~AsStandardInput() {
        ::close(STDIN_FILENO);
        if (before_ >= 0) {
            ::dup2(before_, STDIN_FILENO);
            ::close(before_);
        }
    }

  private:
    int before_;
};

// The end of which so much can be read; nothing follows.
int pipe_of(std::string_view text) {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(ends[1]);
    return ends[0];
}

TEST(Input, ReadsAPipe) {
    const AsStandardInput input(pipe_of("{}\n"));
    EXPECT_EQ(read_input("-", 100).value(), "{}\n");
    EXPECT_EQ(read_input("-", 100).value(), "") << "all of it was read";
}

// What another program has read before is gone, as for cat(1).
TEST(Input, ReadsOnWhereAFileStands) {
    const tests::ScratchFolder folder;
    folder.write("file", "a line\n{}\n");
    const int file = ::open(folder.file("file").c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_EQ(::lseek(file, 7, SEEK_SET), 7);
    const AsStandardInput input(file);
    EXPECT_EQ(read_input("-", 100).value(), "{}\n");
}

// As some programs start others; such a one cannot be opened by its name in /dev.
TEST(Input, ReadsASocket) {
    int ends[2] = {-1, -1};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    ASSERT_EQ(::write(ends[1], "{}\n", 3), 3);
    ::close(ends[1]);
    const AsStandardInput input(ends[0]);
    const auto text = read_input("-", 100);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(*text, "{}\n");
}

// Of the thread that runs the tests: S where it waits.
char state() {
    const std::string status = read::read_file("/proc/self/stat").value();
    return status[status.rfind(')') + 2];
}

// As a program leaves it that waits for several.
TEST(Input, WaitsForAPipeThatDoesNotBlock) {
    int ends[2] = {-1, -1};
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    const AsStandardInput input(ends[0]);
    std::thread writer([end = ends[1]] {
        while (state() != 'S') {
            std::this_thread::yield();
        }
        EXPECT_EQ(::write(end, "{}\n", 3), 3);
        ::close(end);
    });
    const auto text = read_input("-", 100);
    writer.join();
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(*text, "{}\n");
}

TEST(Input, IsNamedWhereItCannotBeRead) {
    {
        const AsStandardInput input(-1);
        EXPECT_EQ(read_input("-", 100).error().message,
                  "cannot read standard input: Bad file descriptor");
    }
    const AsStandardInput input(pipe_of("1234"));
    EXPECT_EQ(read_input("-", 3).error().message,
              "standard input is larger than 3 bytes, the most that is read of such a file");
}

TEST(Input, OfAnyOtherNameIsAFile) {
    const tests::ScratchFolder folder;
    folder.write("-", "text");
    EXPECT_EQ(read_input(folder.path() + "/-", 100).value(), "text");
    EXPECT_EQ(read_input("", 100).error().message, "cannot open \"\": No such file or directory");
}

}  // namespace
}  // namespace hora::scripts
