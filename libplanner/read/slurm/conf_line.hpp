// What does a line of Slurm's configuration files set?
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hora::read {

// "Key = value" pairs of a line by their lower-case key, the first of each; a value in double
// quotes may have blanks.
using ConfFields = std::map<std::string, std::string, std::less<>>;

struct ConfLine {
    std::size_t number = 0;  // of its first line in the text, from 1
    ConfFields fields;
};

// Without comments, and with what a backslash at the end continues. Reads each character once.
class ConfLines {
  public:
    explicit ConfLines(std::string_view text) : text_(text) {}

    // Empty at the end of the text.
    std::optional<ConfLine> next();

  private:
    std::string_view text_;
    std::size_t number_ = 0;
};

}  // namespace hora::read
