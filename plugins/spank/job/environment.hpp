// The variables of a task: what they are, and what shall become of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hora::spank {

using Variables = std::map<std::string, std::string, std::less<>>;

// A copy that remembers what was changed, so that deciding and applying are two things.
class Environment {
  public:
    explicit Environment(Variables variables) : variables_(std::move(variables)) {}

    // Null where the variable is not set; valid until it changes.
    const std::string* find(std::string_view name) const;
    const Variables& variables() const { return variables_; }

    void set(std::string_view name, std::string value);
    void unset(std::string_view name);

    // By name; no value: to be unset.
    const std::map<std::string, std::optional<std::string>, std::less<>>& changes() const {
        return changes_;
    }

  private:
    Variables variables_;
    std::map<std::string, std::optional<std::string>, std::less<>> changes_;
};

// Empty where the variable is not set.
std::string text_of(const Environment& environment, std::string_view name);

// "NAME=value" strings up to a null pointer, as spank and environ have them.
Variables read_variables(const char* const* entries);

}  // namespace hora::spank
