// Does Hora tell a file that it may not touch, and leave nothing half done?
#include "scripts/history/connection.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <functional>

#include "tests/unit/scratch_folder.hpp"

namespace hora::history {
namespace {

using ::testing::HasSubstr;

constexpr std::array<std::string_view, 2> both_steps{
    "CREATE TABLE things (name TEXT); INSERT INTO things VALUES ('first');",
    "ALTER TABLE things ADD COLUMN size INTEGER NOT NULL DEFAULT 7;"};
constexpr Schema first{"history", 4711, std::span(both_steps).first(1)};
constexpr Schema second{"history", 4711, both_steps};
constexpr Schema foreign{"history", 4712, both_steps};

std::int64_t number(Connection& connection, const char* sql) {
    auto statement = connection.prepare(sql);
    EXPECT_TRUE(statement) << (statement ? "" : statement.error().message);
    EXPECT_TRUE(*statement->step());
    return statement->whole(0);
}

class ConnectionTest : public ::testing::Test {
  protected:
    std::string path() const { return folder_.file("x.db"); }
    std::string open_error(Access access, const Schema& schema = second) const {
        const auto opened = Connection::open(path(), access, schema);
        return opened ? std::string() : opened.error().message;
    }
    void make(const Schema& schema = second) const {
        ASSERT_TRUE(Connection::open(path(), Access::write, schema, 0644));
    }
    // In a child without root's rights. Its answer is its exit code.
    static int as_nobody(const std::function<int()>& action) {
        const pid_t child = ::fork();
        if (child == 0) {
            constexpr uid_t nobody = 65534;
            if (::geteuid() == 0 && (::setgid(nobody) != 0 || ::setuid(nobody) != 0)) {
                ::_exit(99);
            }
            ::_exit(action());
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 100;
    }

    tests::ScratchFolder folder_;
};

TEST_F(ConnectionTest, MakesAFileAndOpensItAgain) {
    make();
    auto again = Connection::open(path(), Access::write, second);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(number(*again, "SELECT count(*) FROM things"), 1);
    EXPECT_EQ(number(*again, "PRAGMA user_version"), 2);
}

TEST_F(ConnectionTest, BringsAnOlderFileUpToDateAndKeepsWhatItHolds) {
    make(first);
    EXPECT_THAT(open_error(Access::read), HasSubstr("version 1, this Hora reads 2; restart horad"));
    auto newer = Connection::open(path(), Access::write, second);
    ASSERT_TRUE(newer) << newer.error().message;
    EXPECT_EQ(number(*newer, "SELECT size FROM things WHERE name = 'first'"), 7);
}

TEST_F(ConnectionTest, RefusesWhatIsNotItsOwnAndChangesNothing) {
    struct Case {
        const char* name;
        std::function<void()> prepare;
        const Schema& schema;
        const char* message;
    };
    const Case cases[] = {
        {"a text file", [&] { folder_.write("x.db", std::string(4096, 'x')); }, second,
         "is no SQLite file"},
        {"another program's", [&] { make(); }, foreign, "is another program's file"},
        {"another program's that names itself nothing",
         [&] {
             sqlite3* raw = nullptr;
             sqlite3_open(path().c_str(), &raw);
             sqlite3_exec(raw, "CREATE TABLE theirs (x)", nullptr, nullptr, nullptr);
             sqlite3_close(raw);
         },
         second, "is another program's file"},
        {"a later version", [&] { make(); }, first, "of version 2, this Hora knows 1"},
        {"one whose pages were overwritten",
         [&] {
             make();
             std::string bytes = folder_.read("x.db");
             bytes.replace(100, bytes.size() - 100, bytes.size() - 100, '\xa5');
             folder_.write("x.db", bytes);
         },
         second, "is damaged"},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        std::filesystem::remove(path());
        each.prepare();
        const std::string before = folder_.read("x.db");
        for (const Access access : {Access::read, Access::write}) {
            EXPECT_THAT(open_error(access, each.schema), HasSubstr(each.message));
        }
        EXPECT_EQ(folder_.read("x.db"), before);
    }
}

TEST_F(ConnectionTest, SaysWhyAFileCannotBeOpened) {
    EXPECT_THAT(open_error(Access::read), HasSubstr("yet: horad writes it"));
    EXPECT_FALSE(std::filesystem::exists(path()));
    const auto nowhere = Connection::open(folder_.file("none/x.db"), Access::write, second);
    ASSERT_FALSE(nowhere);
    EXPECT_THAT(nowhere.error().message, HasSubstr("No such file"));
    for (const Access access : {Access::read, Access::write}) {
        std::filesystem::create_directory(path());
        EXPECT_THAT(open_error(access), HasSubstr("is no regular file"));
        std::filesystem::remove(path());
        // Its reader would wait for a writer for ever.
        ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
        EXPECT_THAT(open_error(access), HasSubstr("is no regular file"));
        std::filesystem::remove(path());
    }
    folder_.write("x.db", "");
    EXPECT_THAT(open_error(Access::read), HasSubstr("is empty: horad has written no history"));
}

TEST_F(ConnectionTest, TellsAFolderThatMayNotBeEnteredFromAFileThatIsNotThere) {
    std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
    const std::string closed = folder_.file("closed");
    std::filesystem::create_directory(closed);
    ASSERT_EQ(::chmod(closed.c_str(), ::geteuid() == 0 ? 0700 : 0), 0);
    EXPECT_EQ(as_nobody([&] {
                  const auto opened = Connection::open(closed + "/x.db", Access::read, second);
                  return !opened && opened.error().message.find("Permission denied") !=
                                        std::string::npos
                             ? 0
                             : 1;
              }),
              0);
    ::chmod(closed.c_str(), 0700);
}

TEST_F(ConnectionTest, IsReadWithoutTheRightToWrite) {
    make();
    std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
    EXPECT_EQ(as_nobody([&] {
                  auto reader = Connection::open(path(), Access::read, second);
                  return reader && number(*reader, "SELECT count(*) FROM things") == 1 &&
                                 !reader->execute("DELETE FROM things")
                             ? 0
                             : 1;
              }),
              0);
    ::chmod(path().c_str(), 0600);
    EXPECT_EQ(as_nobody([&] {
                  const std::string message = open_error(Access::read);
                  return message.find("look at the rights") != std::string::npos ? 0 : 1;
              }),
              ::geteuid() == 0 ? 0 : 1);
}

TEST_F(ConnectionTest, GivesANewFileTheRightsThatWereAskedFor) {
    const mode_t before = ::umask(0077);
    make();
    ::umask(before);
    struct stat file {};
    ASSERT_EQ(::stat(path().c_str(), &file), 0);
    EXPECT_EQ(file.st_mode & 0777, 0644U);
}

TEST_F(ConnectionTest, UndoesATransactionThatFailsHalfWay) {
    auto connection = Connection::open(path(), Access::write, second);
    ASSERT_TRUE(connection);
    const auto done = connection->transaction([&]() -> Expected<void> {
        EXPECT_TRUE(connection->execute("DELETE FROM things"));
        return failure("no more");
    });
    EXPECT_FALSE(done);
    EXPECT_EQ(number(*connection, "SELECT count(*) FROM things"), 1);
}

// The file may not grow: what the disk says when it is full.
TEST_F(ConnectionTest, LeavesNothingHalfDoneOnAFullDisk) {
    auto connection = Connection::open(path(), Access::write, second);
    ASSERT_TRUE(connection);
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit tight{65536, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    const auto done = connection->transaction([&] {
        return connection->execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) "
            "INSERT INTO things (name) SELECT hex(zeroblob(2000)) FROM n");
    });
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(done);
    EXPECT_THAT(done.error().message, HasSubstr("disk"));
    EXPECT_EQ(number(*connection, "SELECT count(*) FROM things"), 1);
    EXPECT_TRUE(connection->execute("INSERT INTO things (name) VALUES ('second')"));
    EXPECT_EQ(number(*connection, "SELECT count(*) FROM things"), 2);
}

TEST_F(ConnectionTest, KeepsWhatWasWrittenWhenItsWriterIsKilledInTheMiddle) {
    make();
    const pid_t child = ::fork();
    if (child == 0) {
        auto writer = Connection::open(path(), Access::write, second);
        static_cast<void>(writer->execute("INSERT INTO things (name) VALUES ('kept')"));
        // Small cache: pages reach the file before the end of the transaction.
        static_cast<void>(writer->execute(
            "PRAGMA cache_size = 1; BEGIN IMMEDIATE; "
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) "
            "INSERT INTO things (name) SELECT hex(zeroblob(2000)) FROM n"));
        ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    ASSERT_TRUE(std::filesystem::exists(path() + "-journal"));
    std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
    if (::geteuid() == 0) {
        EXPECT_EQ(as_nobody([&] {
                      const std::string message = open_error(Access::read);
                      return message.find("when horad starts again") != std::string::npos ? 0 : 1;
                  }),
                  0);
    }
    auto again = Connection::open(path(), Access::write, second);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(number(*again, "SELECT count(*) FROM things"), 2);
}

}  // namespace
}  // namespace hora::history
