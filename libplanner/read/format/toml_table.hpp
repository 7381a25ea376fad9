// What stands in a TOML file, read strictly: each key is asked for, one that was not is an
// error that names the nearest known key, and each error says file:line:column.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"

namespace hora::read {

// One table of a document; cheap to copy, keeps the document alive.
//
//     Expected<Layer> read_layer(TomlTable table) {
//         Layer layer;
//         table.take("name", layer.name);
//         table.take("kernel", layer.kernel);
//         if (auto good = table.finish(); !good) {
//             return unexpected(good.error());
//         }
//         return layer;
//     }
class TomlTable {
  public:
    // take(): `key` becomes a known key; if it is there and right, its value is copied and true
    // returned; else `value` stays. What is wrong is kept for finish(): the first one counts.
    bool take(std::string_view key, std::string& value);
    bool take(std::string_view key, bool& value);
    bool take(std::string_view key, std::uint32_t& value);
    bool take(std::string_view key, std::uint64_t& value);
    bool take(std::string_view key, double& value);
    bool take(std::string_view key, Seconds& value);  // quantities are strings with units
    bool take(std::string_view key, Bytes& value);
    bool take(std::string_view key, Bandwidth& value);
    bool take(std::string_view key, FlopRate& value);
    bool take(std::string_view key, std::vector<std::uint64_t>& values);  // 3 counts as [3]
    bool take(std::string_view key, std::vector<std::string>& values);    // "a" counts as ["a"]
    template <class T>
    bool take(std::string_view key, std::optional<T>& value) {
        T found{};
        if (!take(key, found)) {
            return false;
        }
        value = std::move(found);
        return true;
    }
    // As take(), and its absence is an error.
    template <class T>
    bool require(std::string_view key, T& value) {
        if (!has(key)) {
            reject_missing(key);
            return false;
        }
        return take(key, value);
    }

    std::optional<TomlTable> take_table(std::string_view key);    // [key] or key = { ... }
    std::vector<TomlTable> take_tables(std::string_view key);     // [[key]], in order
    std::vector<TomlTable> take_tables_in(std::string_view key);  // [key.NAME], each name()

    bool has(std::string_view key) const;
    std::vector<std::string> keys() const;          // in the order of the file
    const std::string& name() const;                // "h100" for [gpu.h100]; empty for the root
    std::string where() const;                      // "FILE:LINE:COLUMN" of the table
    std::string where(std::string_view key) const;  // of the key, or of the table without it
    const std::string& file() const;
    std::string shown_file() const;  // likewise, as messages name it

    // A value that is well formed and still wrong: its place and the message become the error.
    void reject(std::string_view key, std::string message);
    // The first error met here, or else the first key of the table that was not asked for.
    Expected<void> finish() const;

  private:
    friend Expected<TomlTable> read_toml(std::string_view text, std::string_view file);
    struct State;
    explicit TomlTable(std::shared_ptr<State> state);
    void reject_missing(std::string_view key);

    std::shared_ptr<State> state_;
};

// The root of a document; `version` is already taken and must be 1 where it is given.
// `file` is only for messages. On failure: the place and what the parser found there.
Expected<TomlTable> read_toml(std::string_view text, std::string_view file);

}  // namespace hora::read
