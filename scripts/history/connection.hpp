// How does Hora hold an SQLite file: opened, checked, brought up to date, and every failure said?
#pragma once

#include <sqlite3.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"

namespace hora::history {

enum class Access { read, write };

// What a file holds. `steps[i]` brings a file of version i to version i + 1; a new file goes
// through all of them, so that there is one way to make a table.
struct Schema {
    std::string_view what;            // "history", as messages name the file
    std::int32_t application_id = 0;  // in the file's header: a foreign file is recognised by it
    std::span<const std::string_view> steps;
    // How long a writer waits while another program locks the file. The default is next to
    // nothing: a program that locks it for longer costs one record, and delays no job.
    int writer_patience_ms = 50;
};

// Is called with what is said of a file that does not hold what SQLite wrote, at each such failure.
using OnDamage = std::function<void(const Error& damage)>;

struct StatementCloser {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
struct HandleCloser {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
};

// One statement with its values, numbered from 1 in the order of the calls. A value that cannot be
// bound (no memory) makes step() fail.
class Statement {
  public:
    Statement& bind(std::int64_t value);
    Statement& bind(double value);  // not a number: null
    Statement& bind(std::string_view value);
    Statement& bind_null();
    template <class Value>
    Statement& bind_if(const std::optional<Value>& value) {
        return value ? bind(*value) : bind_null();
    }

    // True: a row is there. False: done.
    Expected<bool> step();
    Expected<void> run();  // for a statement that gives no rows

    bool is_null(int column) const;
    std::int64_t whole(int column) const;
    double real(int column) const;
    std::string text(int column) const;

  private:
    friend class Connection;
    std::unique_ptr<sqlite3_stmt, StatementCloser> statement_;
    std::string where_;
    OnDamage on_damage_;
    int next_ = 1;
    int problem_ = SQLITE_OK;
};

// For one thread at a time.
class Connection {
  public:
    // Writing makes a file that is not there, readable for all that may enter its folder where
    // `mode` says so, and brings an older one up to date. Reading needs no right to write. Fails,
    // changing nothing, on a file that is no database, another program's, damaged, of a later
    // version, or to be written where it may not be.
    static Expected<Connection> open(const std::string& path, Access access, const Schema& schema,
                                     mode_t mode = 0600, OnDamage on_damage = {});

    Expected<Statement> prepare(std::string_view sql);
    Expected<void> execute(const std::string& sql);

    // All of it or nothing is in the file: on any failure inside, what was done is undone.
    template <class Action>
    Expected<void> transaction(Action action) {
        if (auto begun = execute("BEGIN IMMEDIATE"); !begun) {
            return begun;
        }
        Expected<void> done = action();
        if (done) {
            done = execute("COMMIT");
        }
        if (!done) {
            // A full disk may have rolled back already, which makes this fail: then all is well.
            static_cast<void>(execute("ROLLBACK"));
        }
        return done;
    }

  private:
    Error error(int code) const;

    std::unique_ptr<sqlite3, HandleCloser> handle_;
    std::string path_;
    OnDamage on_damage_;
};

}  // namespace hora::history
