// Is a list after each change what the file says, however the daemon, the file or the disk ended?
#include "scripts/horad/journal/journal_list.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

struct Item {
    std::uint64_t number = 0;
    std::uint64_t value = 0;
    friend bool operator==(const Item&, const Item&) = default;
};

constexpr ListFormat<Item> format{
    .name = "items",
    .what = "the list of items",
    .damage = "cannot tell what the items were",
    .advice = "they begin anew",
    .earlier = scripts::StateFile::restarts,
    .earlier_key = "items",
    .number = [](const Item& item) { return item.number; },
    .write =
        [](const Item& item) {
            return nlohmann::ordered_json{{"number", item.number}, {"value", item.value}};
        },
    .read =
        [](read::JsonObject object, read::JsonProblem&) {
            const Item item{object.whole("number", 1000), object.whole("value", 1'000'000)};
            object.finish();
            return item;
        },
};

constexpr ListFormat<Item> other_format = [] {
    ListFormat<Item> other = format;
    other.name = "other items";
    other.earlier = scripts::StateFile::replaced_plans;
    return other;
}();

using List = JournalList<Item>;

// A daemon that holds two lists.
struct Daemon {
    explicit Daemon(const std::string& folder) : file(folder) {}
    Expected<void> keep(std::uint64_t number, std::uint64_t value) {
        return list.change([&](List::Items& items) { items[number] = {number, value}; });
    }
    JournalFile file;
    List list{file, format};
    List other{file, other_format};
};

class Journal : public testing::Test {
  protected:
    Journal() { begin(); }
    // The one before has been killed.
    void begin() { daemon_ = std::make_unique<Daemon>(folder_.path()); }

    std::string path() const { return folder_.file("journal.db"); }

    // As an operator does.
    void sql(const std::string& statements) {
        sqlite3* raw = nullptr;
        ASSERT_EQ(sqlite3_open(path().c_str(), &raw), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(raw, statements.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(raw);
        sqlite3_close(raw);
    }

    List::Items found() const {
        Daemon later(folder_.path());
        const auto loaded = later.list.load();
        EXPECT_TRUE(loaded) << loaded.error().message;
        return later.list.all();
    }

    bool is_set_aside() const {
        return std::any_of(
            std::filesystem::directory_iterator(folder_.path()), {}, [](const auto& entry) {
                return entry.path().filename().string().starts_with("journal.db.damaged-20");
            });
    }

    const tests::ScratchFolder folder_;
    std::unique_ptr<Daemon> daemon_;
};

TEST_F(Journal, IsForItsOwnerAlone) {
    ASSERT_TRUE(daemon_->keep(1, 1));
    EXPECT_EQ(std::filesystem::status(path()).permissions(), std::filesystem::perms(0600));
    std::filesystem::permissions(path(), std::filesystem::perms(0644));
    begin();
    ASSERT_TRUE(daemon_->list.load());
    EXPECT_EQ(std::filesystem::status(path()).permissions(), std::filesystem::perms(0600));
}

TEST_F(Journal, ChangesNothingThatItCannotWrite) {
    Daemon lost(folder_.file("missing"));
    EXPECT_FALSE(lost.list.load());
    EXPECT_FALSE(lost.keep(1, 1));
    EXPECT_TRUE(lost.list.all().empty());
    std::filesystem::create_directory(folder_.file("missing"));
    EXPECT_TRUE(lost.keep(1, 1)) << "once it can";
}

TEST_F(Journal, SetsADamagedFileAsideAndBeginsAnew) {
    std::ofstream(path()) << "no database at all, but long enough for the header of one: "
                          << std::string(100, 'x');
    const auto damaged = daemon_->list.load();
    ASSERT_FALSE(damaged);
    const std::string& said = damaged.error().message;
    EXPECT_NE(said.find("set aside as \"" + path() + ".damaged-20"), std::string::npos) << said;
    EXPECT_NE(said.find("they begin anew"), std::string::npos) << said;
    EXPECT_TRUE(is_set_aside());
    EXPECT_TRUE(daemon_->other.load()) << "said once, of the file";
    ASSERT_TRUE(daemon_->keep(1, 1));
    EXPECT_EQ(found().size(), 1U);
}

TEST_F(Journal, WritesAllItKnowsWhereTheFileWasDamagedMeanwhile) {
    ASSERT_TRUE(daemon_->keep(1, 1));
    ASSERT_TRUE(daemon_->keep(2, 2));
    std::filesystem::resize_file(path(), 0);
    std::ofstream(path()) << std::string(8192, 'x');
    EXPECT_FALSE(daemon_->keep(3, 3));
    EXPECT_TRUE(is_set_aside());
    EXPECT_EQ(daemon_->list.all().size(), 2U);
    ASSERT_TRUE(daemon_->keep(3, 3));
    EXPECT_EQ(found(), (List::Items{{1, {1, 1}}, {2, {2, 2}}, {3, {3, 3}}}));
}

TEST_F(Journal, WritesAllItKnowsWhereTheFileWasRemovedOrReplaced) {
    for (const bool is_replaced : {false, true}) {
        ASSERT_TRUE(daemon_->keep(1, 1));
        ASSERT_TRUE(daemon_->keep(2, 2));
        if (is_replaced) {
            const tests::ScratchFolder elsewhere;
            Daemon another(elsewhere.path());
            ASSERT_TRUE(another.keep(9, 9));
            std::filesystem::rename(elsewhere.file("journal.db"), path());
        } else {
            std::filesystem::remove(path());
        }
        ASSERT_TRUE(daemon_->keep(2, 3));
        EXPECT_EQ(found(), (List::Items{{1, {1, 1}}, {2, {2, 3}}}));
    }
}

TEST_F(Journal, PutsADamagedEntryAsideAndKeepsTheOthers) {
    for (const char* const text :
         {"", "[]", "{\"number\": 2", "{\"number\": 2}", "{\"number\":2,\"value\":1,\"more\":1}"}) {
        ASSERT_TRUE(daemon_->keep(1, 1));
        ASSERT_TRUE(daemon_->keep(2, 2));
        sql(fmt::format("UPDATE entries SET entry = '{}' WHERE number = 2", text));
        begin();
        const auto loaded = daemon_->list.load();
        ASSERT_FALSE(loaded) << text;
        EXPECT_NE(loaded.error().message.find("entry 2 of the list of items is damaged"),
                  std::string::npos)
            << loaded.error().message;
        EXPECT_EQ(daemon_->list.all(), (List::Items{{1, {1, 1}}}));
        EXPECT_TRUE(daemon_->list.load()) << "said once";
        EXPECT_EQ(found().size(), 1U);
    }
    ASSERT_TRUE(daemon_->file.ready());
    sql("CREATE TABLE five (is_so CHECK (is_so)); INSERT INTO five SELECT count(*) = 5 FROM "
        "damaged");
}

TEST_F(Journal, IsNotTouchedWhereALaterHoraWroteIt) {
    ASSERT_TRUE(daemon_->keep(1, 1));
    sql("PRAGMA user_version = 9");
    begin();
    const auto loaded = daemon_->list.load();
    ASSERT_FALSE(loaded);
    EXPECT_NE(loaded.error().message.find("install the newer Hora"), std::string::npos)
        << loaded.error().message;
    EXPECT_FALSE(daemon_->keep(2, 2));
    sql("PRAGMA user_version = 1");
    EXPECT_EQ(found().size(), 1U);
}

// What could not be read is not taken for nothing.
TEST_F(Journal, LosesNothingWhileAnotherProgramHoldsIt) {
    ASSERT_TRUE(daemon_->keep(1, 1));
    begin();
    sqlite3* raw = nullptr;
    ASSERT_EQ(sqlite3_open(path().c_str(), &raw), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(raw, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
    EXPECT_FALSE(daemon_->list.load());
    EXPECT_FALSE(daemon_->keep(2, 2));
    sqlite3_close(raw);
    ASSERT_TRUE(daemon_->keep(3, 3));
    EXPECT_EQ(found(), (List::Items{{1, {1, 1}}, {3, {3, 3}}}));
    EXPECT_FALSE(is_set_aside());
}

// Against a map: any series of changes, of two lists, by daemons that take over from one another.
RC_GTEST_PROP(JournalLists, AreWhatWasWrittenLast, ()) {
    const tests::ScratchFolder folder;
    auto daemon = std::make_unique<Daemon>(folder.path());
    List::Items wanted[2];
    const int changes = *rc::gen::inRange(1, 12);
    for (int i = 0; i < changes; ++i) {
        const int which = *rc::gen::inRange(0, 2);
        const auto number = *rc::gen::inRange<std::uint64_t>(0, 4);
        const auto value = *rc::gen::inRange<std::uint64_t>(0, 3);
        const int kind = *rc::gen::inRange(0, 4);
        const auto edit = [&](List::Items& items) {
            if (kind == 0) {
                items.erase(number);
            } else {
                items[number] = {number, value};
            }
        };
        if (kind == 3) {
            daemon.reset();
            daemon = std::make_unique<Daemon>(folder.path());
        }
        edit(wanted[which]);
        List& list = which == 0 ? daemon->list : daemon->other;
        RC_ASSERT(list.change(edit).has_value());
        RC_ASSERT(list.all() == wanted[which]);
    }
    Daemon last(folder.path());
    RC_ASSERT(last.list.load().has_value() && last.other.load().has_value());
    RC_ASSERT(last.list.all() == wanted[0]);
    RC_ASSERT(last.other.all() == wanted[1]);
}

// Each change sets two items to one value: a file that is half written would show two values.
TEST_F(Journal, HasAllOfAChangeOrNothingWhereItsDaemonWasKilled) {
    std::uint64_t last = 0;
    for (int round = 0; round < 10; ++round) {
        int pipes[2];
        ASSERT_EQ(::pipe(pipes), 0);
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            Daemon doomed(folder_.path());
            for (std::uint64_t value = last + 1;; ++value) {
                const auto done = doomed.list.change([&](List::Items& items) {
                    items[1] = {1, value};
                    items[2] = {2, value};
                });
                if (!done || ::write(pipes[1], &value, sizeof value) != sizeof value) {
                    ::_exit(1);
                }
            }
        }
        ::close(pipes[1]);
        std::uint64_t said = 0;
        for (int i = 0; i <= round; ++i) {
            ASSERT_EQ(::read(pipes[0], &said, sizeof said), ssize_t{sizeof said});
        }
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        while (::read(pipes[0], &said, sizeof said) == ssize_t{sizeof said}) {
        }
        ::close(pipes[0]);
        const List::Items items = found();
        ASSERT_EQ(items.size(), 2U);
        EXPECT_EQ(items.at(1).value, items.at(2).value);
        EXPECT_GE(items.at(1).value, said) << "what was said to be done is on disk";
        EXPECT_LE(items.at(1).value, said + 1);
        last = items.at(1).value;
    }
}

}  // namespace
}  // namespace hora::horad
