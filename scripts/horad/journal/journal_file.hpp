// Where does horad keep what it must still know after it died? In one SQLite file: lists of
// entries, each a JSON object under a number.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "scripts/history/connection.hpp"

namespace hora::horad {

// How this stands in the journal: bytes of a text that are no UTF-8 do not come back from there.
std::string as_kept(const nlohmann::ordered_json& value);

class JournalFile {
  public:
    using Rows = std::map<std::uint64_t, std::string>;
    struct Change {
        std::uint64_t number = 0;
        std::optional<std::string> entry;  // empty: the row goes
    };

    // `folder`: of the daemon's own files.
    explicit JournalFile(std::string folder);
    JournalFile(const JournalFile&) = delete;
    JournalFile& operator=(const JournalFile&) = delete;

    const std::string& folder() const { return folder_; }

    // Opens the file; anew where it has been removed or replaced since. Fails where that cannot be
    // done, and once on a damaged file, which is then set aside.
    Expected<void> ready();
    // Which file is open, of those that were opened one after another: what was written into
    // another one is not in this one.
    std::uint64_t generation() const { return generation_; }

    // All of a list.
    Expected<Rows> rows(std::string_view list);
    // These two need a file that is ready(), and write into that one. All of it or nothing is on
    // disk when it returns. `is_whole`: the rest of the list goes.
    Expected<void> write(std::string_view list, const std::vector<Change>& changes, bool is_whole);
    // Takes a row out of its list, into the table "damaged".
    Expected<void> put_aside(std::string_view list, std::uint64_t number);

  private:
    bool is_at_its_path() const;
    Expected<void> open();
    Expected<Rows> select(std::string_view list);
    Expected<void> apply(std::string_view list, const Change& change);
    // What is damaged is set aside, and the error says where.
    Error seen_to(const Error& error);

    std::string folder_;
    std::string path_;
    std::optional<history::Connection> connection_;
    std::optional<Error> damage_;
    std::uint64_t generation_ = 0;
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

}  // namespace hora::horad
