// Are the lists of the journal kept apart, and each change whole or not at all?
#include "scripts/horad/journal/journal_file.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <limits>

#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/small_disk.hpp"

namespace hora::horad {
namespace {

using Rows = JournalFile::Rows;

class Lists : public testing::Test {
  protected:
    Expected<void> write(const char* list, const std::vector<JournalFile::Change>& changes,
                         bool is_whole = false) {
        auto done = file_.ready();
        return done ? file_.write(list, changes, is_whole) : done;
    }

    // Of another daemon.
    Rows found(const char* list) const {
        JournalFile later(folder_.path());
        const auto rows = later.rows(list);
        EXPECT_TRUE(rows) << rows.error().message;
        return rows.value_or(Rows());
    }

    // As an operator does.
    void sql(const std::string& statements) const {
        sqlite3* raw = nullptr;
        ASSERT_EQ(sqlite3_open(folder_.file("journal.db").c_str(), &raw), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(raw, statements.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(raw);
        sqlite3_close(raw);
    }

    const tests::ScratchFolder folder_;
    JournalFile file_{folder_.path()};
};

TEST_F(Lists, are_empty_at_first) {
    EXPECT_EQ(file_.generation(), 0U);
    EXPECT_EQ(found("one"), Rows());
    ASSERT_TRUE(file_.ready());
    EXPECT_EQ(file_.generation(), 1U);
    ASSERT_TRUE(file_.ready());
    EXPECT_EQ(file_.generation(), 1U) << "the same file";
}

TEST_F(Lists, hold_any_number_and_any_text) {
    const Rows rows{{0, ""},
                    {1, std::string("a\0b", 3)},
                    {std::uint64_t{1} << 63, "ä'\"; DROP TABLE entries"},
                    {std::numeric_limits<std::uint64_t>::max(), std::string(1 << 20, 'x')}};
    std::vector<JournalFile::Change> changes;
    for (const auto& [number, text] : rows) {
        changes.push_back({number, text});
    }
    ASSERT_TRUE(write("one", changes));
    EXPECT_EQ(found("one"), rows);
}

TEST_F(Lists, are_changed_by_number_and_apart_from_each_other) {
    ASSERT_TRUE(write("one", {{1, "a"}, {2, "b"}}));
    ASSERT_TRUE(write("two", {{1, "c"}}));
    ASSERT_TRUE(write("one", {{1, "d"}, {2, std::nullopt}, {3, std::nullopt}}));
    EXPECT_EQ(found("one"), (Rows{{1, "d"}}));
    EXPECT_EQ(found("two"), (Rows{{1, "c"}}));
    ASSERT_TRUE(write("one", {{5, "e"}}, true));
    EXPECT_EQ(found("one"), (Rows{{5, "e"}})) << "the rest of this list goes";
    EXPECT_EQ(found("two"), (Rows{{1, "c"}})) << "and nothing of another";
    ASSERT_TRUE(write("one", {}, true));
    EXPECT_EQ(found("one"), Rows());
}

TEST_F(Lists, change_as_a_whole_or_not_at_all) {
    ASSERT_TRUE(write("one", {{1, "a"}}));
    sql("CREATE TRIGGER full BEFORE INSERT ON entries WHEN NEW.number = 3 "
        "BEGIN SELECT RAISE(ABORT, 'no'); END");
    EXPECT_FALSE(write("one", {{1, "b"}, {2, "c"}, {3, "d"}}, true));
    EXPECT_EQ(found("one"), (Rows{{1, "a"}}));
    sql("DROP TRIGGER full");
    EXPECT_TRUE(write("one", {{3, "d"}}));
    EXPECT_EQ(found("one"), (Rows{{1, "a"}, {3, "d"}})) << "the connection is good still";
}

TEST_F(Lists, put_aside_one_row_and_keep_its_text) {
    ASSERT_TRUE(write("one", {{1, "a"}, {2, "b"}}));
    ASSERT_TRUE(write("two", {{1, "c"}}));
    ASSERT_TRUE(file_.put_aside("one", 1));
    ASSERT_TRUE(file_.put_aside("one", 1)) << "again";
    EXPECT_EQ(found("one"), (Rows{{2, "b"}}));
    EXPECT_EQ(found("two"), (Rows{{1, "c"}}));
    sql("CREATE TABLE one (is_so CHECK (is_so)); INSERT INTO one SELECT count(*) = 1 FROM damaged "
        "WHERE list = 'one' AND number = 1 AND entry = 'a' AND found > 1700000000");
}

TEST_F(Lists, are_of_another_file_once_that_was_replaced) {
    ASSERT_TRUE(write("one", {{1, "a"}}));
    const std::uint64_t before = file_.generation();
    std::filesystem::remove(folder_.file("journal.db"));
    ASSERT_TRUE(file_.ready());
    EXPECT_GT(file_.generation(), before);
    EXPECT_EQ(file_.rows("one").value_or(Rows{{9, ""}}), Rows());
}

TEST_F(Lists, can_be_written_once_their_disk_can_be) {
    const tests::SmallDisk disk;
    if (!disk.is_mounted()) {
        GTEST_SKIP() << "cannot mount";
    }
    ASSERT_TRUE(JournalFile(disk.path()).ready());
    disk.make_read_only();
    JournalFile file(disk.path());
    EXPECT_FALSE(file.ready());
    disk.make_writable();
    ASSERT_TRUE(file.ready());
    EXPECT_TRUE(file.write("one", {{1, "a"}}, false));
}

TEST_F(Lists, say_why_they_cannot_be_had) {
    JournalFile lost(folder_.file("missing"));
    const auto ready = lost.ready();
    ASSERT_FALSE(ready);
    EXPECT_NE(ready.error().message.find("missing"), std::string::npos) << ready.error().message;
    EXPECT_FALSE(lost.rows("one"));
    EXPECT_EQ(lost.generation(), 0U);
}

}  // namespace
}  // namespace hora::horad
