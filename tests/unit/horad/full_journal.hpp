// A disk on which no list of the journal gets another entry.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>

#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {

class FullJournal {
  public:
    // Of a daemon that has written its journal into that folder.
    explicit FullJournal(const tests::ScratchFolder& folder) : path_(folder.file("journal.db")) {
        run("CREATE TRIGGER full BEFORE INSERT ON entries "
            "BEGIN SELECT RAISE(ABORT, 'no space left'); END");
    }
    FullJournal(const FullJournal&) = delete;
    FullJournal& operator=(const FullJournal&) = delete;
    ~FullJournal() { run("DROP TRIGGER full"); }

  private:
    void run(const char* statement) const {
        sqlite3* raw = nullptr;
        EXPECT_EQ(sqlite3_open(path_.c_str(), &raw), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(raw, statement, nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(raw);
        sqlite3_close(raw);
    }

    const std::string path_;
};

}  // namespace hora::horad
