// Where does horad keep what it must still know after it died?
#include "scripts/horad/journal/journal_file.hpp"

#include <fmt/format.h>

#include <array>
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "libplanner/read/quoted.hpp"
#include "scripts/hora/site/state_files.hpp"

namespace hora::horad {
namespace {

constexpr std::array<std::string_view, 1> schema_steps{
    R"(CREATE TABLE entries (
           list TEXT NOT NULL, number INTEGER NOT NULL, entry TEXT NOT NULL,
           PRIMARY KEY (list, number)) WITHOUT ROWID;
       CREATE TABLE damaged (
           list TEXT NOT NULL, number INTEGER NOT NULL, entry TEXT NOT NULL,
           found INTEGER NOT NULL);)"};

// An operator who looks into it may hold it for a moment; a job waits for what is written here.
constexpr history::Schema schema{.what = "journal",
                                 .application_id = 0x686a726e,  // "hjrn"
                                 .steps = schema_steps,
                                 .writer_patience_ms = 250};

mode_t mode() {
    return scripts::rights_of(scripts::StateFile::journal, {}).mode;
}

}  // namespace

std::string as_kept(const nlohmann::ordered_json& value) {
    return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

JournalFile::JournalFile(std::string folder)
    : folder_(std::move(folder)), path_(path_of(scripts::StateFile::journal, folder_)) {}

bool JournalFile::is_at_its_path() const {
    struct stat status {};
    return ::stat(path_.c_str(), &status) == 0 && status.st_dev == device_ &&
           status.st_ino == inode_;
}

Expected<void> JournalFile::open() {
    auto opened = scripts::apply_rights(path_, {.mode = mode()}).and_then([&] {
        return history::Connection::open(path_, history::Access::write, schema, mode(),
                                         [this](const Error& damage) { damage_ = damage; });
    });
    if (!opened) {
        return unexpected(opened.error());
    }
    struct stat status {};
    if (::stat(path_.c_str(), &status) != 0) {
        return failure(fmt::format("{} was removed as it was opened", read::quoted(path_)));
    }
    device_ = status.st_dev;
    inode_ = status.st_ino;
    connection_.emplace(*std::move(opened));
    ++generation_;
    return {};
}

Error JournalFile::seen_to(const Error& error) {
    if (!damage_) {
        return error;
    }
    damage_.reset();
    connection_.reset();
    const auto aside = scripts::set_aside(path_);
    return {fmt::format("{}; {}", error.message,
                        aside ? "it is set aside as " + read::quoted(*aside)
                              : aside.error().message + "; move it away")};
}

Expected<void> JournalFile::ready() {
    if (connection_ && !is_at_its_path()) {
        connection_.reset();
    }
    const auto opened = connection_ ? Expected<void>() : open();
    return opened ? opened : unexpected(seen_to(opened.error()));
}

Expected<JournalFile::Rows> JournalFile::select(std::string_view list) {
    auto statement = connection_->prepare("SELECT number, entry FROM entries WHERE list = ?");
    if (!statement) {
        return unexpected(statement.error());
    }
    statement->bind(list);
    Rows rows;
    for (auto row = statement->step();; row = statement->step()) {
        if (!row) {
            return unexpected(row.error());
        }
        if (!*row) {
            return rows;
        }
        rows[static_cast<std::uint64_t>(statement->whole(0))] = statement->text(1);
    }
}

Expected<JournalFile::Rows> JournalFile::rows(std::string_view list) {
    if (const auto opened = ready(); !opened) {
        return unexpected(opened.error());
    }
    auto rows = select(list);
    return rows ? std::move(rows) : unexpected(seen_to(rows.error()));
}

Expected<void> JournalFile::apply(std::string_view list, const Change& change) {
    auto statement = connection_->prepare(
        change.entry ? "INSERT OR REPLACE INTO entries (list, number, entry) VALUES (?, ?, ?)"
                     : "DELETE FROM entries WHERE list = ? AND number = ?");
    if (!statement) {
        return unexpected(statement.error());
    }
    statement->bind(list).bind(static_cast<std::int64_t>(change.number));
    if (change.entry) {
        statement->bind(*change.entry);
    }
    return statement->run();
}

Expected<void> JournalFile::write(std::string_view list, const std::vector<Change>& changes,
                                  bool is_whole) {
    const auto written = connection_->transaction([&]() -> Expected<void> {
        if (is_whole) {
            auto cleared = connection_->prepare("DELETE FROM entries WHERE list = ?");
            if (!cleared) {
                return unexpected(cleared.error());
            }
            if (auto done = cleared->bind(list).run(); !done) {
                return done;
            }
        }
        for (const Change& change : changes) {
            if (auto done = apply(list, change); !done) {
                return done;
            }
        }
        return {};
    });
    return written ? written : unexpected(seen_to(written.error()));
}

Expected<void> JournalFile::put_aside(std::string_view list, std::uint64_t number) {
    const auto done = connection_->transaction([&]() -> Expected<void> {
        auto copied = connection_->prepare(
            "INSERT INTO damaged SELECT list, number, entry, ? FROM entries "
            "WHERE list = ? AND number = ?");
        if (!copied) {
            return unexpected(copied.error());
        }
        copied->bind(std::int64_t{std::time(nullptr)})
            .bind(list)
            .bind(static_cast<std::int64_t>(number));
        return copied->run().and_then([&] { return apply(list, {number, {}}); });
    });
    return done ? done : unexpected(seen_to(done.error()));
}

}  // namespace hora::horad
