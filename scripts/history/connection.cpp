// How does Hora hold an SQLite file: opened, checked, brought up to date, and every failure said?
#include "scripts/history/connection.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "libplanner/read/quoted.hpp"

namespace hora::history {
namespace {

// A reader can wait for the writer.
constexpr int reader_patience_ms = 2000;
// Nothing that is kept comes near: a runaway writer must not fill the disk of the controller.
constexpr int most_pages = 262144;  // of 4 KiB: 1 GiB

std::string advice(int code) {
    switch (code & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return "is held by another program; try again";
        case SQLITE_IOERR:
            return "could not be read or written; look at the disk, and whether it is a file";
        case SQLITE_FULL:
            return "could not be written: the disk is full";
        case SQLITE_NOTADB:
            return "is no SQLite file; look at whether its path is right";
        case SQLITE_CORRUPT:
            return "is damaged; horad sets it aside and begins a new one";
        case SQLITE_READONLY:
            return code == SQLITE_READONLY_ROLLBACK
                       ? "was left half written; it is mended when horad starts again"
                       : "may not be written; look at the owner of the file and its folder";
        case SQLITE_CANTOPEN:
            return "cannot be opened; look at the rights of the file and its folder";
        default:
            return {};
    }
}

Error error_of(const std::string& path, int code, const char* message) {
    const std::string known = advice(code);
    return {fmt::format("{}: {}", read::quoted(path),
                        known.empty() ? std::string(message) + " (SQLite)" : known)};
}

Error noted(Error error, int code, const OnDamage& on_damage) {
    const int kind = code & 0xff;
    if (on_damage && (kind == SQLITE_NOTADB || kind == SQLITE_CORRUPT)) {
        on_damage(error);
    }
    return error;
}

// Made beforehand, so that no foreign umask decides who may read it, and its -journal with it.
Expected<void> make_file(const std::string& path, mode_t mode) {
    const int file = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, mode);
    if (file < 0) {
        return errno == EEXIST
                   ? Expected<void>()
                   : failure(fmt::format("{}: {}", read::quoted(path), std::strerror(errno)));
    }
    ::fchmod(file, mode);
    ::close(file);
    return {};
}

// SQLite would wait for the writer of a pipe, and says of a closed folder no more than that it
// cannot open the file.
Expected<void> look_at(const std::string& path, const Schema& schema) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        return failure(errno == ENOENT ? fmt::format("there is no {} {} yet: horad writes it",
                                                     schema.what, read::quoted(path))
                                       : fmt::format("cannot open the {} {}: {}", schema.what,
                                                     read::quoted(path), std::strerror(errno)));
    }
    return S_ISREG(status.st_mode)
               ? Expected<void>()
               : failure(fmt::format("{} is no regular file, no {} of Hora; name another path",
                                     read::quoted(path), schema.what));
}

Expected<std::int64_t> pragma(Connection& connection, const char* name) {
    auto statement = connection.prepare(fmt::format("PRAGMA {}", name));
    if (!statement) {
        return unexpected(statement.error());
    }
    const auto row = statement->step();
    if (!row) {
        return unexpected(row.error());
    }
    return *row ? statement->whole(0) : 0;
}

Expected<bool> has_tables(Connection& connection) {
    auto statement = connection.prepare("SELECT 1 FROM sqlite_master LIMIT 1");
    return statement ? statement->step() : unexpected(statement.error());
}

Expected<void> upgrade(Connection& connection, std::int64_t version, const Schema& schema) {
    return connection.transaction([&]() -> Expected<void> {
        for (auto step = static_cast<std::size_t>(version); step < schema.steps.size(); ++step) {
            if (auto done = connection.execute(std::string(schema.steps[step])); !done) {
                return done;
            }
        }
        return connection.execute(
            fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                        schema.application_id, schema.steps.size()));
    });
}

Expected<void> check(Connection& connection, const std::string& path, Access access,
                     const Schema& schema) {
    const auto application = pragma(connection, "application_id");
    const auto version = pragma(connection, "user_version");
    const auto tables = has_tables(connection);
    if (!application || !version || !tables) {
        return unexpected(!application ? application.error()
                          : !version   ? version.error()
                                       : tables.error());
    }
    const bool is_ours = *application == schema.application_id;
    const auto newest = static_cast<std::int64_t>(schema.steps.size());
    if (!is_ours && (*tables || *application != 0)) {
        return failure(fmt::format("{} is another program's file, no {} of Hora; name another path",
                                   read::quoted(path), schema.what));
    }
    if (*version > newest || *version < 0) {
        return failure(
            fmt::format("{} is a {} of version {}, this Hora knows {}; install the newer Hora, or "
                        "move the file away",
                        read::quoted(path), schema.what, *version, newest));
    }
    if (*version == newest) {
        return {};
    }
    if (access == Access::read && !is_ours && *version == 0) {
        return failure(fmt::format("{} is empty: horad has written no {} yet", read::quoted(path),
                                   schema.what));
    }
    if (access == Access::read) {
        return failure(
            fmt::format("{} is a {} of version {}, this Hora reads {}; restart horad, "
                        "which brings it up to date",
                        read::quoted(path), schema.what, *version, newest));
    }
    if (!*tables) {
        // Before the first table, or never: what is forgotten later gives its room back.
        if (auto set = connection.execute("PRAGMA auto_vacuum = INCREMENTAL"); !set) {
            return set;
        }
    }
    return upgrade(connection, *version, schema);
}

}  // namespace

Statement& Statement::bind(std::int64_t value) {
    problem_ |= sqlite3_bind_int64(statement_.get(), next_++, value);
    return *this;
}

Statement& Statement::bind(double value) {
    problem_ |= std::isfinite(value) ? sqlite3_bind_double(statement_.get(), next_++, value)
                                     : sqlite3_bind_null(statement_.get(), next_++);
    return *this;
}

Statement& Statement::bind(std::string_view value) {
    problem_ |= sqlite3_bind_text64(statement_.get(), next_++, value.data(), value.size(),
                                    SQLITE_TRANSIENT, SQLITE_UTF8);
    return *this;
}

Statement& Statement::bind_null() {
    problem_ |= sqlite3_bind_null(statement_.get(), next_++);
    return *this;
}

Expected<bool> Statement::step() {
    const int code = problem_ != SQLITE_OK ? problem_ : sqlite3_step(statement_.get());
    if (code == SQLITE_ROW || code == SQLITE_DONE) {
        return code == SQLITE_ROW;
    }
    sqlite3* const handle = sqlite3_db_handle(statement_.get());
    return unexpected(
        noted(error_of(where_, sqlite3_extended_errcode(handle), sqlite3_errmsg(handle)),
              sqlite3_errcode(handle), on_damage_));
}

Expected<void> Statement::run() {
    const auto row = step();
    return row ? Expected<void>() : unexpected(row.error());
}

bool Statement::is_null(int column) const {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::whole(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) const {
    const unsigned char* const letters = sqlite3_column_text(statement_.get(), column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
    return letters == nullptr ? std::string()
                              : std::string(reinterpret_cast<const char*>(letters), size);
}

Error Connection::error(int code) const {
    return noted(error_of(path_, code, sqlite3_errmsg(handle_.get())), code, on_damage_);
}

Expected<Statement> Connection::prepare(std::string_view sql) {
    sqlite3_stmt* raw = nullptr;
    const int code =
        sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()), &raw, nullptr);
    if (code != SQLITE_OK) {
        return unexpected(error(sqlite3_extended_errcode(handle_.get())));
    }
    Statement statement;
    statement.statement_.reset(raw);
    statement.where_ = path_;
    statement.on_damage_ = on_damage_;
    return statement;
}

Expected<void> Connection::execute(const std::string& sql) {
    if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        return unexpected(error(sqlite3_extended_errcode(handle_.get())));
    }
    return {};
}

Expected<Connection> Connection::open(const std::string& path, Access access, const Schema& schema,
                                      mode_t mode, OnDamage on_damage) {
    if (access == Access::write) {
        if (const auto made = make_file(path, mode); !made) {
            return unexpected(made.error());
        }
    }
    if (const auto looked_at = look_at(path, schema); !looked_at) {
        return unexpected(looked_at.error());
    }
    Connection connection;
    connection.path_ = path;
    connection.on_damage_ = std::move(on_damage);
    sqlite3* raw = nullptr;
    const int flags = (access == Access::write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) |
                      SQLITE_OPEN_NOMUTEX;
    const int code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
    connection.handle_.reset(raw);
    if (code != SQLITE_OK) {
        return unexpected(error_of(path, code, sqlite3_errstr(code)));
    }
    sqlite3_extended_result_codes(raw, 1);
    sqlite3_busy_timeout(raw,
                         access == Access::read ? reader_patience_ms : schema.writer_patience_ms);
    // No write-ahead log: its readers would need the right to write beside the file.
    const auto ready = check(connection, path, access, schema).and_then([&] {
        return connection.execute(fmt::format(
            "PRAGMA trusted_schema = OFF; PRAGMA synchronous = EXTRA; PRAGMA max_page_count = {}",
            most_pages));
    });
    if (!ready) {
        return unexpected(ready.error());
    }
    // What SQLite has opened for reading, as on a read-only disk, it never writes.
    if (access == Access::write && sqlite3_db_readonly(raw, "main") == 1) {
        return unexpected(error_of(path, SQLITE_READONLY, ""));
    }
    return connection;
}

}  // namespace hora::history
