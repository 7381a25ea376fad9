// What was measured and done, kept in one SQLite file: horad writes, anyone who may read it reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "scripts/history/connection.hpp"
#include "scripts/history/records.hpp"

namespace hora::history {

// Which rows; an empty field asks for all.
struct Filter {
    std::optional<std::uint64_t> job;
    std::optional<std::uint32_t> uid;
    std::optional<std::int64_t> since;  // seconds since the epoch
    std::uint32_t most = 1000;          // the newest ones
};

// The statement that reads these rows of a table, newest first. `time`: its column that says which
// is newer. Its parameters are the filter's fields, ?1 to ?4. It has a condition only for what is
// asked for, so that SQLite finds the rows by an index.
std::string selection_of(const std::string& table, const std::string& time, const Filter& filter);

class Database {
  public:
    // Connection::open says what fails. Without a history a caller loses predictions, no
    // job. `mode` is for a new file: 0644, or 0600 where the site keeps jobs private.
    static Expected<Database> open(const std::string& path, Access access, mode_t mode = 0644,
                                   OnDamage on_damage = {});

    // All of them or none. Texts longer than `longest_text` are cut; numbers that are none are
    // left out.
    Expected<void> record(const std::vector<Sample>& samples);
    // A later record of what was asked for at the same time replaces the one before.
    Expected<void> record(const Rescale& rescale);

    // All of them or none. Of a key that is known already the first record stays.
    Expected<void> record(const std::vector<KeptPlan>& plans);
    // The record; empty where the key is not known.
    Expected<std::optional<std::string>> plan(std::string_view key);

    // Newest first.
    Expected<std::vector<Sample>> samples(const Filter& filter);
    Expected<std::vector<Rescale>> rescales(const Filter& filter);

    // Forgets what is older than `oldest` (seconds since the epoch), and of the rest what is more
    // than `most` rows of a table; but no more than `at_once` rows of each, so that a caller
    // has not long to wait. True: there is more to forget. The room is given back to the disk.
    Expected<bool> forget(std::int64_t oldest, std::uint32_t most = 200000,
                          std::uint32_t at_once = 2000);

    // The same of plans, but of none whose job lives. `living`: the keys of these, whose age counts
    // from `now` on; one that is not in the file does not matter.
    Expected<bool> forget_plans(std::int64_t oldest, const std::vector<std::string>& living,
                                std::int64_t now, std::uint32_t most = 50000,
                                std::uint32_t at_once = 2000);

    // When the oldest row was written, in seconds since the epoch; empty: there is none.
    Expected<std::optional<std::int64_t>> oldest();

    static constexpr std::size_t longest_text = 256;

  private:
    explicit Database(Connection connection) : connection_(std::move(connection)) {}
    Connection connection_;
};

}  // namespace hora::history
